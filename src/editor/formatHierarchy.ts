import { ellipsize } from '../base/cutText';
import { count, fillPage, oneLine, type PageItem } from './resultBudget';

export type Direction = 'callers' | 'callees' | 'supertypes' | 'subtypes';

/** One step of a hierarchy, 1-based; `depth` 1 is next to the symbol that was asked about. */
export interface HierarchyStep {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly kind: string;
  readonly name: string;
  readonly depth: number;
  /** The name it was reached from, where that is not the symbol itself. */
  readonly from?: string;
  /** Where the calls of a caller stand, `line:col`, in its own file; those of a callee stand elsewhere. */
  readonly calls: readonly string[];
}

const CALLS = 5;
/** How what does not fit is had where it is of the first level. */
const WAYS: Readonly<Record<Direction, string>> = {
  callers: 'references has all of their calls',
  callees: 'Read its text',
  supertypes: 'Read its text',
  subtypes: 'definition with kind=implementation has all',
};

/** The count, notes, then the steps by file, nearest level first. */
export function formatHierarchy(
  direction: Direction,
  name: string,
  steps: readonly HierarchyStep[],
  notes: readonly string[] = [],
): string {
  const word = direction.slice(0, -1);
  const levels = Math.max(1, ...steps.map(({ depth }) => depth));
  const counts = Array.from({ length: levels }, (_, index) => {
    const n = steps.filter(({ depth }) => depth === index + 1).length;
    return `${n} at depth ${index + 1}`;
  });
  const deep = levels > 1 ? ` (${counts.join(', ')})` : '';
  const files = new Set(steps.map(({ path }) => path)).size;
  const title = `${count(steps.length, word)} of '${oneLine(name, 60)}' in ${count(files, 'file')}${deep}`;
  const items = steps.map((step): PageItem => ({
    group: step.path,
    text: stepLine(step),
  }));
  const { lines, end } = fillPage(items, 0, { chars: 5_000, items: Infinity });
  const way = levels > 1 ? 'give a smaller depth' : WAYS[direction];
  const rest = end < items.length ? [`left: ${count(items.length - end, word)}; ${way}`] : [];
  return [title, ...notes, ...lines, ...rest].join('\n');
}

function stepLine(step: HierarchyStep): string {
  const { line, column, kind, name, from, calls } = step;
  const via = from === undefined ? '' : ` of ${ellipsize(oneLine(from), 60)}`;
  const more = calls.length > CALLS ? ` +${calls.length - CALLS}` : '';
  const where = calls.length === 0 ? '' : `, calls at ${calls.slice(0, CALLS).join(' ')}${more}`;
  return ` ${line}:${column} ${kind} ${ellipsize(oneLine(name), 80)}${via}${where}`;
}
