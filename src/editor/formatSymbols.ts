import { ellipsize } from '../base/cutText';
import { count, fillPage, oneLine, RESULT_LIMIT, type PageItem } from './resultBudget';

/** Words for VS Code's `SymbolKind`, by its number. */
const KINDS = [
  'file',
  'module',
  'namespace',
  'package',
  'class',
  'method',
  'property',
  'field',
  'constructor',
  'enum',
  'interface',
  'function',
  'variable',
  'constant',
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'key',
  'null',
  'enum member',
  'struct',
  'event',
  'operator',
  'type parameter',
] as const;

/** A symbol of the workspace; line and column are 1-based. */
export interface SymbolPlace {
  readonly name: string;
  /** `SymbolKind` by its number. */
  readonly kind: number;
  readonly container?: string;
  readonly path: string;
  /** Undefined where the provider named the file but no place in it. */
  readonly line?: number;
  readonly column?: number;
  readonly nearness: number;
}

/** A symbol of an outline, in the order of the document; `depth` 0 is the outermost. */
export interface OutlineEntry {
  readonly name: string;
  readonly kind: number;
  readonly line: number;
  readonly column: number;
  readonly depth: number;
}

/** An ordered list that pages are made from. */
export interface SymbolList {
  /** First line: the count of the whole. */
  readonly title: string;
  readonly items: readonly PageItem[];
  readonly limits: { readonly chars: number; readonly items: number };
}

/** Orders by how well the name fits the query, then nearness, path and place. */
export function rankSymbols(
  symbols: readonly SymbolPlace[],
  query: string,
): readonly SymbolPlace[] {
  return symbols
    .map((symbol) => ({ symbol, rank: rankName(symbol.name, query) }))
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        a.symbol.nearness - b.symbol.nearness ||
        compare(a.symbol.path, b.symbol.path) ||
        (a.symbol.line ?? 0) - (b.symbol.line ?? 0) ||
        (a.symbol.column ?? 0) - (b.symbol.column ?? 0),
    )
    .map(({ symbol }) => symbol);
}

/** The symbols in the order of `rankSymbols`, as a list for pages. */
export function listSymbols(symbols: readonly SymbolPlace[], query: string): SymbolList {
  const files = new Set(symbols.map((symbol) => symbol.path)).size;
  return {
    title: `${count(symbols.length, 'symbol')} in ${count(files, 'file')}`,
    items: rankSymbols(symbols, query).map((symbol) => ({
      group: symbol.path,
      text: symbolLine(symbol),
    })),
    limits: { chars: 2_850, items: 30 },
  };
}

/** The outline of one file, nested by one blank a level. */
export function listOutline(path: string, entries: readonly OutlineEntry[]): SymbolList {
  return {
    title: count(entries.length, 'symbol'),
    items: entries.map((entry) => ({
      group: path,
      text: `${' '.repeat(1 + Math.min(entry.depth, 8))}${entry.line}:${entry.column} ${kindWord(entry.kind)} ${oneLine(entry.name, 80)}`,
    })),
    limits: { chars: RESULT_LIMIT - 500, items: Infinity },
  };
}

/** One page: the count, notes, symbols by file, and what is left with its cursor. */
export function formatSymbols(
  list: SymbolList,
  from: number,
  cursor: (offset: number) => string,
  notes: readonly string[] = [],
): string {
  const { lines, end } = fillPage(list.items, from, list.limits);
  const rest = list.items.slice(end);
  const files = new Set(rest.map((item) => item.group)).size;
  const tail =
    rest.length === 0
      ? []
      : [
          `left: ${count(rest.length, 'symbol')} in ${count(files, 'file')}`,
          `next: cursor=${cursor(end)}`,
        ];
  return [list.title, ...notes, ...lines, ...tail].join('\n');
}

/** `class`, `method` and so on, for a `SymbolKind` by its number. */
export function kindWord(kind: number): string {
  return KINDS[kind] ?? 'symbol';
}

function symbolLine(symbol: SymbolPlace): string {
  const place = symbol.line === undefined ? '' : `${symbol.line}:${symbol.column ?? 1} `;
  const container = symbol.container ? ` (${ellipsize(oneLine(symbol.container), 60)})` : '';
  return ` ${place}${kindWord(symbol.kind)} ${oneLine(symbol.name, 100)}${container}`;
}

/** 0 the very name, 1 the name but for case, 2 its start, 3 a part, 4 anything else (letters apart). */
function rankName(name: string, query: string): number {
  const [bare = name] = name.split('(');
  if (bare === query) return 0;
  const low = bare.toLowerCase();
  const wanted = query.toLowerCase();
  if (low === wanted) return 1;
  if (low.startsWith(wanted)) return 2;
  return low.includes(wanted) ? 3 : 4;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
