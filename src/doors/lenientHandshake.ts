import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../base/logger';
import { foreignFailure } from '../mcp/foreignFailure';
import { readHandshake } from '../mcp/readHandshake';

/**
 * Reads the first answer, which is that to `initialize`, as that of any server of others is read. The
 * SDK's client refuses one in which a version is missing, in the words of its validator.
 */
export function lenientHandshake(transport: Transport, server: string, log: Logger): Transport {
  const start = transport.start.bind(transport);
  transport.start = async () => {
    const { onmessage } = transport;
    let isRead = false;
    transport.onmessage = (message, extra) => {
      const isFirst = !isRead && 'result' in message;
      isRead ||= isFirst;
      onmessage?.(isFirst ? read(message, server, log) : message, extra);
    };
    await start();
  };
  return transport;
}

function read(
  message: Extract<JSONRPCMessage, { readonly result: unknown }>,
  server: string,
  log: Logger,
): JSONRPCMessage {
  try {
    return { ...message, result: { ...readHandshake(message.result, server, log) } };
  } catch (error) {
    const { code, message: text } = foreignFailure(error);
    return { jsonrpc: '2.0', id: message.id, error: { code, message: text } };
  }
}
