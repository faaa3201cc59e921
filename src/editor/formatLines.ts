import { ellipsize } from '../base/cutText';
import { RESULT_LIMIT } from './resultBudget';

/** A part of a document; lines are 1-based and both ends are inside. */
export interface LineRange {
  readonly path: string;
  readonly lineCount: number;
  /** How the text stands to the file. */
  readonly disk: 'same' | 'unsaved' | 'diskNewer' | 'removed';
  readonly from: number;
  readonly to: number;
  lineAt(line: number): string;
}

/** A longer line, of a minified file say, is cut: one such line would fill the whole answer. */
export const LINE_LIMIT = 2_000;
const FRAME = 300;
export const DISK_STATES = {
  same: 'as on disk',
  unsaved: 'unsaved changes',
  diskNewer: 'older than the file on disk',
  removed: 'removed from the disk',
} as const;

/** First what the document is, then `number⇥text` for as many lines as fit, then where to go on. */
export function formatLines(range: LineRange): string {
  const lines: string[] = [];
  let room = RESULT_LIMIT - FRAME;
  let line = range.from;
  for (; line <= range.to; line += 1) {
    const text = range.lineAt(line);
    const shown = `${line}\t${ellipsize(text, LINE_LIMIT)}`;
    if (shown.length + 1 > room && line > range.from) break;
    room -= shown.length + 1;
    lines.push(shown);
  }
  const last = line - 1;
  const title = `${range.path}: lines ${range.from}-${last} of ${range.lineCount}, ${DISK_STATES[range.disk]}`;
  const rest = last < range.to ? [`left: lines ${line}-${range.to}`, `next: from=${line}`] : [];
  return [title, ...lines, ...rest].join('\n');
}
