import { nodesMarkdown } from './nodesMarkdown';

/** Markdown as a quotation, with an empty line behind it to go on in. */
export function asQuote(markdown: string): string {
  const lines = markdown.trim().split('\n');
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n`;
}

/** What is selected inside the element, as markdown; undefined where nothing is. */
export function selectedMarkdown(element: Element): string | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  return markdownWithin(selection.getRangeAt(0), element);
}

/** The part of a range that lies in the element, as markdown; undefined where none does. */
export function markdownWithin(whole: Range, element: Element): string | undefined {
  const range = partWithin(whole, element);
  if (!range || !hasWords(range)) return undefined;
  const markdown = nodesMarkdown(range).trim();
  return markdown === '' ? undefined : markdown;
}

/** From the end of one point of a list to the start of the next there are signs of lists and tasks only. */
export function hasWords(range: Range): boolean {
  return range.toString().replace(/[\s☐☑]/gu, '') !== '';
}

function partWithin(whole: Range, element: Element): Range | undefined {
  if (!whole.intersectsNode(element)) return undefined;
  const range = whole.cloneRange();
  const inside = document.createRange();
  inside.selectNodeContents(element);
  if (range.compareBoundaryPoints(Range.START_TO_START, inside) < 0) {
    range.setStart(inside.startContainer, inside.startOffset);
  }
  if (range.compareBoundaryPoints(Range.END_TO_END, inside) > 0) {
    range.setEnd(inside.endContainer, inside.endOffset);
  }
  return range.collapsed ? undefined : range;
}
