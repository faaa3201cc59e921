/** Items from one place up to another, which is none of them. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What is seen of the items: distances from the beginning of the first, in CSS pixels. */
export interface Sight {
  readonly top: number;
  readonly height: number;
}

/** Heights as {@link RowBook} has them. */
export interface Heights {
  readonly count: number;
  readonly gap: number;
  before(place: number): number;
  placeAt(distance: number): number;
}

/** Items that are drawn, or the empty place of those that are not. */
export type Run = Span &
  ({ readonly kind: 'rows' } | { readonly kind: 'gap'; readonly height: number });

/** What is drawn beyond each edge of the view; less where the view is small, so that its price is bounded. */
const MOST_BEYOND = 800;
const LEAST_BEYOND = 400;
/** As many are drawn at least: a short conversation is drawn whole. */
const LEAST_ROWS = 40;
/** So many may stay though the view needs fewer. */
const MOST_ROWS = 60;

/**
 * Which items are to be drawn. What is drawn stays as long as it covers the view with some beyond it
 * and is not far too much, so that scrolling draws in larger steps.
 */
export function nextSpan(current: Span, sight: Sight, heights: Heights): Span {
  const beyond = Math.max(LEAST_BEYOND, Math.min(MOST_BEYOND, sight.height));
  const least = spanOver(sight, beyond / 2, heights);
  const most = widened(spanOver(sight, beyond * 2, heights), MOST_ROWS, heights.count);
  const isEnough = Math.min(LEAST_ROWS, heights.count) <= current.to - current.from;
  if (isEnough && covers(current, least) && covers(most, current)) return current;
  return widened(spanOver(sight, beyond, heights), LEAST_ROWS, heights.count);
}

function spanOver({ top, height }: Sight, beyond: number, heights: Heights): Span {
  if (heights.count === 0) return { from: 0, to: 0 };
  return {
    from: heights.placeAt(top - beyond),
    to: heights.placeAt(top + height + beyond) + 1,
  };
}

/** With so many rows at least, if there are, and as many more on each side as there is room for. */
function widened({ from, to }: Span, rows: number, count: number): Span {
  const missing = Math.min(rows, count) - (to - from);
  if (missing <= 0) return { from, to };
  const start = Math.max(0, from - Math.ceil(missing / 2));
  const end = Math.min(count, start + (to - from) + missing);
  return { from: Math.max(0, end - (to - from) - missing), to: end };
}

/** With as much around an item as is drawn around the view: for what is to be scrolled to. */
export function spanAround(place: number, height: number, heights: Heights): Span {
  const span = spanOver({ top: heights.before(place), height }, height, heights);
  return widened(span, LEAST_ROWS, heights.count);
}

function covers(outer: Span, inner: Span): boolean {
  return outer.from <= inner.from && inner.to <= outer.to;
}

export function isSameSpan(a: Span, b: Span): boolean {
  return a.from === b.from && a.to === b.to;
}

/**
 * The drawn items in their order, with the empty places between them.
 * @param kept places outside of the span that are drawn as well; others than those of items are left out
 */
export function runsOf(span: Span, kept: Iterable<number>, heights: Heights): readonly Run[] {
  const { count, gap } = heights;
  const inSpan = { from: Math.max(0, span.from), to: Math.min(count, span.to) };
  const alone = [...new Set(kept)].filter(
    (at) => at >= 0 && at < count && (at < inSpan.from || at >= inSpan.to),
  );
  const spans = [...alone.map((at) => ({ from: at, to: at + 1 })), inSpan]
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
  const runs: Run[] = [];
  let at = 0;
  for (const rows of [...spans, { from: count, to: count }]) {
    if (rows.from > at) {
      // Around what stands in for them there is a gap as well.
      const height = heights.before(rows.from) - heights.before(at) - gap;
      runs.push({ kind: 'gap', from: at, to: rows.from, height: Math.max(0, height) });
    }
    if (rows.to > rows.from) runs.push({ kind: 'rows', ...rows });
    at = rows.to;
  }
  return runs;
}
