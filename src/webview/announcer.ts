import { signal, type ReadonlySignal } from '@preact/signals';
import type { TimerPort } from './draftTimer';

export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** How many announcements stand in a live region; older ones have been read. */
const KEPT = 4;

/** Milliseconds without typing after which what was held back is said. */
export const QUIET_AFTER_TYPING_MS = 1_000;

/**
 * What a screen reader is told: politely, or at once. While the person types nothing is said
 * politely, since it would be spoken over the echo of their own words; it follows when they pause.
 */
export class Announcer {
  readonly #timers: TimerPort;
  readonly #polite = signal<readonly Announcement[]>([]);
  readonly #assertive = signal<readonly Announcement[]>([]);
  #nextId = 1;
  #held: string[] = [];
  #pause: unknown;
  #isComposing = false;

  constructor(timers: TimerPort) {
    this.#timers = timers;
  }

  get polite(): ReadonlySignal<readonly Announcement[]> {
    return this.#polite;
  }

  get assertive(): ReadonlySignal<readonly Announcement[]> {
    return this.#assertive;
  }

  say(text: string): void {
    if (this.#pause === undefined && !this.#isComposing) this.#add([text]);
    else this.#held.push(text);
  }

  interrupt(text: string): void {
    const old = this.#assertive.value;
    this.#assertive.value = [...old.slice(1 - KEPT), this.#entry(text)];
  }

  /** Something was typed into a box of the panel. */
  typed(): void {
    this.#timers.clear(this.#pause);
    this.#pause = this.#timers.set(() => {
      this.#pause = undefined;
      this.#release();
    }, QUIET_AFTER_TYPING_MS);
  }

  /** An input method has begun to compose, or has ended: looking for a word may take long. */
  composing(isOpen: boolean): void {
    this.#isComposing = isOpen;
    this.typed();
  }

  #release(): void {
    if (this.#isComposing || this.#held.length === 0) return;
    const texts = this.#held;
    this.#held = [];
    this.#add(texts);
  }

  #add(texts: readonly string[]): void {
    const entries = texts.map((text) => this.#entry(text));
    // All of what comes at once is kept, however much it is.
    const room = Math.max(0, KEPT - entries.length);
    const old = this.#polite.value;
    this.#polite.value = [...old.slice(Math.max(0, old.length - room)), ...entries];
  }

  #entry(text: string): Announcement {
    return { id: this.#nextId++, text };
  }
}
