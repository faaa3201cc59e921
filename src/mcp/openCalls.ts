import { createDeferred } from '../base/deferred';
import { errorResult } from './results';
import type { CallToolResult, RpcId } from './wire';

/** The longest time of a timer; one more and it fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
export const DEFAULT_TIMEOUT_MS = 60_000;

/** A call of a tool from its arrival to its answer. The first to end it wins; the rest is dropped. */
export class OpenCall {
  readonly #controller = new AbortController();
  readonly #outcome = createDeferred<CallToolResult>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly requestId: string,
    readonly server: string,
    readonly rpcId: RpcId,
  ) {}

  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  get ended(): boolean {
    return this.#outcome.settled;
  }
  get outcome(): Promise<CallToolResult> {
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
    if (!this.#end()) return false;
    this.#outcome.resolve(result);
    return true;
  }

  fail(error: unknown): boolean {
    if (!this.#end()) return false;
    this.#outcome.reject(error);
    return true;
  }

  /** Ends the call now and tells the handler by its signal, whether it listens or not. */
  stop(text: string): void {
    if (!this.succeed(errorResult(text))) return;
    this.#controller.abort(new Error(text));
  }

  #end(): boolean {
    clearTimeout(this.#timer);
    return !this.ended;
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
