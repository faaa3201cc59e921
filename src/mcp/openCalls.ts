import { createDeferred, type Deferred } from '../base/deferred';
import { Alarms } from './alarms';
import { CallClock } from './callClock';
import { RPC_INTERNAL, RpcError } from './jsonRpc';
import { errorResult } from './results';
import type { RpcId } from './wire';

/** The longest time of a timer; one more and it fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
export const DEFAULT_TIMEOUT_MS = 60_000;

type End = { readonly result: object } | { readonly error: unknown };

/**
 * A call from its arrival to its answer. The first to end it wins; the rest is dropped.
 * Signal, promise and clock are made on first use: of ten thousand short calls none looks at them.
 */
export class OpenCall {
  #controller: AbortController | undefined;
  #outcome: Deferred<object> | undefined;
  #end: End | undefined;
  #stopReason: Error | undefined;
  #onStop: ((reason: Error) => void) | undefined;
  #clock: CallClock | undefined;

  /**
   * @param isTool a tool that is stopped has a result with `isError`; everything else fails
   * @param book left when the call ends
   */
  constructor(
    readonly requestId: string,
    readonly server: string,
    readonly rpcId: RpcId,
    readonly isTool = true,
    private readonly book?: Pick<OpenCalls, 'delete' | 'alarms'>,
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
  get outcome(): Promise<object> {
    if (this.#outcome === undefined) {
      this.#outcome = createDeferred<object>();
      this.#settle();
    }
    return this.#outcome.promise;
  }

  /**
   * Starts the clock. Not before: the person may have been asked, and that time is not the call's.
   * @param what the tool or the method, for the words that it is stopped with
   * @param isCheck of the arguments: then nothing has run yet
   */
  startClock(what: string, timeoutMs: number | undefined, isCheck = false): void {
    if (this.ended) return;
    this.#ownClock.start(clampTimeout(timeoutMs), (limitMs) => {
      const name = this.isTool ? `Tool '${what}'` : what;
      const within = `within ${limitMs / 1000} s`;
      this.stop(
        isCheck
          ? `${name} was not run: its arguments could not be checked ${within}`
          : `${name} did not finish ${within} and was stopped; it may have run in part`,
      );
    });
  }

  /** Until it is started anew, with its whole time. */
  stopClock(): void {
    this.#clock?.stop();
  }

  /** The clock stands still until it was resumed as many times as it was paused. */
  pauseClock(): void {
    this.#ownClock.pause();
  }

  resumeClock(): void {
    this.#clock?.resume();
  }

  /** Gives the call its whole time again. */
  extendClock(): void {
    this.#clock?.extend();
  }

  get #ownClock(): CallClock {
    return (this.#clock ??= new CallClock(this.book?.alarms ?? new Alarms()));
  }

  /** False when the call had ended before. */
  succeed(result: object): boolean {
    return this.#endWith({ result });
  }

  fail(error: unknown): boolean {
    return this.#endWith({ error });
  }

  /**
   * Calls back once if the call is stopped, at once if it was. For one listener of ours: a signal is
   * made of parts that cost more than a short call.
   */
  onStop(listener: (reason: Error) => void): void {
    if (this.#stopReason === undefined) this.#onStop = listener;
    else listener(this.#stopReason);
  }

  /** Ends the call now and tells the handler by its signal, whether it listens or not. */
  stop(text: string): void {
    const end = this.isTool
      ? { result: errorResult(text) }
      : { error: new RpcError(RPC_INTERNAL, text) };
    if (!this.#endWith(end)) return;
    this.#stopReason = new Error(text);
    this.#controller?.abort(this.#stopReason);
    this.#onStop?.(this.#stopReason);
  }

  #endWith(end: End): boolean {
    this.#clock?.stop();
    if (this.ended) return false;
    this.#end = end;
    this.book?.delete(this);
    this.#settle();
    return true;
  }

  #settle(): void {
    if (this.#end === undefined || this.#outcome === undefined) return;
    if ('result' in this.#end) this.#outcome.resolve(this.#end.result);
    else this.#outcome.reject(this.#end.error);
  }
}

interface CallIds {
  readonly requestId: string;
  readonly rpcId: RpcId;
}

/**
 * The calls that are running, in the order of their arrival. Keyed by the control request's id only:
 * JSON-RPC ids are the same in all servers, and start again at 0 with each handshake.
 */
export class OpenCalls {
  readonly alarms = new Alarms();
  /** All but the newest. */
  readonly #calls = new Map<string, OpenCall>();
  /** Apart: mostly it has ended when the next one comes, and a map would be rebuilt all the time. */
  #newest: OpenCall | undefined;

  get size(): number {
    return this.#calls.size + (this.#newest === undefined ? 0 : 1);
  }

  get(requestId: string): OpenCall | undefined {
    return this.#newest?.requestId === requestId ? this.#newest : this.#calls.get(requestId);
  }

  open({ requestId, rpcId }: CallIds, server: string, isTool: boolean): OpenCall {
    if (this.#newest !== undefined) this.#calls.set(this.#newest.requestId, this.#newest);
    this.#newest = new OpenCall(requestId, server, rpcId, isTool, this);
    return this.#newest;
  }

  delete(call: OpenCall): void {
    if (this.#newest === call) this.#newest = undefined;
    else if (this.#calls.get(call.requestId) === call) this.#calls.delete(call.requestId);
  }

  /** The oldest, since after a new handshake a cancellation still names the old call's id. */
  oldest(server: string, rpcId: unknown): OpenCall | undefined {
    return this.#all().find(
      (call) => call.server === server && call.rpcId === rpcId && !call.ended,
    );
  }

  /** Stops all calls, or those of one server. */
  stopAll(text: string, server?: string): void {
    for (const call of this.#all()) {
      if (server === undefined || call.server === server) call.stop(text);
    }
  }

  #all(): readonly OpenCall[] {
    const older = [...this.#calls.values()];
    return this.#newest === undefined ? older : [...older, this.#newest];
  }
}

/** Milliseconds for one timer: the default for what is no number, at most what a timer can hold. */
export function clampTimeout(timeoutMs: number | undefined): number {
  if (timeoutMs === undefined || Number.isNaN(timeoutMs) || timeoutMs <= 0)
    return DEFAULT_TIMEOUT_MS;
  return Math.min(timeoutMs, MAX_TIMER_MS);
}
