import { oneLine } from '../../chat/boundedText';
import type { FrameDirection, FrameKind, FrameRole } from '../../chat/frameRowProtocol';
import { maskSecrets } from '../../base/maskSecrets';
import { isJsonObject } from '../../protocol/lazySchema';
import type { WireEntry } from './wireLog';

/** What a frame is, as far as it can be told from the frame alone. */
export interface FrameSummary {
  readonly kind: FrameKind;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly id?: string | undefined;
  readonly role?: FrameRole | undefined;
  readonly isError?: boolean | undefined;
  /** The same on a request and its answer: who asked, and the id with its type. */
  readonly key?: string | undefined;
}

/** Characters of a name; the CLI chose it, so it may have any length. */
const MAX_NAME = 80;
/** Characters of a line that was no message. */
const MAX_NOISE = 120;

/** `frame` is the entry's text as JSON; undefined where it is none. */
export function summarizeEntry(entry: WireEntry, frame: unknown): FrameSummary {
  if (entry.what !== 'line') return { kind: 'noise', label: entry.what, detail: entry.text };
  if (!isJsonObject(frame)) {
    // Debug output of whatever prints there: it may name a key.
    // A secret that is cut in two is not known as one.
    const start = maskSecrets(entry.text.slice(0, MAX_NOISE * 40));
    return { kind: 'noise', label: 'no message', detail: oneLine(start, MAX_NOISE) };
  }
  switch (frame.type) {
    case 'control_request':
      return requestSummary(frame, entry.dir);
    case 'control_response':
      return answerSummary(frame, entry.dir);
    case 'control_cancel_request':
      return {
        kind: 'control',
        label: 'cancel',
        role: 'cancel',
        ...idOf(frame.request_id, entry.dir),
      };
    case 'stream_event':
      return { kind: 'stream', label: 'stream_event', detail: streamDetail(frame.event) };
    default:
      return messageSummary(frame);
  }
}

function requestSummary(frame: Json, dir: FrameDirection): FrameSummary {
  const request = object(frame.request);
  const id = idOf(frame.request_id, dir);
  if (request.subtype !== 'mcp_message' && request.subtype !== 'sdk_mcp_request') {
    const label = name(request.subtype) ?? 'control_request';
    return { kind: 'control', label, detail: controlDetail(request), role: 'request', ...id };
  }
  const server = name(request.server_name) ?? name(request.serverName) ?? '?';
  const message = object(request.message);
  const params = object(message.params);
  const about = name(params.name) ?? name(params.uri);
  return {
    kind: 'mcp',
    label: name(message.method) ?? 'reply',
    detail: about === undefined ? server : `${server} · ${about}`,
    role: 'request',
    ...id,
  };
}

function controlDetail(request: Json): string | undefined {
  const input = object(request.input);
  return (
    name(request.tool_name) ??
    joined(input.hook_event_name, input.tool_name) ??
    name(request.mode) ??
    name(request.model) ??
    name(request.serverName) ??
    name(request.mcp_server_name) ??
    name(request.dialog_kind)
  );
}

function answerSummary(frame: Json, dir: FrameDirection): FrameSummary {
  const response = object(frame.response);
  const body = object(response.response);
  const rpc = object(body.mcp_response);
  const isError =
    response.subtype === 'error' || rpc.error !== undefined || object(rpc.result).isError === true;
  return {
    kind: body.mcp_response === undefined ? 'control' : 'mcp',
    label: 'answer',
    detail: name(body.behavior),
    role: 'answer',
    isError,
    ...idOf(response.request_id ?? frame.request_id, dir === 'in' ? 'out' : 'in'),
  };
}

function messageSummary(frame: Json): FrameSummary {
  const label = name(frame.type);
  if (label === undefined) return { kind: 'noise', label: 'no message', detail: 'no type' };
  const isError = label === 'result' && frame.is_error === true;
  const detail = name(frame.subtype) ?? contentDetail(frame) ?? name(frame.state);
  return { kind: 'message', label, detail, isError };
}

/** The kinds of blocks that a message holds, and what each calls. */
function contentDetail(frame: Json): string | undefined {
  const message = object(frame.message);
  if (typeof message.content === 'string') return message.role === 'user' ? 'prompt' : 'text';
  if (!Array.isArray(message.content)) return undefined;
  const blocks = message.content.slice(0, 4).map((block: unknown) => {
    const { type, name: tool } = object(block);
    return joined(type, tool) ?? '?';
  });
  return oneLine([...new Set(blocks)].join(', '), MAX_NAME);
}

function streamDetail(event: unknown): string | undefined {
  const { type, delta, content_block: block } = object(event);
  return joined(type, object(delta).type ?? object(block).type);
}

function idOf(id: unknown, asker: FrameDirection): Pick<FrameSummary, 'id' | 'key'> {
  if (typeof id !== 'string' && typeof id !== 'number') return {};
  return { id: name(String(id)), key: `${asker} ${typeof id} ${id}` };
}

type Json = Readonly<Record<string, unknown>>;
const NOTHING: Json = {};

function object(value: unknown): Json {
  return isJsonObject(value) ? value : NOTHING;
}

function name(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? oneLine(value, MAX_NAME) : undefined;
}

function joined(...parts: readonly unknown[]): string | undefined {
  const names = parts.map(name).filter((part) => part !== undefined);
  return names.length === 0 ? undefined : names.join(' ');
}
