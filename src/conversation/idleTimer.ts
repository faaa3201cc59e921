import type { Disposable } from '../base/disposable';
import type { Clock } from './clock';

export interface IdleTimerOptions {
  readonly clock: Clock;
  /** Milliseconds without activity; 0 for never. Read anew each time. */
  readonly idleMs: () => number;
  readonly onIdle: () => void;
}

/** Tells that nothing has happened for a while, once for each such while. */
export class IdleTimer implements Disposable {
  readonly #options: IdleTimerOptions;
  #last = 0;
  #timer: Disposable | undefined;
  #disposed = false;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Cheap: the timer that runs is not set anew, it looks at the time when it rings. */
  touch(): void {
    this.#last = this.#options.clock.now();
    this.#arm();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #arm(): void {
    if (this.#timer || this.#disposed) return;
    const idleMs = this.#options.idleMs();
    if (idleMs <= 0) return;
    const left = Math.max(0, this.#last + idleMs - this.#options.clock.now());
    this.#timer = this.#options.clock.after(left, () => {
      this.#timer = undefined;
      this.#ring();
    });
  }

  #ring(): void {
    const { clock, idleMs, onIdle } = this.#options;
    // The setting may have changed since, and something may have happened.
    if (idleMs() <= 0) return;
    if (clock.now() - this.#last < idleMs()) this.#arm();
    else onIdle();
  }
}
