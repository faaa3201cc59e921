import { createDeferred, type Deferred } from '../base/deferred';
import { errorMessage } from '../base/errors';
import { Emitter } from '../base/event';
import { foreignFailure } from './foreignFailure';
import { readProgress, withToken } from './foreignProgress';
import type { ForeignCall } from './foreignServer';
import { askForCalls } from './foreignQuestion';
import { RPC_INTERNAL, RpcError } from './jsonRpc';
import type { ForeignNotice, ForeignPeer } from './peerServer';
import { isRecord, ownField } from './wire';

/** What the SDK calls a transport, as far as a server of any kind touches it. */
export interface BridgeTransport {
  start(): Promise<void>;
  send(message: unknown, options?: { readonly relatedRequestId?: unknown }): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** An `McpServer` of the SDK, or anything else that speaks over a transport. */
export interface Connectable {
  // As a method, so that a server which wants more of its transport fits as well.
  connect(transport: BridgeTransport): Promise<void>;
}

interface Waiting {
  readonly answer: Deferred<object>;
  readonly call: ForeignCall | undefined;
}

/**
 * Speaks with a server that others bring, over a transport in memory, and only passes on: each
 * request under an id of its own, since conversations share the server. Disposing of it disconnects
 * the server, as a client that goes away does; the server itself is never closed.
 */
export class ForeignBridge implements ForeignPeer {
  readonly #waiting = new Map<number, Waiting>();
  /** What the server has asked, by its own id. */
  readonly #asked = new Map<unknown, AbortController>();
  readonly #noticed = new Emitter<ForeignNotice>();
  readonly #transport: BridgeTransport;
  #count = 0;
  #isClosed = false;
  readonly #closed = new Emitter<void>();
  readonly onDidNotify = this.#noticed.event;
  readonly onDidClose = this.#closed.event;

  private constructor() {
    this.#transport = {
      start: () => Promise.resolve(),
      // In a later tick: a server may send while it handles what it received.
      send: async (message, options) => {
        await Promise.resolve();
        this.#receive(message, options?.relatedRequestId);
      },
      close: () => {
        this.#close();
        return Promise.resolve();
      },
    };
  }

  /** Connects and leaves the handshake to whoever asks. @throws what the server's `connect` throws */
  static async connect(server: Connectable): Promise<ForeignBridge> {
    const bridge = new ForeignBridge();
    await server.connect(bridge.#transport);
    return bridge;
  }

  request(method: string, params: unknown, call?: ForeignCall): Promise<object> {
    if (this.#isClosed) return Promise.reject(gone());
    const id = (this.#count += 1);
    const answer = createDeferred<object>();
    let isSent = false;
    this.#waiting.set(id, { answer, call });
    call?.onStop((reason) => {
      if (!this.#waiting.delete(id)) return;
      const failure = foreignFailure(reason);
      const told = { requestId: id, reason: failure.message };
      if (isSent) this.notify('notifications/cancelled', told);
      answer.reject(failure);
    });
    isSent = this.#waiting.has(id);
    if (isSent) this.#deliver({ jsonrpc: '2.0', id, method, params: withToken(params, id) });
    return answer.promise;
  }

  notify(method: string, params?: unknown): void {
    this.#deliver({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  dispose(): void {
    this.#closed.dispose();
    this.#close();
    this.#noticed.dispose();
  }

  #deliver(message: object): void {
    try {
      // Frames of ours, which the server reads by its own schemas.
      if (!this.#isClosed) this.#transport.onmessage?.(message as never);
    } catch (error) {
      const id = ownField(message, 'id');
      if (typeof id === 'number') this.#settle(id, undefined, errorMessage(error));
    }
  }

  #receive(message: unknown, relatedId: unknown): void {
    if (this.#isClosed || !isRecord(message)) return;
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      if (typeof id === 'number') this.#settle(id, message.result, message.error);
    } else if (id !== undefined) void this.#serve(id, method, params, relatedId);
    else if (method === 'notifications/progress') this.#progress(params);
    else if (method === 'notifications/cancelled')
      this.#asked.get(ownField(params, 'requestId'))?.abort();
    else this.#noticed.fire({ method, params });
  }

  #settle(id: number, result: unknown, error: unknown): void {
    const waiting = this.#waiting.get(id);
    if (!this.#waiting.delete(id)) return;
    if (isRecord(result) && error === undefined) waiting?.answer.resolve(result);
    else waiting?.answer.reject(foreignFailure(error));
  }

  #progress(params: unknown): void {
    const call = this.#waiting.get(Number(ownField(params, 'progressToken')))?.call;
    const step = readProgress(params);
    if (step !== undefined) call?.progress(...step);
  }

  async #serve(id: unknown, method: string, params: unknown, relatedId: unknown): Promise<void> {
    const withdrawn = new AbortController();
    this.#asked.set(id, withdrawn);
    const reply = await this.#answer(method, params, relatedId, withdrawn.signal).then(
      (result) => ({ result }),
      (error: unknown) => ({
        error: { code: foreignFailure(error).code, message: errorMessage(error) },
      }),
    );
    this.#asked.delete(id);
    if (!withdrawn.signal.aborted) this.#deliver({ jsonrpc: '2.0', id, ...reply });
  }

  /** What a server may ask, ping apart, is for the call that it names, or else for one of those that run. */
  async #answer(
    method: string,
    params: unknown,
    relatedId: unknown,
    withdrawn: AbortSignal,
  ): Promise<object> {
    if (method === 'ping') return {};
    const related = this.#waiting.get(Number(relatedId))?.call;
    const calls = (): ForeignCall[] =>
      [...this.#waiting.values()].flatMap(({ call }) =>
        call === undefined || (related !== undefined && related !== call) ? [] : [call],
      );
    return askForCalls(calls, { method, params, withdrawn });
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { answer } of this.#waiting.values()) answer.reject(gone());
    this.#waiting.clear();
    this.#transport.onclose?.();
    this.#closed.fire();
  }
}

const gone = (): RpcError => new RpcError(RPC_INTERNAL, 'The server has disconnected');
