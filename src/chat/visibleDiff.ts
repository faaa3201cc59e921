import { cutText } from '../base/cutText';
import type { FileDiff } from './viewStateProtocol';
import { visibleText } from './visibleText';

/** Characters of one line of a diff on a card; the diff editor shows all. */
const LINE_LIMIT = 2000;

/** A difference that the person is asked about, with what hides in it made visible. */
export function visibleDiff(diff: FileDiff): FileDiff {
  const isLong = (line: string): boolean => line.length > LINE_LIMIT;
  const show = (line: string): string =>
    visibleText(isLong(line) ? `${cutText(line, LINE_LIMIT)}…` : line);
  const hasCutLines = diff.hunks.some(({ lines }) => lines.some(isLong));
  return {
    ...diff,
    ...(hasCutLines ? { hasCutLines } : {}),
    path: visibleText(diff.path),
    hunks: diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(show) })),
  };
}
