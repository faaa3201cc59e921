/** A candidate that fits, and how well. */
export interface Ranked<T> {
  readonly item: T;
  /** Higher is better; 0 is the least. */
  readonly score: number;
}

/** Letters that only happen to be there are no match: Enter would take it for one. */
const WORTH_SHOWING = 280;

const SEPARATOR = /[/\\._\-:\s]/;

/**
 * How well `text` fits what was typed: the typed characters in their order, case ignored. Undefined
 * where it does not. Nothing typed fits all alike.
 */
export function fuzzyScore(typed: string, text: string): number | undefined {
  if (typed === '') return 0;
  const wanted = typed.toLowerCase();
  const given = text.toLowerCase();
  const at = given.indexOf(wanted);
  if (at !== -1) {
    const whole = given.length === wanted.length ? 400 : 0;
    const start = at === 0 ? 200 : isWordStart(text, at) ? 100 : 0;
    return (
      1_000 + whole + start - Math.min(at, 50) - Math.min(given.length - wanted.length, 200) / 10
    );
  }
  return scattered(wanted, given, text);
}

/** As {@link fuzzyScore} for a path with `/`: what fits in the file's own name counts most. */
export function pathScore(typed: string, path: string): number | undefined {
  const wanted = typed.replaceAll('\\', '/').replace(/^\.\//, '');
  const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1);
  const inName = wanted.includes('/') ? undefined : fuzzyScore(wanted, name);
  if (inName !== undefined)
    return inName === 0 ? 0 : inName + 500 - Math.min(path.length, 200) / 10;
  return fuzzyScore(wanted, path);
}

/** Those that fit, best first; equal ones keep their order. */
export function rank<T>(
  items: readonly T[],
  scoreOf: (item: T) => number | undefined,
): readonly Ranked<T>[] {
  return items
    .flatMap((item) => {
      const score = scoreOf(item);
      return score === undefined ? [] : [{ item, score }];
    })
    .sort((a, b) => b.score - a.score);
}

/** Beginnings of words and runs count, gaps cost. */
function scattered(wanted: string, given: string, text: string): number | undefined {
  let score = 300;
  let from = 0;
  let last = -2;
  for (const letter of wanted) {
    const at = given.indexOf(letter, from);
    if (at === -1) return undefined;
    if (at === last + 1) score += 15;
    else if (isWordStart(text, at)) score += 10;
    else score -= Math.min(at - from, 10);
    last = at + letter.length - 1;
    from = at + letter.length;
  }
  const found = score - Math.min(given.length, 200) / 10;
  return found < WORTH_SHOWING ? undefined : found;
}

function isWordStart(text: string, at: number): boolean {
  const before = text[at - 1];
  if (before === undefined || SEPARATOR.test(before)) return true;
  return /\p{Lu}/u.test(text[at] ?? '') && /\p{Ll}/u.test(before);
}
