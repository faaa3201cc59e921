import type { TranscriptItem } from '../chat/viewStateProtocol';
import { nodesMarkdown } from './nodesMarkdown';
import { hasWords } from './quote';
import { selectedItems } from './selectedItems';

/** Parts that are no text of the conversation: copied as the browser does it. */
const OTHERS = '.tool, .card, .alert, form';

/**
 * Puts a selection of the transcript on the clipboard as clean markdown, and as HTML for programs
 * that take it. What the browser would make of it runs lists, tables and code into each other, and
 * lacks what is not drawn.
 */
export function copySelection(event: ClipboardEvent, items: readonly TranscriptItem[]): void {
  const selection = document.getSelection();
  if (!event.clipboardData || !selection || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  const across = selectedItems(range, items);
  if (across) {
    event.preventDefault();
    event.clipboardData.setData('text/plain', across.markdown);
    if (across.html !== undefined) event.clipboardData.setData('text/html', across.html);
    return;
  }
  const { commonAncestorContainer: inside } = range;
  const element = inside instanceof Element ? inside : inside.parentElement;
  if (!element?.closest('.column') || element.closest(`${OTHERS}, textarea, input`)) return;
  const nodes = range.cloneContents();
  if (nodes.querySelector(OTHERS)) return;
  const markdown = hasWords(range) ? nodesMarkdown(range) : '';
  if (markdown.trim() === '') return;
  event.preventDefault();
  for (const extra of nodes.querySelectorAll('.sr-only, button')) extra.remove();
  const html = document.createElement('div');
  html.append(nodes);
  event.clipboardData.setData('text/plain', markdown);
  event.clipboardData.setData('text/html', html.innerHTML);
}
