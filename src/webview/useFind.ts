import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { clearMarks, markMatches } from './findMarks';
import { usePanel } from './panelContext';
import type { RowScroller } from './rowScroller';
import { quietTime } from './quietTime';
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
  const { find, store, edits } = usePanel();
  const view = find.view.value;
  const isOpen = find.isOpen.value;
  const items = store.watch('items');
  // What the last one says by now is looked through with each part of it that is whole.
  const last = store.current.items.at(-1)?.id ?? '';
  const newest = isOpen ? store.watch(`item:${last}`) : 0;
  const edited = isOpen ? edits.editing.value?.wireId : undefined;
  const shownWish = useRef(view.wish);
  useLayoutEffect(() => find.refresh(), [find, items, newest, edited]);
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
  useMarksOf(content);
}

/** So long, in milliseconds, what is drawn anew waits for its marks while the panel is busy. */
const LATEST_MS = 500;

/** What grows, or is drawn anew, has its marks as soon as there is time for them. */
function useMarksOf(content: RefObject<HTMLElement | null>): void {
  const { find } = usePanel();
  const isOpen = find.isOpen.value;
  useLayoutEffect(() => {
    const root = content.current;
    if (!isOpen || !root) return undefined;
    let isWaiting = false;
    const observer = new MutationObserver(() => {
      if (isWaiting) return;
      isWaiting = true;
      void quietTime(performance.now() + LATEST_MS).then(() => {
        isWaiting = false;
        if (find.isOpen.value && root.isConnected) markMatches(root, find.view.value);
      });
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [content, find, isOpen]);
}
