import type { Disposable } from '../base/disposable';
import type { Clock } from '../conversation/clock';

/** Does something a while after it was first asked for, once for any number of askings. */
export class Later implements Disposable {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #run: () => void;
  #timer: Disposable | undefined;

  constructor(clock: Clock, ms: number, run: () => void) {
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
