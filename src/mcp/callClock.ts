import type { Alarm, Alarms } from './alarms';

/** The time that a call has left. It runs only while the call is not waiting for the person. */
export class CallClock implements Alarm {
  readonly #alarms: Alarms;
  #dueAt = 0;
  #onLate: ((limitMs: number) => void) | undefined;
  #limit = 0;
  #left = 0;
  #pauses = 0;

  constructor(alarms: Alarms) {
    this.#alarms = alarms;
  }

  get dueAt(): number {
    return this.#dueAt;
  }

  ring(): void {
    this.#onLate?.(this.#limit);
  }

  /** @param limitMs at most what a timer can hold */
  start(limitMs: number, onLate: (limitMs: number) => void): void {
    this.#onLate = onLate;
    this.#limit = limitMs;
    this.#left = limitMs;
    this.#arm();
  }

  /** It stands still until it was resumed as many times as it was paused. */
  pause(): void {
    this.#pauses += 1;
    if (this.#disarm()) this.#left = Math.max(1, this.#dueAt - performance.now());
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
    if (this.#onLate === undefined || this.#pauses > 0) return;
    this.#dueAt = performance.now() + this.#left;
    this.#alarms.add(this);
  }

  /** False where it did not run. */
  #disarm(): boolean {
    return this.#alarms.delete(this);
  }
}
