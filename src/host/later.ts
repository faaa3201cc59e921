import type { Disposable } from '../base/disposable';
import type { PumpClock } from '../conversation/viewPump';

/** Does something a while after it was first asked for, once for any number of askings. */
export class Later implements Disposable {
  readonly #clock: PumpClock;
  readonly #ms: number;
  readonly #run: () => void;
  #timer: Disposable | undefined;

  constructor(clock: PumpClock, ms: number, run: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#run = run;
  }

  start(): void {
    this.#timer ??= this.#clock.after(this.#ms, () => {
      this.#timer = undefined;
      this.#run();
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
