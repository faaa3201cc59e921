import {
  type JSONRPCErrorResponse,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { RPC_INTERNAL } from '../mcp/jsonRpc';
import { ownField } from '../mcp/wire';

/** With it the events of a stream have ids, by which the SDK asks for the rest where it is cut. */
const EVENT_ID = /[\r\n]id:/;

/**
 * The stream of events that answers a request. Where it ends or breaks without the answer, as when
 * its server is ended meanwhile, an error is added: the SDK would wait for ever. A second answer,
 * where there was one, it passes over.
 */
export function withAnswer(
  stream: ReadableStream<Uint8Array>,
  id: RequestId,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let canGoOn = false;
  let tail = '\n';
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          const text = tail + decoder.decode(value, { stream: true });
          canGoOn ||= EVENT_ID.test(text);
          tail = text.slice(-4);
          controller.enqueue(value);
          return;
        }
      } catch (error) {
        if (canGoOn) {
          controller.error(error);
          return;
        }
      }
      if (!canGoOn) controller.enqueue(new TextEncoder().encode(asEvent(lostAnswer(id))));
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const LOST =
  'The connection to the server was lost before it had answered; it may have run in part';

/** In place of an answer that does not come any more. */
export function lostAnswer(id: RequestId, message = LOST): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: RPC_INTERNAL, message } };
}

export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}

const NO_ANSWER = 'The server answered with something that is no answer of JSON-RPC';

/** In place of a message that answers a request with something that is no answer; undefined for any other. */
export function noAnswer(message: unknown): JSONRPCErrorResponse | undefined {
  const id = ownField(message, 'id');
  if (!isRequestId(id)) return undefined;
  if (ownField(message, 'method') !== undefined) return undefined;
  return lostAnswer(id, NO_ANSWER);
}

/** The same for a text that could not be read, or was after all. */
export function unreadAnswer(text: unknown): JSONRPCErrorResponse | undefined {
  try {
    const read: unknown = JSON.parse(String(text));
    return JSONRPCMessageSchema.safeParse(read).success ? undefined : noAnswer(read);
  } catch {
    return undefined;
  }
}

/** What was cut in its middle ends before it. */
function asEvent(message: object): string {
  return `\n\ndata: ${JSON.stringify(message)}\n\n`;
}
