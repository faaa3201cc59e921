import { structuredPatch } from 'diff';
import { ellipsize } from '../base/cutText';
import { count, RESULT_LIMIT, RESULT_MAX } from './resultBudget';
import type { TypedChange } from './textHistory';

export interface ChangedFile {
  /** As the model sees it. */
  readonly path: string;
  /** Of a notebook: which cell. */
  readonly part?: string | undefined;
  readonly changes: readonly TypedChange[];
  readonly isUnsaved: boolean;
  /** Why not all of it is known, in a few words. */
  readonly gap?: string | undefined;
}

/** Characters that one file may take while others wait. */
const SHARE = 2_500;
const LINE_LIMIT = 160;
/** Lines around a change: the model can read the file. */
const CONTEXT = 1;
/** Above this the shortest edit is not looked for: its search grows with the square of the edits. */
const MAX_EDITS = 1_000;

interface FileDiff {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly added: number;
  readonly removed: number;
  /** There is more than is counted. */
  readonly hasGap: boolean;
}

/** What the result says of a file: all of its lines, or how many, or only that it was edited. */
export interface Told {
  readonly path: string;
  readonly bytes: number;
}

/**
 * A small unified diff of each file, in the order given; lines are those of the time when it was
 * typed. What does not fit is counted.
 * @param full one file was asked for: up to the most that a result may have
 */
export function formatUserChanges(
  files: readonly ChangedFile[],
  { full, notes }: { readonly full: boolean; readonly notes: readonly string[] },
): { readonly text: string; readonly told: readonly Told[] } {
  if (files.length === 0) {
    const text = 'no edits of the person since the last turn';
    return { text: [text, ...notes].join('\n'), told: [] };
  }
  const diffs = files.map(diffOf);
  const sum = (of: (diff: FileDiff) => number): number =>
    diffs.reduce((all, diff) => all + of(diff), 0);
  const title = `${count(files.length, 'file')} edited by the person since the last turn: ${sign({
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    hasGap: diffs.some(({ hasGap }) => hasGap),
  })}`;
  const lines = [title];
  const told: Told[] = [];
  const reserved = 200 + notes.join('\n').length;
  let room = (full ? RESULT_MAX : RESULT_LIMIT) - reserved - title.length;
  const left: { readonly path: string; readonly counts: string }[] = [];
  for (const [at, diff] of diffs.entries()) {
    const shown = fit(diff, full ? room : Math.min(room, SHARE));
    const { path } = files[at] ?? { path: '' };
    if (shown.length === 0) {
      left.push({ path, counts: sign(diff) });
      continue;
    }
    const text = shown.join('\n');
    room -= text.length + 1;
    lines.push(text);
    told.push({ path, bytes: Buffer.byteLength(text) });
  }
  if (left.length > 0) {
    const named = left.map(({ path, counts }) => `${path} ${counts}`).join(', ');
    const rest = ellipsize(`left: ${count(left.length, 'file')}: ${named}`, 190);
    lines.push(rest);
    for (const { path } of left) if (rest.includes(` ${path} `)) told.push({ path, bytes: 0 });
  }
  return { text: [...lines, ...notes].join('\n'), told };
}

function sign({ added, removed, hasGap }: Omit<FileDiff, 'heading' | 'lines'>): string {
  if (hasGap && added + removed === 0) return 'not counted';
  return `+${added} -${removed}${hasGap ? ' and more' : ''}`;
}

function diffOf({ path, part, changes, isUnsaved, gap }: ChangedFile): FileDiff {
  const name = part === undefined ? path : `${path} ${part}`;
  const hunks = changes.map(hunksOf);
  return {
    heading: isUnsaved ? `${name} (unsaved)` : name,
    lines: [...(gap === undefined ? [] : [`(${gap})`]), ...hunks.flatMap(({ lines }) => lines)],
    added: hunks.reduce((sum, { added }) => sum + added, 0),
    removed: hunks.reduce((sum, { removed }) => sum + removed, 0),
    hasGap: gap !== undefined,
  };
}

interface Hunks {
  readonly lines: readonly string[];
  readonly added: number;
  readonly removed: number;
}

function hunksOf({ before, after }: TypedChange): Hunks {
  const [old, fresh] = [unixLines(before), unixLines(after)];
  if (old === fresh) {
    const ends = after.includes('\r\n') ? 'CRLF' : 'LF';
    return { lines: [`(only its line ends were changed, to ${ends})`], added: 0, removed: 0 };
  }
  const patch = structuredPatch('', '', old, fresh, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) {
    const lines = ['(so much was changed that no diff is shown)'];
    return { lines, ...countWhole(old.split('\n'), fresh.split('\n')) };
  }
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: all }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...all.filter((line) => !line.startsWith('\\')).map((line) => ellipsize(line, LINE_LIMIT)),
  ]);
  const starting = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  return { lines, added: starting('+'), removed: starting('-') };
}

/** As if all was written anew between the first line that differs and the last one. */
function countWhole(
  old: readonly string[],
  fresh: readonly string[],
): Pick<Hunks, 'added' | 'removed'> {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  return { added: fresh.length - start - end, removed: old.length - start - end };
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** As many whole lines as fit, and what is left; none where not even a first one does. */
function fit({ heading, lines }: FileDiff, room: number): readonly string[] {
  const shown = [heading];
  let used = heading.length;
  // Room for the line that tells what is left.
  const last = 60;
  for (const [at, line] of lines.entries()) {
    const isLast = at === lines.length - 1;
    if (used + line.length + 1 > room - (isLast ? 0 : last)) break;
    used += line.length + 1;
    shown.push(line);
  }
  const left = lines.length + 1 - shown.length;
  if (left === 0) return shown;
  if (shown.length < 3) return [];
  return [...shown, `(${count(left, 'more line')}: give path, or read_buffer)`];
}
