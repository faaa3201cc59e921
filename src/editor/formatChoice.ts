import { count, fillPage, oneLine, type PageItem } from './resultBudget';

/** One of several places that a question may mean; line and column are 1-based. */
export interface ChoicePlace {
  readonly path: string;
  /** Undefined where only the file is known. */
  readonly line?: number;
  readonly column?: number;
  /** What stands there: kind and name, or the line of code. */
  readonly text: string;
}

const SHOWN = 10;

/** What a question may mean: how many places, how to tell one, and the first ten by file. */
export function formatChoice(
  name: string,
  places: readonly ChoicePlace[],
  notes: readonly string[] = [],
): string {
  const items = places.map(({ path, line, column, text }): PageItem => ({
    group: path,
    text: ` ${line === undefined ? '' : `${line}:${column ?? 1} `}${oneLine(text, 100)}`,
  }));
  const { lines, end } = fillPage(items, 0, { chars: 3_000, items: SHOWN });
  const lineKeys = new Set(places.map(({ path, line }) => `${path}:${line}`));
  // Two of them in one line are not told apart by it.
  const how = lineKeys.size === places.length ? 'path and line' : 'path as path:line:column';
  const title = `${count(places.length, 'place')} may be meant by '${oneLine(name, 60)}'. Call again with ${how} of one`;
  const left = `left: ${count(items.length - end, 'place')}; give Class.member, or a path`;
  const rest = end < items.length ? [left] : [];
  return [title, ...notes, ...lines, ...rest].join('\n');
}
