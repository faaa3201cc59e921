import type { TimerPort } from '../../../src/webview/draftTimer';

/** Timers that move only when told. */
export class HandClock implements TimerPort {
  now = 0;
  readonly #due = new Map<number, { readonly at: number; readonly fn: () => void }>();
  #next = 1;

  set(fn: () => void, ms: number): number {
    const handle = this.#next++;
    this.#due.set(handle, { at: this.now + ms, fn });
    return handle;
  }

  clear(handle: unknown): void {
    if (typeof handle === 'number') this.#due.delete(handle);
  }

  advance(ms: number): void {
    this.now += ms;
    for (const [handle, entry] of [...this.#due]) {
      if (entry.at > this.now) continue;
      this.#due.delete(handle);
      entry.fn();
    }
  }
}
