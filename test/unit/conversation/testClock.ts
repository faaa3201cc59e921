import { type Disposable, toDisposable } from '../../../src/base/disposable';
import type { Clock } from '../../../src/conversation/clock';

/** Time that moves by hand. */
export class TestClock implements Clock {
  #now = 1000;
  #timers = new Set<{ at: number; fn: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): Disposable {
    const timer = { at: this.#now + ms, fn };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter((t) => t.at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.fn();
    }
    this.#now = end;
  }
}
