import type { Ranked } from './fuzzyMatch';

/** How many are looked at before others have their turn: a few milliseconds. */
export const RANK_SLICE = 2_000;

export interface RankBestOptions {
  /** More are not kept. */
  readonly most: number;
  /** Lets others have their turn. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * The best of any number of items, best first; equal ones keep their order. Each is looked at once,
 * in slices, so that a workspace of a hundred thousand files holds up nobody; who wants no more of
 * it is rejected within a slice.
 */
export async function rankBest<T>(
  items: readonly T[],
  scoreOf: (item: T) => number | undefined,
  { most, pause, signal }: RankBestOptions,
): Promise<readonly Ranked<T>[]> {
  const best: Ranked<T>[] = [];
  for (let from = 0; from < items.length; from += RANK_SLICE) {
    if (from > 0) await pause();
    signal.throwIfAborted();
    for (const item of items.slice(from, from + RANK_SLICE)) {
      const score = scoreOf(item);
      if (score !== undefined) keep(best, { item, score }, most);
    }
  }
  return best;
}

function keep<T>(best: Ranked<T>[], ranked: Ranked<T>, most: number): void {
  const last = best[most - 1];
  if (last !== undefined && last.score >= ranked.score) return;
  best.splice(placeOf(best, ranked.score), 0, ranked);
  if (best.length > most) best.pop();
}

/** Behind all that are as good. */
function placeOf(best: readonly Ranked<unknown>[], score: number): number {
  let [low, high] = [0, best.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((best[middle]?.score ?? -Infinity) >= score) low = middle + 1;
    else high = middle;
  }
  return low;
}
