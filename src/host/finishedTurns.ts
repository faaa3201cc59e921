import { isRunning, type TurnState } from './turnState';

/** What is looked at of a conversation; its object stays the same. */
export interface WatchedTurn {
  readonly turn: TurnState;
  readonly isVisible: boolean;
}

/** The end of a turn that took less, in milliseconds, is no news: the person has not turned away yet. */
export const LONG_TURN_MS = 20_000;

/** Notices turns that took long and ended where nobody sees it. */
export class FinishedTurns<Place extends WatchedTurn> {
  readonly #now: () => number;
  readonly #tell: (place: Place) => void;
  readonly #since = new WeakMap<Place, number>();

  /** @param now milliseconds @param tell of each such turn, once */
  constructor(now: () => number, tell: (place: Place) => void) {
    this.#now = now;
    this.#tell = tell;
  }

  /** To be called after each change of a turn. */
  changed(place: Place): void {
    const since = this.#since.get(place);
    if (isRunning(place.turn)) {
      if (since === undefined) this.#since.set(place, this.#now());
      return;
    }
    this.#since.delete(place);
    const isLong = since !== undefined && this.#now() - since >= LONG_TURN_MS;
    if (isLong && !place.isVisible) this.#tell(place);
  }
}

/** How many questions wait in conversations that nobody sees, and in which first. */
export function hiddenQuestions<Place extends WatchedTurn>(
  places: readonly Place[],
): { readonly count: number; readonly first: Place } | undefined {
  let count = 0;
  let first: Place | undefined;
  for (const place of places) {
    const { permissions, asks } = place.turn;
    if (place.isVisible || permissions.length + asks.length === 0) continue;
    first ??= place;
    count += permissions.length + asks.length;
  }
  return first && { count, first };
}
