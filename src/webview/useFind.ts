import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { clearMarks, markMatches } from './findMarks';
import { usePanel } from './panelContext';

/**
 * Marks what is found in the transcript and scrolls to the match that is shown; draws back to it
 * where it is not drawn yet.
 * @param drawn how many items are drawn, from the end
 * @param draw is called with how many it takes
 */
export function useFind(
  content: RefObject<HTMLElement | null>,
  drawn: number,
  draw: (count: number) => void,
): void {
  const { find, store } = usePanel();
  const view = find.view.value;
  const isOpen = find.isOpen.value;
  const items = store.watch('items');
  useLayoutEffect(() => find.refresh(), [find, items]);
  useLayoutEffect(() => {
    const root = content.current;
    const shown = view.matches[view.at];
    if (!isOpen || !root || !shown) {
      clearMarks();
      return;
    }
    const { items } = store.current;
    const needed = items.length - items.findIndex(({ id }) => id === shown.itemId);
    if (needed > drawn) {
      // Some before it as well: nobody reads a line alone.
      draw(needed + 10);
      return;
    }
    const range = markMatches(root, view);
    range?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
  }, [content, drawn, draw, isOpen, store, view]);
}
