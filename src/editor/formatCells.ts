import { ellipsize } from '../base/cutText';
import { MORE } from './cellOutputs';
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
  /** Of its document: where a long text can be read by its lines. */
  readonly uri?: string;
}

export interface NotebookText {
  readonly path: string;
  /** How it stands to its file. */
  readonly disk: keyof typeof DISK_STATES;
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
  const heading = `[${number}] ${what}${run === undefined ? '' : `, ${run}`}`;
  if (!isOne) {
    const shown = source === '' ? [] : [cutTold(source, SOURCE_LIMIT)];
    return [heading, ...shown, ...outputLines(cell.outputs, OUTPUTS_OF_MANY)];
  }
  const wanted = outputLines(cell.outputs, OUTPUTS_OF_ONE).join('\n').length;
  // What the outputs leave.
  const most = Math.max(SOURCE_LIMIT, room - heading.length - wanted - 2 * CUT_ROOM);
  const above = [heading, ...(source === '' ? [] : [sourceWithin(cell, most)])];
  const left = room - above.join('\n').length - CUT_ROOM;
  return [...above, ...outputLines(cell.outputs, Math.min(OUTPUTS_OF_ONE, left))];
}

/** Who changes a cell gives its whole text, and has to have read it. */
function sourceWithin({ source, uri }: CellText, limit: number): string {
  if (source.length <= limit || uri === undefined) return cutTold(source, limit);
  const way = `; whole: read_buffer ${uri}`;
  return `${cutTold(source, limit - way.length)}${way}`;
}

/** In their order; the last one, which may be the error that ended the run, keeps half of the room. */
export function outputLines(outputs: readonly string[], limit: number): readonly string[] {
  const told = outputs
    .map((output) => output.trimEnd())
    .filter((output) => output !== '')
    .map((output) => `-> ${output}`);
  const text = told.join('\n');
  if (text === '') return [];
  const more = told.some((output) => output.endsWith(MORE)) ? ' or more' : '';
  if (text.length <= limit || told.length === 1) return [cutTold(text, limit, more)];
  const end = cutTold(told.at(-1) ?? '', Math.floor(limit / 2), more);
  return [cutTold(told.slice(0, -1).join('\n'), limit - end.length - CUT_ROOM, more), end];
}

/** Room for how long the whole is, and for a line break. */
const CUT_ROOM = 40;

function cutTold(text: string, limit: number, more = ''): string {
  if (text.length <= limit) return text;
  return `${ellipsize(text, limit)} (cut: ${text.length}${more} characters)`;
}
