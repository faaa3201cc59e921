/** The time that a call has left. It runs only while the call is not waiting for the person. */
export class CallClock {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #onLate: ((limitMs: number) => void) | undefined;
  #limit = 0;
  #left = 0;
  #since = 0;
  #pauses = 0;

  /** @param limitMs what a timer can hold */
  start(limitMs: number, onLate: (limitMs: number) => void): void {
    this.#onLate = onLate;
    this.#limit = limitMs;
    this.#left = limitMs;
    this.#arm();
  }

  /** It stands still until it was resumed as many times as it was paused. */
  pause(): void {
    this.#pauses += 1;
    if (!this.#disarm()) return;
    this.#left = Math.max(1, this.#left - Math.max(0, Date.now() - this.#since));
  }

  resume(): void {
    this.#pauses -= 1;
    this.#arm();
  }

  /** From the start again. */
  extend(): void {
    this.#left = this.#limit;
    if (this.#disarm()) this.#arm();
  }

  /** Until it is started anew. */
  stop(): void {
    this.#disarm();
    this.#onLate = undefined;
  }

  #arm(): void {
    const onLate = this.#onLate;
    if (onLate === undefined || this.#pauses > 0) return;
    this.#since = Date.now();
    this.#timer = setTimeout(() => onLate(this.#limit), this.#left);
  }

  /** False where it did not run. */
  #disarm(): boolean {
    if (this.#timer === undefined) return false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return true;
  }
}
