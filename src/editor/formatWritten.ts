import { ellipsize } from '../base/cutText';
import { count, linesWithin, linesWithRest, RESULT_LIMIT } from './resultBudget';

/** What has become of the text of a file that a tool changed. */
export type SaveState =
  | 'saved'
  /** It had the person's unsaved changes before, and still has them. */
  | 'keptUnsaved'
  /** Never saved so far: the person chooses where. */
  | 'untitled'
  /** The editor takes a change of it and never saves it: the text of the file was put back. */
  | 'readOnly'
  /** Saving would lose bytes or letters: the change stands in the editor, unsaved. */
  | 'lossy'
  /** Saving failed: the change stands in the editor, unsaved. */
  | 'saveFailed';

/** One changed file. */
export interface WrittenFile {
  readonly path: string;
  /** What was changed in it: `lines 3-5, 9`, `4 places`. */
  readonly what: string;
  readonly state: SaveState;
  /** A formatter or another step of saving changed it further. */
  readonly isReformatted: boolean;
}

export const SAVE_STATES: Record<SaveState, string> = {
  saved: 'saved',
  keptUnsaved: 'left unsaved: it had unsaved changes before',
  untitled: 'unsaved: an untitled document',
  readOnly: 'NOT changed: the editor has it read-only (files.readonlyInclude, or the person)',
  lossy:
    'NOT saved: it has bytes or letters that its encoding has not, which would be lost; the person has to choose another',
  saveFailed: 'NOT saved: the change stands in the editor only; the person has to save it',
};
const NAMED_FILES = 40;
/** Characters for these lines: the problems stand below them. */
const NAMED_ROOM = 3_000;
const NAMED_RANGES = 8;
/** Characters above the files, and of one line there or below them. */
const HEAD_ROOM = 2_000;
const LINE = 1_200;
/** What the files have in any case, and what lines that tell of a rest take. */
const LEAST_ROOM = 600;
const REST_ROOM = 250;

/**
 * The answer to a change, within the limit of a result: what was done, the files, and what came of it.
 * The files have the room that the others leave.
 */
export function formatChange(
  head: readonly string[],
  files: readonly WrittenFile[],
  tail: readonly string[],
): string {
  const above = linesWithRest(cutTo(head, LINE), HEAD_ROOM, 'and more');
  const taken = above.join('\n').length + REST_ROOM;
  const least = Math.min(LEAST_ROOM, formatWritten(files).join('\n').length);
  const tailRoom = RESULT_LIMIT - taken - least;
  const below = linesWithRest(cutTo(tail, LINE), tailRoom, 'and more: see diagnostics');
  const room = RESULT_LIMIT - taken - below.join('\n').length;
  return [...above, ...formatWritten(files, Math.min(room, NAMED_ROOM)), ...below].join('\n');
}

/**
 * One line a file; the ones that are not plainly saved first, since they need somebody.
 * @param room characters, a last line that counts the rest not counted
 */
export function formatWritten(files: readonly WrittenFile[], room = NAMED_ROOM): readonly string[] {
  const order = [...files].sort((a, b) => Number(isPlain(a)) - Number(isPlain(b)));
  const lines = linesWithin(order.slice(0, NAMED_FILES).map(describeWritten), room);
  const rest = order.slice(lines.length);
  if (rest.length === 0) return lines;
  const odd = rest.filter((file) => !isPlain(file)).length;
  const tail = odd === 0 ? 'saved' : `${odd} of them not plainly saved`;
  return [...lines, `and ${count(rest.length, 'more file')}, ${tail}`];
}

/** `line 3`, `lines 3-5, 9`. */
export function nameRanges(ranges: readonly { from: number; to: number }[]): string {
  const texts = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const more = texts.length - NAMED_RANGES;
  const named = texts.slice(0, NAMED_RANGES).join(', ');
  const one = texts.length === 1 && ranges[0]?.from === ranges[0]?.to;
  return `${one ? 'line' : 'lines'} ${named}${more > 0 ? ` +${more}` : ''}`;
}

function cutTo(lines: readonly string[], limit: number): readonly string[] {
  return lines.map((line) => ellipsize(line, limit));
}

function isPlain({ state }: WrittenFile): boolean {
  return state === 'saved';
}

function describeWritten({ path, what, state, isReformatted }: WrittenFile): string {
  const further = isReformatted ? ', and changed further by saving (formatter): read it again' : '';
  return `${ellipsize(path, 200)}: ${what}; ${SAVE_STATES[state]}${further}`;
}
