import { cutText } from '../base/cutText';
import type { FileDiff } from './viewStateProtocol';
import { visibleText } from './visibleText';

/** Characters of one line of a diff on a card; the diff editor shows all. */
const LINE_LIMIT = 2000;

/** A difference that the person is asked about, with what hides in it made visible. */
export function visibleDiff(diff: FileDiff): FileDiff {
  const show = (line: string): string =>
    visibleText(line.length > LINE_LIMIT ? `${cutText(line, LINE_LIMIT)}…` : line);
  return {
    ...diff,
    path: visibleText(diff.path),
    hunks: diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(show) })),
  };
}
