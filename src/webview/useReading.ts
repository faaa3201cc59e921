import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Panel } from './panelContext';
import { usePanel } from './panelContext';
import { promptBeside } from './readingModel';

/**
 * Scrolls to the item that the reader wants to see; draws back to it where it is not drawn yet.
 * @param drawn how many items are drawn, from the end
 */
export function useReading(
  content: RefObject<HTMLElement | null>,
  drawn: number,
  draw: (count: number) => void,
): void {
  const { reading, store } = usePanel();
  const wish = reading.wish.value;
  useLayoutEffect(() => {
    const root = content.current;
    if (!wish || !root) return;
    const { items } = store.current;
    const at = items.findIndex(({ id }) => id === wish.itemId);
    if (at === -1) {
      reading.arrived(wish);
      return;
    }
    if (items.length - at > drawn) {
      draw(items.length - at + 10);
      return;
    }
    const article = articleOf(root, wish.itemId);
    article?.scrollIntoView({ block: 'start' });
    article?.focus({ preventScroll: true });
    reading.arrived(wish);
  }, [content, drawn, draw, reading, store, wish]);
}

function articleOf(root: ParentNode, itemId: string): HTMLElement | undefined {
  const all = root.querySelectorAll<HTMLElement>('article[data-item]');
  return [...all].find((article) => article.dataset.item === itemId);
}

/** To the own message before or behind what stands at the top of the view. */
export function jumpByPrompt({ reading, store }: Panel, by: 1 | -1): void {
  const scroller = document.querySelector('.scroller');
  if (!scroller) return;
  const { top } = scroller.getBoundingClientRect();
  const articles = [...document.querySelectorAll<HTMLElement>('article[data-item]')];
  // One pixel of play: what was scrolled to stands at a fraction of one.
  const first = articles.find((one) => one.getBoundingClientRect().bottom > top + 1);
  // At the end the last message may never come to the top: the focus tells which one was reached.
  const reached = document.activeElement?.closest<HTMLElement>('article[data-item]');
  const isInView = reached && reached.getBoundingClientRect().top >= top - 1;
  const from = isInView ? reached : first;
  const isAbove = from !== undefined && from.getBoundingClientRect().top < top - 1;
  const id = promptBeside(store.current.items, from?.dataset.item, by, isAbove);
  if (id !== undefined) reading.jumpTo(id);
}
