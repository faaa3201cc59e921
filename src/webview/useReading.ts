import { useLayoutEffect } from 'preact/hooks';
import type { Panel } from './panelContext';
import { usePanel } from './panelContext';
import { promptBeside } from './readingModel';
import type { RowScroller } from './rowScroller';

/**
 * Scrolls to the item that the reader wants to see, which is drawn first.
 * @param drawn grows when other rows are drawn
 */
export function useReading(rows: RowScroller, drawn: number): void {
  const { reading, store } = usePanel();
  const wish = reading.wish.value;
  useLayoutEffect(() => {
    if (!wish) return;
    if (!store.item(wish.itemId)) {
      reading.arrived(wish);
      return;
    }
    const row = rows.bring(wish.itemId);
    if (!row) return;
    row.scrollIntoView({ block: 'start' });
    row.querySelector<HTMLElement>('article')?.focus({ preventScroll: true });
    rows.arrived();
    reading.arrived(wish);
  }, [rows, drawn, reading, store, wish]);
}

/** Folds all that is open, also what is not drawn. */
export function collapseAll({ folds, reading, store }: Panel): void {
  folds.collapse(store.state?.items ?? []);
  reading.collapseAll();
}

/** To the own message before or behind what stands at the top of the view. */
export function jumpByPrompt({ reading, store }: Panel, by: 1 | -1): void {
  const scroller = document.querySelector('.scroller');
  if (!scroller) return;
  const { top, bottom } = scroller.getBoundingClientRect();
  const articles = [...document.querySelectorAll<HTMLElement>('article[data-item]')];
  // One pixel of play: what was scrolled to stands at a fraction of one.
  const first = articles.find((one) => one.getBoundingClientRect().bottom > top + 1);
  // At the end the last message may never come to the top: the focus tells which one was reached.
  const reached = document.activeElement?.closest<HTMLElement>('article[data-item]');
  const place = reached?.getBoundingClientRect();
  // What has the focus stays drawn wherever it is.
  const isInView = place !== undefined && place.top >= top - 1 && place.top < bottom;
  const from = (isInView ? reached : undefined) ?? first;
  const isAbove = from !== undefined && from.getBoundingClientRect().top < top - 1;
  const id = promptBeside(store.current.items, from?.dataset.item, by, isAbove);
  if (id !== undefined) reading.jumpTo(id);
}
