import { type Disposable, toDisposable } from '../base/disposable';

/**
 * The one process of a window that may run ahead of a prompt. Whoever takes the seat makes the one
 * before give its process up, so that a round through all panels leaves one and not many.
 */
export class SpareSeat {
  #holder: { readonly giveUp: () => void } | undefined;

  /** @returns leaves the seat, for a process that is in use or gone; it is not given up then */
  take(giveUp: () => void): Disposable {
    const before = this.#holder;
    const holder = { giveUp };
    this.#holder = holder;
    before?.giveUp();
    return toDisposable(() => {
      if (this.#holder === holder) this.#holder = undefined;
    });
  }
}
