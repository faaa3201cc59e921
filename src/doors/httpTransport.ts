import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { inTime } from '../mcp/inTime';
import { LIST_KINDS, listChanged } from '../mcp/listKind';
import { ownField } from '../mcp/wire';
import { ListeningStream } from './listeningStream';
import { patientFetch } from './patientFetch';
import { isRequestId, lostAnswer, withAnswer } from './withAnswer';

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
const UNHEARD = 'The server has no way to answer what it has accepted; that may have run in part';

/** A request that the server owes the answer to. */
interface Owed {
  /** Its answer may come later than that of HTTP. */
  isOpen: boolean;
  /** It can come over the stream only of what the server says unasked. */
  isAccepted: boolean;
  /** The last event of that: by it the rest is asked for where the stream is cut. */
  event: string | undefined;
  /** How often that was in vain. */
  tries: number;
}

/**
 * As the SDK's, but that no request waits for what does not come any more, that what the server says
 * unasked is listened to for as long as it lives, and that a session ends with its connection.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #owed = new Map<RequestId, Owed>();
  /** Last events of streams of which nothing is owed any more. */
  readonly #over = new Set<string>();
  readonly #listening = new ListeningStream({
    maxRetries: RESUMING.maxRetries,
    listen: () => this.resumeStream(''),
    changed: () => this.#tellLists(),
    deaf: () => {
      for (const [id, { isAccepted }] of this.#owed) if (isAccepted) this.#lose(id, UNHEARD);
    },
  });

  constructor(url: URL, options: Pick<StreamableHTTPClientTransportOptions, 'requestInit'>) {
    super(url, {
      ...options,
      reconnectionOptions: RESUMING,
      fetch: (to, init) => this.#fetch(to, init),
    });
  }

  override async start(): Promise<void> {
    const { onmessage } = this;
    this.onmessage = (message) => {
      if ('id' in message && !('method' in message) && message.id !== undefined)
        this.#settle(message.id, 'result' in message);
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
    const owed: Owed = { isOpen: false, isAccepted: false, event: undefined, tries: 0 };
    this.#owed.set(id, owed);
    const onresumptiontoken = (event: string): void => {
      if (owed.event !== undefined && this.#over.delete(owed.event)) this.#over.add(event);
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
    this.#listening.dispose();
    // A server keeps what belongs to a session until it is told that nobody needs it any more.
    await inTime(this.terminateSession(), 'end its session', END_WITHIN_MS).catch(() => undefined);
    await super.close();
  }

  /** Sees to it that what answers a request answers it. */
  async #fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    const event = new Headers(init?.headers).get('last-event-id') ?? undefined;
    const id = requestIdIn(init?.body) ?? this.#resumed(event);
    const owed = id === undefined ? undefined : this.#owed.get(id);
    if (id !== undefined && owed !== undefined) return this.#fetchOwed(id, owed, url, init);
    if (init?.method !== 'GET') return patientFetch(url, init);
    // The SDK asks for the rest of a stream as well that has ended with an error.
    const isOver = event !== undefined && this.#over.delete(event);
    if (isOver || !this.#listening.isWanted) return new Response(null, { status: NOT_ALLOWED });
    return this.#listening.through(() => patientFetch(url, init));
  }

  async #fetchOwed(
    id: RequestId,
    owed: Owed,
    url: string | URL,
    init: RequestInit | undefined,
  ): Promise<Response> {
    let response: Response;
    try {
      response = await patientFetch(url, init);
    } catch (error) {
      this.#tried(id, owed);
      throw error;
    }
    const { body, ok, status, statusText, headers } = response;
    if (!ok) this.#tried(id, owed, status === NOT_ALLOWED);
    const isStream = ok && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
    if (isStream || status === ACCEPTED) owed.isOpen = true;
    if (status === ACCEPTED) {
      owed.isAccepted = true;
      if (this.#listening.isDeaf) this.#lose(id, UNHEARD);
    }
    if (!isStream || body === null) return response;
    return new Response(withAnswer(body, id), { status, statusText, headers });
  }

  /** The request whose rest is asked for. */
  #resumed(event: string | undefined): RequestId | undefined {
    if (event === undefined) return undefined;
    return [...this.#owed].find(([, owed]) => owed.event === event)?.[0];
  }

  /** The rest of an answer could not be had. That the answer was refused is told by whoever sent the request. */
  #tried(id: RequestId, owed: Owed, isOver = false): void {
    if (!owed.isOpen) return;
    owed.tries += 1;
    if (isOver || owed.tries >= RESUMING.maxRetries) this.#lose(id);
  }

  #lose(id: RequestId, why?: string): void {
    if (this.#settle(id)) this.onmessage?.(lostAnswer(id, why));
  }

  #forget(cancellation: unknown): void {
    const id = ownField(ownField(cancellation, 'params'), 'requestId');
    if (isRequestId(id)) this.#settle(id);
  }

  /** False where nothing was owed. With a result the SDK asks for no rest. */
  #settle(id: RequestId, isResult = false): boolean {
    const event = this.#owed.get(id)?.event;
    if (!isResult && event !== undefined) this.#over.add(event);
    return this.#owed.delete(id);
  }

  /** What it has said of them meanwhile was not heard, and it may be another version by now. */
  #tellLists(): void {
    for (const kind of LIST_KINDS) this.onmessage?.(listChanged(kind));
  }
}

function requestIdIn(body: unknown): RequestId | undefined {
  return typeof body === 'string' ? requestId(JSON.parse(body)) : undefined;
}

function requestId(message: unknown): RequestId | undefined {
  const id = ownField(message, 'id');
  return typeof ownField(message, 'method') === 'string' && isRequestId(id) ? id : undefined;
}
