import { type FindView, placesOf } from './findModel';

/** Names of the highlights, as the style sheet has them. */
const ALL = 'find-all';
const CURRENT = 'find-current';

/**
 * Marks the matches in what is drawn, without touching a node of it, and gives the place of the one
 * that is shown; undefined where it is not drawn.
 */
export function markMatches(root: Element, view: FindView): Range | undefined {
  clearMarks();
  const shown = view.matches[view.at];
  if (view.query === '' || !shown) return undefined;
  const all: Range[] = [];
  let current: Range | undefined;
  for (const element of root.querySelectorAll<HTMLElement>('[data-find]')) {
    const isShown = element.dataset.find === (shown.blockId ?? shown.itemId);
    rangesIn(element, view.query).forEach((range, nth) => {
      if (isShown && nth === shown.nth) current = range;
      else all.push(range);
    });
  }
  CSS.highlights.set(ALL, new Highlight(...all));
  if (current) CSS.highlights.set(CURRENT, new Highlight(current));
  return current;
}

export function clearMarks(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

/** A match may begin in one node and end in another, such as in `**bo**ld`. */
function rangesIn(element: Element, query: string): readonly Range[] {
  const texts = wordsIn(element);
  const places = placesOf(query, texts.map(({ data }) => data).join(''));
  if (places.length === 0) return [];
  let at = 0;
  let before = 0;
  const seek = (offset: number): readonly [Node, number] => {
    for (let node = texts[at]; node; node = texts[(at += 1)]) {
      if (before + node.length >= offset) return [node, offset - before];
      before += node.length;
    }
    return [element, 0];
  };
  return places.map(([start, end]) => {
    const range = document.createRange();
    range.setStart(...seek(start));
    range.setEnd(...seek(end));
    return range;
  });
}

/** Texts of what was said, without what we say of code that is drawn in part. */
function wordsIn(element: Element): readonly Text[] {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest('.md-code-more')) texts.push(node);
  }
  return texts;
}
