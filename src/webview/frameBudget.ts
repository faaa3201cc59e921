/** So long, in milliseconds, any frame draws, the first one too, before all is compiled. */
export const LEAST_MS = 2;
const MOST_MS = 4;
/** One frame of 60 a second, and what clocks stray. A longer one had too much to do. */
const FRAME_MS = 20;

/**
 * How long one frame may draw. What is drawn is laid out and painted behind it, which takes as long
 * again on one machine and four times as long on another: where frames come late the next one draws
 * half, where they come in time a little more.
 */
export class FrameBudget {
  #ms = LEAST_MS;
  #last: number | undefined;

  /** @param now of the frame that begins, as the browser gives it to its callback */
  next(now: number): number {
    const took = this.#last === undefined ? undefined : now - this.#last;
    this.#last = now;
    if (took === undefined) return this.#ms;
    this.#ms = took > FRAME_MS ? Math.max(LEAST_MS, this.#ms / 2) : Math.min(MOST_MS, this.#ms + 1);
    return this.#ms;
  }

  /** All is drawn: how long it takes until the next frame tells nothing. */
  rest(): void {
    this.#last = undefined;
  }
}
