import { createDeferred } from '../base/deferred';
import { pause } from './boundedCall';
import { ToolProblem } from './toolProblem';

/**
 * The editor tells only of the last run: what one call has begun ends, and is read, before the next
 * one begins.
 */
export class TestTurns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Waits for those before.
   * @returns what gives the turn to the next one, once the given has ended
   * @throws ToolProblem where they do not end in time, and on Stop
   */
  async take(ms: number, signal: AbortSignal): Promise<(after: PromiseLike<unknown>) => void> {
    const before = this.#last;
    const turn = createDeferred<unknown>();
    this.#last = turn.promise;
    const give = (after: PromiseLike<unknown>): void => {
      const next = (): void => turn.resolve(undefined);
      Promise.resolve(after).then(next, next);
    };
    const free = new AbortController();
    void before.then(() => free.abort());
    await pause(ms, AbortSignal.any([signal, free.signal]));
    if (!signal.aborted && free.signal.aborted) return give;
    give(before);
    throw new ToolProblem(
      signal.aborted
        ? 'Stopped; no test was run'
        : 'No test was run: tests that another call began still run. Wait, or ask the person to end them',
    );
  }
}
