import { signal, type ReadonlySignal } from '@preact/signals';
import type { TimerPort } from './draftTimer';

export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** How many announcements stand in a live region; older ones have been read. */
const KEPT = 4;
/**
 * Milliseconds for which the newest stands before others take its place, where more were said than
 * the region keeps: of a burst none must go before a screen reader saw it, and hundreds of texts put
 * up at once would take the page several frames.
 */
export const STEP_MS = 250;

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
  /** Said, and not put up yet. */
  #held: string[] = [];
  /** How many may be put up before the next step. */
  #room = KEPT;
  #step: unknown;
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
    this.#held.push(text);
    this.#release();
  }

  /** Another conversation is shown: of this one nothing more is said. */
  forget(): void {
    this.#held = [];
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
    if (this.#isComposing || this.#pause !== undefined) return;
    const texts = this.#held.splice(0, this.#room);
    if (texts.length === 0) return;
    this.#room -= texts.length;
    const all = [...this.#polite.value, ...texts.map((text) => this.#entry(text))];
    this.#polite.value = all.slice(-KEPT);
    this.#timers.clear(this.#step);
    this.#step = this.#timers.set(() => {
      this.#room = KEPT;
      this.#release();
    }, STEP_MS);
  }

  #entry(text: string): Announcement {
    return { id: this.#nextId++, text };
  }
}
