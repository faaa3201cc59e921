import { createDeferred, type Deferred } from '../base/deferred';
import { errorResult } from './results';
import type { CallToolResult, RpcId } from './wire';

/** The longest time of a timer; one more and it fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
export const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * A call of a tool from its arrival to its answer. The first to end it wins; the rest is dropped.
 * Signal and promise are made on first use: of ten thousand short calls none looks at them.
 */
export class OpenCall {
  #controller: AbortController | undefined;
  #outcome: Deferred<CallToolResult> | undefined;
  #end: { readonly result: CallToolResult } | { readonly error: unknown } | undefined;
  #stopReason: Error | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly requestId: string,
    readonly server: string,
    readonly rpcId: RpcId,
  ) {}

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stopReason !== undefined) this.#controller.abort(this.#stopReason);
    }
    return this.#controller.signal;
  }
  get ended(): boolean {
    return this.#end !== undefined;
  }
  get outcome(): Promise<CallToolResult> {
    if (this.#outcome === undefined) {
      this.#outcome = createDeferred<CallToolResult>();
      this.#settle();
    }
    return this.#outcome.promise;
  }

  /** Starts the clock. Not before: the person may have been asked, and that time is not the tool's. */
  startClock(tool: string, timeoutMs: number | undefined): void {
    if (this.ended) return;
    const limit = clampTimeout(timeoutMs);
    this.#timer = setTimeout(() => {
      const text = `Tool '${tool}' did not finish within ${limit / 1000} s and was stopped; it may have run in part`;
      this.stop(text);
    }, limit);
  }

  /** False when the call had ended before. */
  succeed(result: CallToolResult): boolean {
    return this.#endWith({ result });
  }

  fail(error: unknown): boolean {
    return this.#endWith({ error });
  }

  /** Ends the call now and tells the handler by its signal, whether it listens or not. */
  stop(text: string): void {
    if (!this.succeed(errorResult(text))) return;
    this.#stopReason = new Error(text);
    this.#controller?.abort(this.#stopReason);
  }

  #endWith(end: { readonly result: CallToolResult } | { readonly error: unknown }): boolean {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    if (this.ended) return false;
    this.#end = end;
    this.#settle();
    return true;
  }

  #settle(): void {
    if (this.#end === undefined || this.#outcome === undefined) return;
    if ('result' in this.#end) this.#outcome.resolve(this.#end.result);
    else this.#outcome.reject(this.#end.error);
  }
}

/**
 * The calls that are running, in the order of their arrival. Keyed by the control request's id only:
 * JSON-RPC ids are the same in all servers, and start again at 0 with each handshake.
 */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  get size(): number {
    return this.#calls.size;
  }

  get(requestId: string): OpenCall | undefined {
    return this.#calls.get(requestId);
  }

  add(call: OpenCall): void {
    this.#calls.set(call.requestId, call);
  }

  delete(call: OpenCall): void {
    if (this.#calls.get(call.requestId) === call) this.#calls.delete(call.requestId);
  }

  /** The oldest, since after a new handshake a cancellation still names the old call's id. */
  oldest(server: string, rpcId: unknown): OpenCall | undefined {
    for (const call of this.#calls.values()) {
      if (call.server === server && call.rpcId === rpcId && !call.ended) return call;
    }
    return undefined;
  }

  /** Stops all calls, or those of one server. */
  stopAll(text: string, server?: string): void {
    for (const call of [...this.#calls.values()]) {
      if (server === undefined || call.server === server) call.stop(text);
    }
  }
}

/** Milliseconds for one timer: the default for what is no number, at most what a timer can hold. */
export function clampTimeout(timeoutMs: number | undefined): number {
  if (timeoutMs === undefined || Number.isNaN(timeoutMs) || timeoutMs <= 0)
    return DEFAULT_TIMEOUT_MS;
  return Math.min(timeoutMs, MAX_TIMER_MS);
}
