/** CSS pixels; every row is as high, so that where a row stands follows from its number. */
export const ROW_HEIGHT = 24;
/** Rows that are drawn above and below what is seen. */
const SPARE = 12;

export interface RowWindow {
  readonly first: number;
  /** The one behind the last. */
  readonly end: number;
}

/** Which of `count` rows are drawn. */
export function visibleRows(count: number, top: number, height: number): RowWindow {
  const from = Math.floor(top / ROW_HEIGHT) - SPARE;
  const to = Math.ceil((top + height) / ROW_HEIGHT) + SPARE;
  const first = Math.min(Math.max(0, from), count);
  return { first, end: Math.min(count, Math.max(first, to)) };
}

/** Where to scroll so that the row can be seen: nowhere, if it can be already. */
export function scrollTopFor(row: number, top: number, height: number): number {
  const start = row * ROW_HEIGHT;
  if (start < top) return start;
  const least = start + ROW_HEIGHT - height;
  return least > top ? least : top;
}

/** The row that a key leads to; undefined for a key that is none of the list's. */
export function rowAfterKey(
  key: string,
  at: number,
  count: number,
  page: number,
): number | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  const within = (row: number): number => Math.min(last, Math.max(0, row));
  switch (key) {
    case 'ArrowDown':
      return within(at + 1);
    case 'ArrowUp':
      return at < 0 ? last : within(at - 1);
    case 'PageDown':
      return within(at + page);
    case 'PageUp':
      return within(at - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
