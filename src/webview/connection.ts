import { signal, type ReadonlySignal } from '@preact/signals';

/** How the view stands with the host. */
export type Connection = 'waiting' | 'ready' | 'silent';

/** Milliseconds between unanswered `ready`s: the host may not have listened yet. */
const ASK_AGAIN_MS = 1500;
/** Unanswered `ready`s after which the view says so. */
const ASKS_UNTIL_SILENT = 3;

/** Asks the host for the whole state until it comes. */
export class Handshake {
  readonly #ask: () => void;
  readonly #connection = signal<Connection>('waiting');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  get connection(): ReadonlySignal<Connection> {
    return this.#connection;
  }

  /** Starts asking, or starts again. */
  start(): void {
    this.#asked = 0;
    this.#connection.value = 'waiting';
    this.#again();
  }

  answered(): void {
    clearTimeout(this.#timer);
    this.#connection.value = 'ready';
  }

  #again(): void {
    clearTimeout(this.#timer);
    if (this.#asked >= ASKS_UNTIL_SILENT) {
      this.#connection.value = 'silent';
    }
    this.#asked += 1;
    this.#ask();
    this.#timer = setTimeout(() => this.#again(), ASK_AGAIN_MS);
  }
}
