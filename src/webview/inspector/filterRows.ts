import type { FrameKind, FrameRow } from '../../chat/frameRowProtocol';

export interface FrameFilter {
  /** Words that must all stand in what the row shows, in any case and order. */
  readonly text: string;
  readonly kinds: ReadonlySet<FrameKind>;
}

/** The rows that the filter lets through, in order. */
export function filterRows(rows: readonly FrameRow[], filter: FrameFilter): readonly FrameRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => filter.kinds.has(row.kind) && hasAll(row, words));
}

function hasAll(row: FrameRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { label, detail = '', id = '', role = '', state = '', dir } = row;
  const shown = `${dir} ${label} ${detail} ${id} ${role} ${state}`.toLowerCase();
  return words.every((word) => shown.includes(word));
}
