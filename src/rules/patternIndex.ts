import type { PathShape } from './pathShape';

export interface Indexed {
  /** Undefined for a rule about every file. */
  readonly pattern: { readonly literalName: string | undefined } | undefined;
}

/** Finds those of many patterns that a path can fit at all, in the order in which they were given. */
export class PatternIndex<T extends Indexed> {
  readonly #all: readonly T[];
  /** By a name that stands in the pattern as it is: a path without that name does not fit. */
  readonly #byName = new Map<string, number[]>();
  readonly #others: number[] = [];

  constructor(all: readonly T[]) {
    this.#all = all;
    for (const [index, { pattern }] of all.entries()) {
      const name = pattern?.literalName;
      if (name === undefined) this.#others.push(index);
      else {
        const known = this.#byName.get(name);
        if (known === undefined) this.#byName.set(name, [index]);
        else known.push(index);
      }
    }
  }

  get size(): number {
    return this.#all.length;
  }

  candidates(shapes: readonly PathShape[]): readonly T[] {
    if (this.#all.length === 0) return this.#all;
    const found = new Set(this.#others);
    for (const { segments } of shapes) {
      for (const segment of segments) {
        for (const index of this.#byName.get(foldName(segment)) ?? []) found.add(index);
      }
    }
    if (found.size === this.#all.length) return this.#all;
    return [...found].sort((a, b) => a - b).flatMap((index) => this.#all[index] ?? []);
  }
}

/** Patterns compare names without regard to case, and in doubt without regard to how they are composed. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A whole name in a pattern without any sign; the longest, as that one is the rarest. */
export function literalNameOf(glob: string): string | undefined {
  // Where it climbs, or is cut at its ends, a name may not be in the path after all.
  if (/(?:^|\/)\.\.?(?:\/|$)|\\|^\s|\s$|^!/u.test(glob)) return undefined;
  const names = glob.split('/').filter((name) => name !== '' && !/[*?[\]]/.test(name));
  const [longest] = names.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : foldName(longest);
}
