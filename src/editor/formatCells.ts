import { ellipsize } from '../base/cutText';
import { DISK_STATES } from './formatLines';
import { count, RESULT_LIMIT } from './resultBudget';

/** A cell of a notebook; numbers are 1-based. */
export interface CellText {
  readonly number: number;
  readonly kind: 'code' | 'markdown';
  /** Of code: its language. */
  readonly language: string;
  readonly source: string;
  /** What became of its last run; undefined for one that has not run. */
  readonly run: string | undefined;
  readonly outputs: readonly string[];
}

export interface NotebookText {
  readonly path: string;
  /** How it stands to its file. */
  readonly disk: 'same' | 'unsaved' | 'diskNewer';
  readonly cells: readonly CellText[];
}

/** Characters of the outputs of one cell, where it is one of many and where it stands alone. */
const OUTPUTS_OF_MANY = 300;
const OUTPUTS_OF_ONE = 3_500;
const SOURCE_LIMIT = 2_500;
/** Room for the lines that say what is left. */
const END_ROOM = 80;

/**
 * First what the notebook is, then the cells as far as they fit, and where to go on. What is cut
 * is told with its length.
 */
export function formatCells({ path, disk, cells }: NotebookText, from: number, to: number): string {
  const isOne = from === to;
  const shown: string[] = [];
  const title = `${path}: ${count(cells.length, 'cell')}, ${DISK_STATES[disk]}`;
  let room = RESULT_LIMIT - END_ROOM - title.length;
  let next = from;
  for (; next <= to; next += 1) {
    const cell = cells[next - 1];
    if (cell === undefined) break;
    const text = cellLines(cell, isOne, room).join('\n');
    if (text.length + 1 > room && next > from) break;
    room -= text.length + 1;
    shown.push(text);
  }
  const rest = next <= to ? [`left: cells ${next}-${to}`, `next: from=${next}`] : [];
  return [title, ...shown, ...rest].join('\n');
}

/** One cell: its heading, its text, its outputs behind `->`. One that stands alone keeps to `room`. */
function cellLines(cell: CellText, isOne: boolean, room: number): readonly string[] {
  const { number, kind, language, source, run } = cell;
  const what = kind === 'code' ? `code ${language}` : 'markdown';
  const above = [
    `[${number}] ${what}${run === undefined ? '' : `, ${run}`}`,
    ...(source === '' ? [] : [cutTold(source, SOURCE_LIMIT)]),
  ];
  const left = room - above.join('\n').length - CUT_ROOM;
  const limit = isOne ? Math.min(OUTPUTS_OF_ONE, left) : OUTPUTS_OF_MANY;
  return [...above, ...outputLines(cell.outputs, limit)];
}

export function outputLines(outputs: readonly string[], limit: number): readonly string[] {
  const text = outputs
    .map((output) => output.trimEnd())
    .filter((output) => output !== '')
    .map((output) => `-> ${output}`)
    .join('\n');
  return text === '' ? [] : [cutTold(text, limit)];
}

/** Room for how long the whole is, and for a line break. */
const CUT_ROOM = 40;

function cutTold(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${ellipsize(text, limit)} (cut: ${text.length} characters)`;
}
