import { ellipsize } from '../base/cutText';

/** Characters that a result may have unless the model asked for more. */
export const RESULT_LIMIT = 6_000;
/** Characters that no result exceeds, `full` included. */
export const RESULT_MAX = 16_000;
const MESSAGE_LIMIT = 200;

/** Text on one line, at most `limit` characters, cut with `…` and never inside a surrogate pair. */
export function oneLine(text: string, limit = MESSAGE_LIMIT): string {
  return ellipsize(text.replace(/\s+/gu, ' ').trim(), limit);
}

/** `1 file`, `2 files`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The first of the lines, as many as `limit` characters hold, line breaks counted. */
export function linesWithin(lines: readonly string[], limit: number): readonly string[] {
  let room = limit;
  let end = 0;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    end += 1;
  }
  return lines.slice(0, end);
}

/** The same, with a last line that says where the rest is. */
export function linesWithRest(
  lines: readonly string[],
  limit: number,
  rest: string,
): readonly string[] {
  const kept = linesWithin(lines, limit);
  return kept.length === lines.length ? lines : [...kept, rest];
}

/** One line of a result, under the heading (a path) that it belongs to. */
export interface PageItem {
  readonly group: string;
  readonly text: string;
}

export interface PageLimits {
  /** Characters for headings and lines together. */
  readonly chars: number;
  /** Lines, headings not counted. */
  readonly items: number;
}

export interface Page {
  /** Headings and lines, ready to be joined by line breaks. */
  readonly lines: readonly string[];
  /** Index of the first item that did not fit; `items.length` when all did. */
  readonly end: number;
}

/**
 * Takes items from `from` on in their order until a limit is reached, then groups them: each
 * heading stands once, where its first item is. One item always fits, so paging ends.
 */
export function fillPage(items: readonly PageItem[], from: number, limits: PageLimits): Page {
  const groups = new Map<string, string[]>();
  let room = limits.chars;
  let end = from;
  for (const item of items.slice(from, from + limits.items)) {
    const heading = groups.has(item.group) ? 0 : item.group.length + 1;
    const cost = heading + item.text.length + 1;
    if (cost > room && end > from) break;
    room -= cost;
    end += 1;
    const lines = groups.get(item.group);
    if (lines) lines.push(item.text);
    else groups.set(item.group, [item.text]);
  }
  const lines: string[] = [];
  for (const [heading, texts] of groups) lines.push(heading, ...texts);
  return { lines, end };
}
