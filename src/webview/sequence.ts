/** Host messages that carry a number. */
export interface Numbered {
  readonly type: 'snapshot' | 'patches';
  readonly seq: number;
}

/**
 * Watches the numbers of what the host sends. A hidden webview can miss messages: on a gap the
 * whole state is asked for again, and nothing is drawn from patches until it has come.
 */
export class Sequence {
  #last: number | undefined;

  /** `use` it, `drop` it (old, or waiting for a snapshot), or ask again because one was missed. */
  take(message: Numbered): 'use' | 'drop' | 'gap' {
    if (message.type === 'snapshot') {
      this.#last = message.seq;
      return 'use';
    }
    if (this.#last === undefined || message.seq <= this.#last) return 'drop';
    if (message.seq === this.#last + 1) {
      this.#last = message.seq;
      return 'use';
    }
    this.#last = undefined;
    return 'gap';
  }
}
