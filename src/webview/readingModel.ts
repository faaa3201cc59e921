import { signal, type ReadonlySignal } from '@preact/signals';
import { MAX_PINS } from '../chat/pinProtocol';
import type { TranscriptItem } from '../chat/viewStateProtocol';

/** A place that the reader wants to see; a new object for each wish. */
export interface JumpWish {
  readonly itemId: string;
}

/** What the reader does with the transcript beyond scrolling it. */
export class ReadingModel {
  readonly #keepPins: (keys: readonly string[]) => void;
  readonly #wish = signal<JumpWish | undefined>(undefined);
  readonly #collapses = signal(0);
  readonly #pinned = signal<readonly string[]>([]);

  /** @param keepPins over a reload, too */
  constructor(keepPins: (keys: readonly string[]) => void) {
    this.#keepPins = keepPins;
  }

  /** Where to scroll to. */
  get wish(): ReadonlySignal<JumpWish | undefined> {
    return this.#wish;
  }

  /** Grows when all that is open is to be folded. */
  get collapses(): ReadonlySignal<number> {
    return this.#collapses;
  }

  /** Answers that stay in sight, by their `pinKey`, in the order in which they were pinned. */
  get pinned(): ReadonlySignal<readonly string[]> {
    return this.#pinned;
  }

  jumpTo(itemId: string): void {
    this.#wish.value = { itemId };
  }

  /** It has been done: drawing again must not scroll again. */
  arrived(wish: JumpWish): void {
    if (this.#wish.value === wish) this.#wish.value = undefined;
  }

  collapseAll(): void {
    this.#collapses.value += 1;
  }

  /** As the host has kept them. */
  startPins(keys: readonly string[]): void {
    this.#pinned.value = keys;
  }

  togglePin(key: string): void {
    const pinned = this.#pinned.value;
    this.#pinned.value = pinned.includes(key)
      ? pinned.filter((one) => one !== key)
      : [...pinned, key].slice(-MAX_PINS);
    this.#keepPins(this.#pinned.value);
  }
}

/**
 * The message of the person before or behind the item that stands at the top of the view; undefined
 * where there is none.
 * @param isAbove the top item begins above the view, so that going back leads to its own beginning
 */
export function promptBeside(
  items: readonly TranscriptItem[],
  topId: string | undefined,
  by: 1 | -1,
  isAbove: boolean,
): string | undefined {
  const top = items.findIndex(({ id }) => id === topId);
  if (top === -1) return undefined;
  const isPrompt = (at: number): boolean => items[at]?.kind === 'user';
  if (by === -1 && isAbove && isPrompt(top)) return items[top]?.id;
  for (let at = top + by; at >= 0 && at < items.length; at += by) {
    if (isPrompt(at)) return items[at]?.id;
  }
  return undefined;
}
