import { ellipsize } from './cutText';

/** One replacement as the model asks for it. */
export interface Hunk {
  readonly old: string;
  readonly new: string;
  /** Every occurrence. */
  readonly all?: boolean | undefined;
}

/** A stretch of a text, by offsets, and what comes in its place. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Placed =
  | { readonly ok: true; readonly replacements: readonly Replacement[] }
  /** Why, in the model's words: what failed and the next step. */
  | { readonly ok: false; readonly why: string };

const NAMED_LINES = 10;
/** Those that overlap are looked for up to here: each costs a comparison of the whole text. */
const OVERLAPPING = 100;

/**
 * Finds the places of all hunks of one file in its text; all of them see the text as it is before
 * any of them. Line ends of a hunk become those of the text.
 */
export function placeHunks(text: string, hunks: readonly Hunk[], eol: string): Placed {
  const placed: Replacement[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const found = placeOne(text, hunk, eol);
    const which = hunks.length === 1 ? '' : ` (edit ${index + 1})`;
    if (typeof found === 'string') return { ok: false, why: `${found}${which}` };
    placed.push(...found);
  }
  placed.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, { start }] of placed.entries()) {
    const before = placed[index - 1];
    if (before && start < before.end) {
      const line = lineAt(text, start);
      return { ok: false, why: `two edits overlap at line ${line}; make one of them` };
    }
  }
  return { ok: true, replacements: placed };
}

/** The text with its replacements, and for each of them the 1-based lines that it has there. */
export function applyReplacements(
  text: string,
  replacements: readonly Replacement[],
): { readonly text: string; readonly lines: readonly { from: number; to: number }[] } {
  const lines: { from: number; to: number }[] = [];
  let result = '';
  let at = 0;
  let line = 1;
  for (const { start, end, text: put } of replacements) {
    const kept = text.slice(at, start);
    result += kept + put;
    line += countBreaks(kept);
    const from = line;
    line += countBreaks(put);
    lines.push({ from, to: line });
    at = end;
  }
  return { text: result + text.slice(at), lines };
}

/** 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return 1 + countBreaks(text.slice(0, offset));
}

export function toEol(text: string, eol: string): string {
  return text.replace(/\r\n|\r|\n/gu, eol);
}

function placeOne(text: string, hunk: Hunk, eol: string): Replacement[] | string {
  const wanted = toEol(hunk.old, eol);
  const put = toEol(hunk.new, eol);
  if (wanted === put) return 'old and new are the same text';
  if (wanted === '') {
    if (text === '') return [{ start: 0, end: 0, text: put }];
    return 'the file has text: give in old what is to be replaced';
  }
  const starts = occurrences(text, wanted, hunk.all === true);
  if (starts.length === 0) return notFound(text, wanted);
  if (starts.length > 1 && hunk.all !== true) {
    const lines = nameLines(linesOf(text, starts));
    return `old occurs ${starts.length} times, at ${lines}. Give more of the text, or all: true`;
  }
  return starts.map((start) => ({ start, end: start + wanted.length, text: put }));
}

/** Where all are replaced, one begins behind the other; else which one is meant has to be clear. */
function occurrences(text: string, wanted: string, isAll: boolean): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0;) {
    starts.push(at);
    const step = isAll || starts.length >= OVERLAPPING ? wanted.length : 1;
    at = text.indexOf(wanted, at + step);
  }
  return starts;
}

/** 1-based lines of ascending offsets, in one walk. */
function linesOf(text: string, offsets: readonly number[]): readonly number[] {
  let line = 1;
  let at = 0;
  return offsets.map((offset) => {
    line += countBreaks(text.slice(at, offset));
    at = offset;
    return line;
  });
}

/** Says what comes nearest: the same lines with other white space, or the first line alone. */
function notFound(text: string, wanted: string): string {
  const have = text.split(/\r\n|\r|\n/u).map((line) => line.trim());
  const lines = wanted.split(/\r\n|\r|\n/u).map((line) => line.trim());
  const parts = trimEmpty(lines);
  const [first] = parts;
  if (first === undefined) return 'old has only white space, and that does not occur';
  const whole = have.findIndex((_, at) => parts.every((part, n) => have[at + n] === part));
  if (whole >= 0) return `old differs from line ${whole + 1} in white space. Read it again`;
  const near = have.indexOf(first);
  const read = 'Read the text again with read_buffer';
  if (near < 0) return `old does not occur: “${ellipsize(first, 40)}”. ${read}`;
  return `old does not occur; its first line stands at line ${near + 1}. ${read}`;
}

function trimEmpty(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line !== '');
  const to = lines.findLastIndex((line) => line !== '');
  return from < 0 ? [] : lines.slice(from, to + 1);
}

function nameLines(lines: readonly number[]): string {
  const more = lines.length - NAMED_LINES;
  const named = lines.slice(0, NAMED_LINES).join(' ');
  return `lines ${named}${more > 0 ? ` +${more}` : ''}`;
}

function countBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/gu)?.length ?? 0;
}
