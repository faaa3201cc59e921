import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { inTime } from '../mcp/inTime';
import { ownField } from '../mcp/wire';
import { lostAnswer, withAnswer } from './withAnswer';

/** How long a server may take to end its session, in milliseconds. */
const END_WITHIN_MS = 2_000;
/** How often, and after which times in milliseconds, the SDK asks for the rest of a stream that was cut. */
const RESUMING = {
  maxRetries: 2,
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
};
/** The answer may come over another stream. */
const ACCEPTED = 202;
/** The server has no streams of which there could be a rest. */
const NOT_ALLOWED = 405;
const OTHER = 'The server has answered, but not what was asked; that may have run in part';

/** A request that the server owes the answer to. */
interface Owed {
  /** Its answer may come later than that of HTTP. */
  isOpen: boolean;
  /** The last event of that: by it the rest is asked for where the stream is cut. */
  event: string | undefined;
  /** How often that was in vain. */
  tries: number;
}

/**
 * As the SDK's, but that no request waits for what does not come any more, and that a session ends
 * with its connection.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #owed: Map<RequestId, Owed>;

  constructor(url: URL, options: Pick<StreamableHTTPClientTransportOptions, 'requestInit'>) {
    super(url, {
      ...options,
      reconnectionOptions: RESUMING,
      fetch: (to, init) => this.#fetch(to, init),
    });
    this.#owed = new Map();
  }

  override async start(): Promise<void> {
    const { onmessage } = this;
    this.onmessage = (message) => {
      if ('id' in message && !('method' in message) && message.id !== undefined)
        this.#owed.delete(message.id);
      onmessage?.(message);
    };
    await super.start();
  }

  override async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: TransportSendOptions,
  ): Promise<void> {
    const id = requestId(message);
    if (id === undefined) {
      if (ownField(message, 'method') === 'notifications/cancelled') this.#forget(message);
      await super.send(message, options);
      return;
    }
    const owed: Owed = { isOpen: false, event: undefined, tries: 0 };
    this.#owed.set(id, owed);
    const onresumptiontoken = (event: string): void => {
      owed.event = event;
    };
    try {
      await super.send(message, { ...options, onresumptiontoken });
    } catch (error) {
      this.#owed.delete(id);
      // Of its validator, which says it in a page.
      throw Array.isArray(ownField(error, 'issues')) ? new Error(OTHER, { cause: error }) : error;
    }
    // What is no stream has been read as a whole.
    if (!owed.isOpen) this.#lose(id, OTHER);
  }

  override async close(): Promise<void> {
    // A server keeps what belongs to a session until it is told that nobody needs it any more.
    await inTime(this.terminateSession(), 'end its session', END_WITHIN_MS).catch(() => undefined);
    await super.close();
  }

  /** Sees to it that what answers a request answers it. */
  async #fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    const id = requestIdIn(init?.body) ?? this.#resumed(init);
    const owed = id === undefined ? undefined : this.#owed.get(id);
    if (id === undefined || owed === undefined) return fetch(url, init);
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (error) {
      this.#tried(id, owed);
      throw error;
    }
    const { body, ok, status, statusText, headers } = response;
    if (!ok) this.#tried(id, owed, status === NOT_ALLOWED);
    const isStream = ok && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
    if (isStream || status === ACCEPTED) owed.isOpen = true;
    if (!isStream || body === null) return response;
    return new Response(withAnswer(body, id), { status, statusText, headers });
  }

  /** The request whose rest is asked for. */
  #resumed(init: RequestInit | undefined): RequestId | undefined {
    const event = new Headers(init?.headers).get('last-event-id');
    if (event === null) return undefined;
    return [...this.#owed].find(([, owed]) => owed.event === event)?.[0];
  }

  /** The rest of an answer could not be had. That the answer was refused is told by whoever sent the request. */
  #tried(id: RequestId, owed: Owed, isOver = false): void {
    if (!owed.isOpen) return;
    owed.tries += 1;
    if (isOver || owed.tries >= RESUMING.maxRetries) this.#lose(id);
  }

  #lose(id: RequestId, why?: string): void {
    if (this.#owed.delete(id)) this.onmessage?.(lostAnswer(id, why));
  }

  #forget(cancellation: unknown): void {
    const id = ownField(ownField(cancellation, 'params'), 'requestId');
    if (isId(id)) this.#owed.delete(id);
  }
}

function requestIdIn(body: unknown): RequestId | undefined {
  return typeof body === 'string' ? requestId(JSON.parse(body)) : undefined;
}

function requestId(message: unknown): RequestId | undefined {
  const id = ownField(message, 'id');
  return typeof ownField(message, 'method') === 'string' && isId(id) ? id : undefined;
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}
