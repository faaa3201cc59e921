import { joinMarkdown, renderMarkdown } from '../chat/markdown';
import type { TranscriptItem } from '../chat/viewStateProtocol';
import { itemMarkdown } from './articleText';
import { markdownWithin } from './quote';
import { toSafeNodes } from './sanitize';

/** With more it is given as text alone: to draw so much for the clipboard holds up the panel. */
const MOST_AS_HTML = 200;

export interface SelectedText {
  readonly markdown: string;
  readonly html?: string;
}

/**
 * What is selected of the conversation, from its data, where some of that is not drawn or all of it is
 * selected. Undefined where the nodes of the selection say all.
 */
export function selectedItems(
  range: Range,
  items: readonly TranscriptItem[],
): SelectedText | undefined {
  const column = document.querySelector('.column');
  if (!column || !range.intersectsNode(column)) return undefined;
  const selected = [
    ...column.querySelectorAll<HTMLElement>(':scope > .gap, :scope > [data-row]'),
  ].filter((part) => range.intersectsNode(part));
  const hasGap = selected.some((part) => part.matches('.gap'));
  if (!hasGap && !isWhole(range, column)) return undefined;
  const places = new Map(items.map(({ id }, place) => [id, place]));
  const texts = selected.flatMap((part) => {
    if (!part.matches('.gap'))
      return rowText(range, part, items[places.get(part.dataset.row ?? '') ?? -1]);
    return items.slice(Number(part.dataset.from), Number(part.dataset.to)).map(textOf);
  });
  const said = texts.filter(({ text }) => text !== '');
  if (said.length === 0) return undefined;
  const markdown = joinMarkdown(said.map(({ text }) => text));
  return said.length > MOST_AS_HTML ? { markdown } : { markdown, html: htmlOf(said) };
}

/** From before the first row to behind the last. */
function isWhole(range: Range, column: Element): boolean {
  const all = document.createRange();
  all.selectNodeContents(column);
  const isFromStart = range.compareBoundaryPoints(Range.START_TO_START, all) <= 0;
  all.selectNodeContents([...column.querySelectorAll(':scope > [data-row]')].at(-1) ?? column);
  return isFromStart && range.compareBoundaryPoints(Range.END_TO_END, all) >= 0;
}

interface Said {
  readonly text: string;
  /** What the person typed is none. */
  readonly isMarkdown: boolean;
}

function textOf(item: TranscriptItem): Said {
  return { text: itemMarkdown(item), isMarkdown: item.kind === 'assistant' };
}

/** All of it from the data; at the ends of the selection the part that is selected. */
function rowText(
  range: Range,
  row: HTMLElement,
  item: TranscriptItem | undefined,
): readonly Said[] {
  if (!item) return [];
  const whole = document.createRange();
  whole.selectNodeContents(row);
  const isWithin =
    range.compareBoundaryPoints(Range.START_TO_START, whole) <= 0 &&
    range.compareBoundaryPoints(Range.END_TO_END, whole) >= 0;
  if (isWithin) return [textOf(item)];
  const text = markdownWithin(range, row);
  return text === undefined ? [] : [{ text, isMarkdown: item.kind === 'assistant' }];
}

function htmlOf(said: readonly Said[]): string {
  const all = document.createElement('div');
  for (const { text, isMarkdown } of said) {
    const one = document.createElement('div');
    if (isMarkdown) one.append(toSafeNodes(renderMarkdown(text)));
    else one.textContent = text;
    for (const extra of one.querySelectorAll('button')) extra.remove();
    all.append(one);
  }
  return all.innerHTML;
}
