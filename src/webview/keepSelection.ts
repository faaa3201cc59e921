import { changeBetween } from '../base/changeBetween';

/**
 * Draws the end of an element anew, in which what is selected stays so, also where its words come into
 * other nodes: those of a list that becomes loose, of a line that becomes a table or a heading, of all that
 * becomes one block by the definition of a link.
 *
 * @param from the first of what is drawn anew; undefined where nothing stands yet
 */
export function keepSelection<T>(root: Element, from: Element | undefined, draw: () => T): T {
  const selection = document.getSelection();
  if (!from || !selection || selection.isCollapsed) return draw();
  const before = lookAt(selection, partFrom(root, from));
  if (before.start === undefined && before.end === undefined) return draw();
  const result = draw();
  if (from.isConnected && selection.rangeCount > 0)
    restore(selection, before, partFrom(root, from));
  return result;
}

/** What stands there, without blanks, which come and go with its form; and where in that the selection is. */
interface Look {
  readonly words: string;
  /** How many of its signs stand before; undefined where the selection begins outside. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** It was selected from its end. */
  readonly isBackward: boolean;
}

function lookAt(selection: Selection, part: Range): Look {
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  return {
    words: wordsOf(part),
    start: placeIn(part, startContainer, startOffset),
    end: placeIn(part, endContainer, endOffset),
    isBackward: selection.focusNode === startContainer && selection.focusOffset === startOffset,
  };
}

function partFrom(root: Element, from: Element): Range {
  const part = document.createRange();
  part.selectNodeContents(root);
  part.setStartBefore(from);
  return part;
}

function wordsOf(part: Range): string {
  return part.toString().replace(/\s+/g, '');
}

function placeIn(part: Range, node: Node, offset: number): number | undefined {
  if (!part.isPointInRange(node, offset)) return undefined;
  const before = part.cloneRange();
  before.setEnd(node, offset);
  return wordsOf(before).length;
}

function restore(selection: Selection, before: Look, part: Range): void {
  const now = lookAt(selection, part);
  const wanted = placesNow(before, now.words);
  if (!wanted || (now.start === wanted.start && now.end === wanted.end)) return;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const start = pointAt(part, wanted.start, 'before') ?? [startContainer, startOffset];
  const end = pointAt(part, wanted.end, 'behind') ?? [endContainer, endOffset];
  const [anchor, focus] = before.isBackward ? [end, start] : [start, end];
  selection.setBaseAndExtent(...anchor, ...focus);
}

/** Where the selection belongs by now; undefined where its words have gone. */
function placesNow(
  { words, start, end }: Look,
  now: string,
): Pick<Look, 'start' | 'end'> | undefined {
  const { offset, length, text } = changeBetween(words, now);
  const moved = (place: number): number =>
    place <= offset ? place : Math.max(offset, place + text.length - length);
  if (start === undefined || end === undefined) {
    return { start: start && moved(start), end: end && moved(end) };
  }
  const selected = words.slice(start, end);
  if (selected === '') return undefined;
  const near = moved(start);
  const next = now.indexOf(selected, near);
  const last = now.lastIndexOf(selected, near);
  const at = next === -1 || (last !== -1 && near - last < next - near) ? last : next;
  return at === -1 ? undefined : { start: at, end: at + selected.length };
}

/** Before the sign that has so many before it, or behind the last of so many. */
function pointAt(
  part: Range,
  place: number | undefined,
  side: 'before' | 'behind',
): readonly [Node, number] | undefined {
  if (place === undefined) return undefined;
  const nodes = document.createTreeWalker(part.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  let seen = 0;
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (!(node instanceof Text) || !part.intersectsNode(node)) continue;
    for (const { index } of node.data.matchAll(/\S/g)) {
      if (side === 'before' && seen === place) return [node, index];
      seen += 1;
      if (side === 'behind' && seen === place) return [node, index + 1];
    }
  }
  return undefined;
}
