/** Milliseconds after a change within which the draft is with the host. */
export const DRAFT_DELAY_MS = 200;

/** Where time comes from; real timers in the panel, a hand-moved clock in tests. */
export interface TimerPort {
  set(fn: () => void, ms: number): unknown;
  clear(handle: unknown): void;
}

/**
 * Posts the draft a short, bounded time after typing. Not a debounce: steady typing must not
 * put it off, or a crash would lose all of it.
 */
export class DraftTimer {
  readonly #post: (text: string) => void;
  readonly #timers: TimerPort;
  #handle: unknown;
  #pending: string | undefined;
  #posted: string;

  constructor(post: (text: string) => void, timers: TimerPort, posted = '') {
    this.#post = post;
    this.#timers = timers;
    this.#posted = posted;
  }

  /** The host already holds this text. */
  known(text: string): void {
    this.#posted = text;
    this.#drop();
  }

  changed(text: string): void {
    this.#pending = text;
    this.#handle ??= this.#timers.set(() => this.flush(), DRAFT_DELAY_MS);
  }

  /** Posts now what waits: the view is about to be hidden, or the text was sent. */
  flush(): void {
    const text = this.#pending;
    this.#drop();
    if (text === undefined || text === this.#posted) return;
    this.#posted = text;
    this.#post(text);
  }

  #drop(): void {
    if (this.#handle !== undefined) this.#timers.clear(this.#handle);
    this.#handle = undefined;
    this.#pending = undefined;
  }
}
