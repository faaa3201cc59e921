import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { clearMarks, markMatches } from './findMarks';
import { usePanel } from './panelContext';
import type { RowScroller } from './rowScroller';
import { scrollToRange } from './scrollToRange';

/**
 * Marks what is found in the rows that are drawn, and scrolls once to the match that is to be shown,
 * which has its item drawn first.
 * @param drawn grows when other rows are drawn
 */
export function useFind(
  content: RefObject<HTMLElement | null>,
  rows: RowScroller,
  drawn: number,
): void {
  const { find, store } = usePanel();
  const view = find.view.value;
  const isOpen = find.isOpen.value;
  const items = store.watch('items');
  const shownWish = useRef(view.wish);
  useLayoutEffect(() => find.refresh(), [find, items]);
  useLayoutEffect(() => {
    const root = content.current;
    const shown = view.matches[view.at];
    if (!isOpen || !root || !shown) {
      clearMarks();
      return;
    }
    const isWanted = shownWish.current !== view.wish;
    if (isWanted && !rows.bring(shown.itemId)) return;
    const range = markMatches(root, view);
    if (!isWanted) return;
    shownWish.current = view.wish;
    const scroller = root.closest('[role="log"]');
    if (range && scroller) scrollToRange(range, scroller);
    rows.arrived();
  }, [content, rows, drawn, isOpen, items, view]);
}
