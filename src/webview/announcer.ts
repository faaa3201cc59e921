import { signal, type ReadonlySignal } from '@preact/signals';

export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** How many announcements stand in a live region; older ones have been read. */
const KEPT = 4;

/** What a screen reader is told: politely, or at once. */
export class Announcer {
  readonly #polite = signal<readonly Announcement[]>([]);
  readonly #assertive = signal<readonly Announcement[]>([]);
  #nextId = 1;

  get polite(): ReadonlySignal<readonly Announcement[]> {
    return this.#polite;
  }

  get assertive(): ReadonlySignal<readonly Announcement[]> {
    return this.#assertive;
  }

  say(text: string): void {
    this.#polite.value = this.#with(this.#polite.value, text);
  }

  interrupt(text: string): void {
    this.#assertive.value = this.#with(this.#assertive.value, text);
  }

  #with(list: readonly Announcement[], text: string): readonly Announcement[] {
    return [...list.slice(1 - KEPT), { id: this.#nextId++, text }];
  }
}
