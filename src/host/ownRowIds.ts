import type { ToolsRow } from './toolRows';

/** Each row under an id of its own: of two with the same, VS Code takes one for the other. */
export function withOwnIds(
  rows: readonly ToolsRow[],
  counts = new Map<string, number>(),
): readonly ToolsRow[] {
  return rows.map((row) => {
    const count = (counts.get(row.id) ?? 0) + 1;
    counts.set(row.id, count);
    const children = withOwnIds(row.children, counts);
    return { ...row, id: count === 1 ? row.id : `${row.id} #${count}`, children };
  });
}
