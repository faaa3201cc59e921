import { diffArrays } from 'diff';

/** Lines of a text that others stand in for: `start` to before `end`, counted from 0. */
export interface LineHunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

export type Merged =
  | { readonly ok: true; readonly text: string }
  /** Both changed the same lines. `line` is the first of them in the common text, from 1. */
  | { readonly ok: false; readonly line: number };

/**
 * Above this the shortest way is not looked for, since the search grows with the square of the
 * changes: all between what both texts have at their beginning and end counts as one change.
 */
const MAX_EDITS = 2_000;

/** What makes `after` of `before`, in order. Both with `\n` alone as line ends. */
export function lineHunks(before: string, after: string): readonly LineHunk[] {
  if (before === after) return [];
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) {
    tail += 1;
  }
  const [from, to] = [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)];
  return hunksOf(from, to).map(({ start, end, lines }) => ({
    ...{ start: start + head, end: end + head, lines },
  }));
}

/** How many lines came and went, as a difference counts them. */
export function countLines(
  before: string,
  after: string,
): { readonly added: number; readonly removed: number } {
  // A line end at the very end begins no line.
  const hunks = lineHunks(withEnd(before), withEnd(after));
  return {
    added: hunks.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: hunks.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

/**
 * Puts the changes that two have made of one text into one. Lines that both changed alike are changed
 * once; what touches without meeting is taken from both.
 */
export function mergeTexts(common: string, one: string, other: string): Merged {
  const mine = lineHunks(common, one);
  const theirs = lineHunks(common, other).filter(
    (hunk) => !mine.some((known) => isSameHunk(known, hunk)),
  );
  const line = firstMeeting(mine, theirs);
  if (line !== undefined) return { ok: false, line: line + 1 };
  const all = [...mine, ...theirs].sort((a, b) => a.start - b.start || a.end - b.end);
  const lines = common.split('\n');
  const result: string[] = [];
  let at = 0;
  for (const hunk of all) {
    for (; at < hunk.start; at += 1) result.push(lines[at] ?? '');
    for (const text of hunk.lines) result.push(text);
    at = hunk.end;
  }
  for (; at < lines.length; at += 1) result.push(lines[at] ?? '');
  return { ok: true, text: result.join('\n') };
}

function hunksOf(old: string[], fresh: string[]): readonly LineHunk[] {
  if (old.length === 0 || fresh.length === 0) return [{ start: 0, end: old.length, lines: fresh }];
  const changes = diffArrays(old, fresh, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return [{ start: 0, end: old.length, lines: fresh }];
  const hunks: { start: number; end: number; lines: string[] }[] = [];
  let at = 0;
  let isOpen = false;
  for (const { value, added, removed } of changes) {
    if (!added && !removed) {
      at += value.length;
      isOpen = false;
      continue;
    }
    if (!isOpen) hunks.push({ start: at, end: at, lines: [] });
    isOpen = true;
    const hunk = hunks.at(-1);
    if (hunk === undefined) continue;
    if (removed) {
      at += value.length;
      hunk.end = at;
    } else hunk.lines.push(...value);
  }
  return hunks;
}

function isSameHunk(a: LineHunk, b: LineHunk): boolean {
  return a.start === b.start && a.end === b.end && a.lines.join('\n') === b.lines.join('\n');
}

function firstMeeting(mine: readonly LineHunk[], theirs: readonly LineHunk[]): number | undefined {
  let from = 0;
  for (const hunk of mine) {
    // Both are in order: what ends before this one meets none of those that follow either.
    while ((theirs[from]?.end ?? Infinity) < hunk.start) from += 1;
    for (let at = from; at < theirs.length; at += 1) {
      const other = theirs[at];
      if (other === undefined || other.start > hunk.end) break;
      if (meet(hunk, other)) return Math.max(hunk.start, other.start);
    }
  }
  return undefined;
}

/** Two insertions at one place meet, since nothing says which comes first. */
function meet(a: LineHunk, b: LineHunk): boolean {
  const [isPutIn, isOtherPutIn] = [a.start === a.end, b.start === b.end];
  if (isPutIn && isOtherPutIn) return a.start === b.start;
  if (isPutIn) return b.start < a.start && a.start < b.end;
  if (isOtherPutIn) return a.start < b.start && b.start < a.end;
  return a.start < b.end && b.start < a.end;
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
