import { nodesMarkdown } from './nodesMarkdown';

/** Markdown as a quotation, with an empty line behind it to go on in. */
export function asQuote(markdown: string): string {
  const lines = markdown.trim().split('\n');
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n`;
}

/** What is selected inside the element, as markdown; undefined where nothing is. */
export function selectedMarkdown(element: Element): string | undefined {
  const range = selectedRange(element);
  if (!range) return undefined;
  const markdown = nodesMarkdown(range).trim();
  return markdown === '' ? undefined : markdown;
}

/** The part of the selection that lies in the element. */
function selectedRange(element: Element): Range | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0).cloneRange();
  if (!range.intersectsNode(element)) return undefined;
  const whole = document.createRange();
  whole.selectNodeContents(element);
  if (range.compareBoundaryPoints(Range.START_TO_START, whole) < 0) {
    range.setStart(whole.startContainer, whole.startOffset);
  }
  if (range.compareBoundaryPoints(Range.END_TO_END, whole) > 0) {
    range.setEnd(whole.endContainer, whole.endOffset);
  }
  return range.collapsed ? undefined : range;
}
