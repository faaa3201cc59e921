import { ellipsize } from '../base/cutText';
import type { PlaceList } from './placeList';
import { count, fillPage, oneLine, type PageItem, RESULT_LIMIT } from './resultBudget';

/** The places of one file in their order, made when they are asked for: there may be thousands. */
export interface ReferenceFile {
  readonly path: string;
  readonly nearness: number;
  readonly size: number;
  readonly hasDeclaration: boolean;
  /** @param index from 0 to `size - 1` */
  at(index: number): ReferencePlace;
}

/** 1-based. */
export interface ReferencePlace {
  readonly line: number;
  readonly column: number;
  readonly isDeclaration: boolean;
}

/** An ordered list as a snapshot that pages are made from; lines of code are read for each page. */
export interface ReferenceList {
  /** First line: the count of the whole. */
  readonly title: string;
  readonly files: readonly ReferenceFile[];
}

/** One of the places that a provider gave. @param declared where the declarations are */
export function placeAt(starts: PlaceList, index: number, declared?: PlaceList): ReferencePlace {
  const { line, character } = starts.at(index);
  const isDeclaration = declared?.has(line, character) === true;
  return { line: line + 1, column: character + 1, isDeclaration };
}

interface ReferenceItem extends ReferencePlace {
  readonly path: string;
}

/** The text of a line, and how many lines the file has; undefined where it cannot be read. */
export interface CodeLine {
  readonly text: string | undefined;
  readonly lineCount: number;
}

export type ReadLine = (path: string, line: number) => Promise<CodeLine | undefined>;

export interface ReferencePage {
  readonly text: string;
  /** The files that the text names. */
  readonly paths: readonly string[];
}

interface PageOptions {
  readonly cursor?: (offset: number) => string;
  readonly taker?: string;
  readonly notes?: readonly string[];
}

const PAGE_CHARS = 4_950;
/** Lines that are read side by side: first as many as a page of common code has, then some more. */
export const FIRST_READ = 64;
const NEXT_READ = 16;
/** Room for the first and last lines of a result. */
const FRAME = 250;
const CODE_LIMIT = 100;

/** The file of the declaration first, then by nearness. */
export function inReferenceOrder<T extends ReferenceFile>(files: readonly T[]): readonly T[] {
  const rank = ({ hasDeclaration }: ReferenceFile): number => (hasDeclaration ? 0 : 1);
  return [...files].sort(
    (a, b) => rank(a) - rank(b) || a.nearness - b.nearness || (a.path < b.path ? -1 : 1),
  );
}

/** In that order. @param what `reference`, with its plural in s */
export function listReferences(
  given: readonly ReferenceFile[],
  what: string,
  name: string,
): ReferenceList {
  const files = inReferenceOrder(given);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const named = name === '' ? '' : ` ${what === 'reference' ? 'to' : 'of'} '${oneLine(name, 60)}'`;
  return { title: `${count(total, what)}${named} in ${count(files.length, 'file')}`, files };
}

/**
 * One page: the count, notes, ` line:col code` by file, and what is left with its cursor. Reads
 * only the lines that are shown.
 * @param cursor makes the cursor for the rest; without it the rest is only counted
 * @param taker the tool that takes it, where that is another one
 */
export async function formatReferences(
  list: ReferenceList,
  from: number,
  readLine: ReadLine,
  { cursor, taker, notes = [] }: PageOptions = {},
): Promise<ReferencePage> {
  const room = RESULT_LIMIT - FRAME - notes.join('\n').length;
  const chars = Math.min(PAGE_CHARS, Math.max(room, 1_000));
  const lines = await linesFor(itemsFrom(list, from), readLine, chars);
  const page = fillPage(lines, 0, { chars, items: Infinity });
  const next = taker === undefined ? 'next:' : `next: ${taker}`;
  const tail = describeRest(
    list,
    from + page.end,
    cursor && ((end) => `${next} cursor=${cursor(end)}`),
  );
  return {
    text: [list.title, ...notes, ...page.lines, ...tail].join('\n'),
    paths: [...new Set(lines.slice(0, page.end).map(({ group }) => group))],
  };
}

/** As many lines as fill a page, or some more. */
async function linesFor(
  items: Generator<ReferenceItem>,
  readLine: ReadLine,
  chars: number,
): Promise<readonly PageItem[]> {
  const lines: PageItem[] = [];
  let length = 0;
  let heading = '';
  let wanted = FIRST_READ;
  while (length <= chars) {
    const part = take(items, wanted);
    if (part.length === 0) break;
    wanted = NEXT_READ;
    // One after the other each file would wait for its own turns of a busy event loop.
    const read = await Promise.all(part.map(({ path, line }) => readLine(path, line)));
    for (const [index, item] of part.entries()) {
      const text = placeLine(item, read[index]);
      length += text.length + 1 + (item.path === heading ? 0 : item.path.length + 1);
      heading = item.path;
      lines.push({ group: item.path, text });
    }
  }
  return lines;
}

/** The next of them, fewer at the end. */
function take<T>(items: Iterator<T>, most: number): readonly T[] {
  const taken: T[] = [];
  while (taken.length < most) {
    const next = items.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

function* itemsFrom({ files }: ReferenceList, from: number): Generator<ReferenceItem> {
  let start = 0;
  for (const file of files) {
    for (let index = Math.max(from - start, 0); index < file.size; index += 1) {
      yield { ...file.at(index), path: file.path };
    }
    start += file.size;
  }
}

function describeRest(
  { files }: ReferenceList,
  end: number,
  next?: (offset: number) => string,
): readonly string[] {
  let start = 0;
  let rest = 0;
  let restFiles = 0;
  for (const { size } of files) {
    const left = Math.min(start + size - end, size);
    if (left > 0) {
      rest += left;
      restFiles += 1;
    }
    start += size;
  }
  if (rest === 0) return [];
  const left = `left: ${rest} in ${count(restFiles, 'file')}`;
  return next ? [left, next(end)] : [left];
}

/** A place past the end, of a file that became shorter, is moved into it and says so. */
function placeLine(item: ReferenceItem, code: CodeLine | undefined): string {
  const isPast = code !== undefined && item.line > code.lineCount;
  const place = isPast ? `${Math.max(code.lineCount, 1)}:1` : `${item.line}:${item.column}`;
  const mark = item.isDeclaration ? ' declaration:' : '';
  const text = code?.text === undefined ? '' : ` ${ellipsize(oneLine(code.text, 400), CODE_LIMIT)}`;
  return ` ${place}${mark}${isPast ? ` (reported at line ${item.line})` : text}`;
}
