/**
 * Brings a part of a text into sight in each box that it stands in, from the inside outwards: code, a
 * table and a long prompt scroll by themselves.
 *
 * @param outer the last of the boxes, in whose middle it stands then
 */
export function scrollToRange(range: Range, outer: Element): void {
  const start = range.startContainer.parentElement;
  for (let box: Element | null = start; box; box = box.parentElement) {
    const place = range.getBoundingClientRect();
    const sight = box.getBoundingClientRect();
    const isHigh = place.top < sight.top || place.bottom > sight.bottom;
    if (isHigh || box === outer) {
      box.scrollTop += place.top - sight.top - (box.clientHeight - place.height) / 2;
    }
    if (box === outer) return;
    if (place.left < sight.left || place.right > sight.right) {
      box.scrollLeft += place.left - sight.left - (box.clientWidth - place.width) / 2;
    }
  }
}
