import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { RPC_INTERNAL } from '../mcp/jsonRpc';
import { ownField } from '../mcp/wire';
import { EventTexts } from './eventTexts';

/** With it the events of a stream have ids, by which the SDK asks for the rest where it is cut. */
const EVENT_ID = /[\r\n]id:/;

/**
 * The stream of events that answers a request. Where it ends or breaks without the answer, as when
 * its server is ended meanwhile, or has something in its place that cannot be read, an error is added:
 * the SDK would wait for ever. A second answer, where there was one, it passes over.
 */
export function withAnswer(
  stream: ReadableStream<Uint8Array>,
  id: RequestId,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const events = new EventTexts();
  let canGoOn = false;
  let tail = '\n';
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          const part = decoder.decode(value, { stream: true });
          const text = tail + part;
          canGoOn ||= EVENT_ID.test(text);
          tail = text.slice(-4);
          controller.enqueue(value);
          const unread = events.push(part).flatMap((event) => unreadMessages(event, id));
          for (const message of unread) controller.enqueue(encoder.encode(asEvent(message)));
          return;
        }
      } catch (error) {
        if (canGoOn) {
          controller.error(error);
          return;
        }
      }
      if (!canGoOn) controller.enqueue(encoder.encode(asEvent(lostAnswer(id))));
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

/**
 * The messages of a text: several where it is a list of them. In place of one that answers a request
 * with something that is no answer stands an error, also where the text is no JSON, as with a NaN in it.
 * @param owed what is asked by a message without an id that is no request
 * @throws SyntaxError for a text that is neither
 */
export function messagesIn(text: string, owed?: RequestId): JSONRPCMessage[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    const id = idBefore(text);
    if (id === undefined) throw error;
    return [lostAnswer(id, NO_ANSWER)];
  }
  return (Array.isArray(read) ? read : [read]).flatMap((one: unknown) => {
    const message = JSONRPCMessageSchema.safeParse(one);
    return message.success ? [message.data] : noAnswer(one, owed);
  });
}

/** The same of a text of which the SDK takes nothing; empty for any other. */
export function unreadMessages(text: string, owed?: RequestId): JSONRPCMessage[] {
  try {
    if (JSONRPCMessageSchema.safeParse(JSON.parse(text)).success) return [];
  } catch {
    // It is no JSON; it may be meant as an answer.
  }
  try {
    return messagesIn(text, owed);
  } catch {
    return [];
  }
}

function noAnswer(message: unknown, owed: RequestId | undefined): JSONRPCErrorResponse[] {
  const id = ownField(message, 'id') ?? owed;
  const isRequest = ownField(message, 'method') !== undefined;
  return isRequestId(id) && !isRequest ? [lostAnswer(id, NO_ANSWER)] : [];
}

/** Of a text that looks like an answer the id, where it stands before all that is nested. */
function idBefore(text: string): RequestId | undefined {
  const [, head = ''] = /^\s*\{([^[{]*)/.exec(text) ?? [];
  const [, id] = /"id"\s*:\s*(\d+|"[^"\\]*")\s*[,}]/.exec(head) ?? [];
  if (id === undefined || /"method"\s*:/.test(head)) return undefined;
  const read: unknown = JSON.parse(id);
  return isRequestId(read) ? read : undefined;
}

/** What was cut in its middle ends before it. */
function asEvent(message: object): string {
  return `\n\ndata: ${JSON.stringify(message)}\n\n`;
}
