import { count, cut, fillPage, oneLine, type PageItem } from './resultBudget';

/** The places of one file, 1-based and in their order. */
export interface ReferenceFile {
  readonly path: string;
  readonly nearness: number;
  readonly places: readonly ReferencePlace[];
}

export interface ReferencePlace {
  readonly line: number;
  readonly column: number;
  readonly isDeclaration: boolean;
}

/** An ordered list as a snapshot that pages are made from; lines of code are read for each page. */
export interface ReferenceList {
  /** First line: the count of the whole. */
  readonly title: string;
  readonly items: readonly ReferenceItem[];
}

export interface ReferenceItem extends ReferencePlace {
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

const PAGE_CHARS = 4_950;
const CODE_LIMIT = 100;
/** ` 1:1 x` and a line break: no shorter line is there. */
const SHORTEST = 7;

/** The file of the declaration first, then by nearness. @param what `reference`, with its plural in s */
export function listReferences(
  files: readonly ReferenceFile[],
  what: string,
  name: string,
): ReferenceList {
  const rank = (file: ReferenceFile): number =>
    file.places.some(({ isDeclaration }) => isDeclaration) ? 0 : 1;
  const ordered = [...files].sort(
    (a, b) => rank(a) - rank(b) || a.nearness - b.nearness || (a.path < b.path ? -1 : 1),
  );
  const items = ordered.flatMap(({ path, places }) => places.map((place) => ({ ...place, path })));
  const named = name === '' ? '' : ` ${what === 'reference' ? 'to' : 'of'} '${oneLine(name, 60)}'`;
  return { title: `${count(items.length, what)}${named} in ${count(files.length, 'file')}`, items };
}

/**
 * One page: the count, notes, ` line:col code` by file, and what is left with its cursor. Reads
 * only the lines that are shown.
 * @param cursor makes the cursor for the rest; without it the rest is only counted
 */
export async function formatReferences(
  list: ReferenceList,
  from: number,
  readLine: ReadLine,
  { cursor, notes = [] }: { cursor?: (offset: number) => string; notes?: readonly string[] } = {},
): Promise<ReferencePage> {
  const candidates = list.items.slice(from, from + PAGE_CHARS / SHORTEST);
  const lines: PageItem[] = [];
  let length = 0;
  let heading = '';
  for (const item of candidates) {
    if (length > PAGE_CHARS) break;
    const text = placeLine(item, await readLine(item.path, item.line));
    length += text.length + 1 + (item.path === heading ? 0 : item.path.length + 1);
    heading = item.path;
    lines.push({ group: item.path, text });
  }
  const page = fillPage(lines, 0, { chars: PAGE_CHARS, items: Infinity });
  const end = from + page.end;
  const rest = list.items.slice(end);
  const tail = rest.length === 0 ? [] : describeRest(rest, end, cursor);
  return {
    text: [list.title, ...notes, ...page.lines, ...tail].join('\n'),
    paths: [...new Set(list.items.slice(from, end).map(({ path }) => path))],
  };
}

function describeRest(
  rest: readonly ReferenceItem[],
  end: number,
  cursor?: (offset: number) => string,
): readonly string[] {
  const files = new Set(rest.map(({ path }) => path)).size;
  const left = `left: ${rest.length} in ${count(files, 'file')}`;
  return cursor ? [left, `next: cursor=${cursor(end)}`] : [left];
}

/** A place past the end, of a file that became shorter, is moved into it and says so. */
function placeLine(item: ReferenceItem, code: CodeLine | undefined): string {
  const isPast = code !== undefined && item.line > code.lineCount;
  const place = isPast ? `${Math.max(code.lineCount, 1)}:1` : `${item.line}:${item.column}`;
  const mark = item.isDeclaration ? ' declaration:' : '';
  const text = code?.text === undefined ? '' : ` ${cut(oneLine(code.text, 400), CODE_LIMIT)}`;
  return ` ${place}${mark}${isPast ? ` (reported at line ${item.line})` : text}`;
}
