import type { OutboundMessage } from '../../../../src/protocol/outboundRequests';
import { WireLog, type WireLogOptions } from '../../../../src/conversation/wire/wireLog';

/** A log whose clock moves one millisecond with each frame. */
export function createLog(options: Partial<WireLogOptions> = {}): WireLog {
  let now = 1_000;
  return new WireLog({ now: () => (now += 1), onAdd: () => undefined, ...options });
}

/** Adds frames as they go over the wire: an object is written, a text is a line as it stands. */
export function add(log: WireLog, dir: 'in' | 'out', ...frames: readonly unknown[]): void {
  for (const frame of frames) {
    // The log writes down whatever it is given; it knows no kinds of frames.
    if (dir === 'out') log.sent(frame as OutboundMessage);
    else log.received(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }
}

export function request(id: string | number, body: object): object {
  return { type: 'control_request', request_id: id, request: body };
}

export function mcp(id: string, method: string, params?: object, server = 'probe'): object {
  const message = { jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) };
  return request(id, { subtype: 'mcp_message', server_name: server, message });
}

export function answer(id: string | number, response: object = {}): object {
  return { type: 'control_response', response: { subtype: 'success', request_id: id, response } };
}

export function mcpAnswer(id: string, result: object): object {
  return answer(id, { mcp_response: { jsonrpc: '2.0', id: 1, result } });
}
