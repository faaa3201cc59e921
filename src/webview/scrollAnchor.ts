/** What the reader looks at, and how far below the upper edge of the view it stands, in CSS pixels. */
export interface ScrollAnchor {
  /** The innermost first: the text of an answer may be drawn anew while the answer itself stays. */
  readonly places: readonly { readonly element: Element; readonly offset: number }[];
}

/** Elements of no place in the flow. */
const OUTSIDE = '.gap, .sr-only, .article-actions, .md-code-actions';
const DEEPEST = 16;

/**
 * The first thing in sight, as deep inside as it goes: a picture that comes late may stand in the same
 * answer, above what is read of it. Undefined where there is only empty place.
 */
export function findAnchor(scroller: Element, content: Element): ScrollAnchor | undefined {
  const { top, bottom } = scroller.getBoundingClientRect();
  const places: { element: Element; offset: number }[] = [];
  let parent = content;
  while (places.length < DEEPEST) {
    const element = firstBelow(parent, top);
    const box = element?.getBoundingClientRect();
    if (!element || !box || box.top >= bottom) break;
    places.unshift({ element, offset: box.top - top });
    if (box.top >= top) break;
    parent = element;
  }
  return places.length === 0 ? undefined : { places };
}

/** How far it has moved downwards since, in CSS pixels; undefined where nothing of it is left. */
export function driftOf(anchor: ScrollAnchor, scroller: Element): number | undefined {
  const place = anchor.places.find(({ element }) => element.isConnected);
  if (!place) return undefined;
  const { top } = scroller.getBoundingClientRect();
  return place.element.getBoundingClientRect().top - top - place.offset;
}

/** The first child that ends below this height. */
function firstBelow(parent: Element, top: number): Element | undefined {
  for (const child of parent.children) {
    const box = child.getBoundingClientRect();
    if (box.bottom > top && box.height > 0 && !child.matches(OUTSIDE)) return child;
  }
  return undefined;
}
