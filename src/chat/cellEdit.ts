import { isJsonObject } from '../protocol/lazySchema';

/** The text of one cell before and after. */
export interface CellEdit {
  readonly before: string;
  readonly after: string;
}

/**
 * What a call of `NotebookEdit` makes of its cell; undefined where that cannot be told.
 * Fact: the cell is named by its id, or as `cell-N` by its place, from 0.
 * @param notebook its file
 */
export function cellEdit(
  input: Readonly<Record<string, unknown>>,
  notebook: string,
): CellEdit | undefined {
  const { cell_id: id, new_source: source, edit_mode: mode } = input;
  const after = mode === 'delete' ? '' : source;
  if (typeof after !== 'string') return undefined;
  if (mode === 'insert') return { before: '', after };
  const before = typeof id === 'string' ? cellSource(notebook, id) : undefined;
  return before === undefined ? undefined : { before, after };
}

function cellSource(notebook: string, id: string): string | undefined {
  const cells = cellsOf(notebook);
  const place = /^cell-(\d+)$/.exec(id)?.[1];
  const byPlace = place === undefined ? undefined : cells[Number(place)];
  const source = (cells.find((cell) => cell.id === id) ?? byPlace)?.source;
  if (typeof source === 'string') return source;
  const isLines = Array.isArray(source) && source.every((line) => typeof line === 'string');
  return isLines ? source.join('') : undefined;
}

function cellsOf(notebook: string): readonly Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(notebook);
    const cells = isJsonObject(value) ? value.cells : undefined;
    return Array.isArray(cells) && cells.every(isJsonObject) ? cells : [];
  } catch {
    return [];
  }
}
