import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from './panelContext';

/**
 * For a card: when an answered one goes, the focus that was in it returns to the message box. One that
 * goes by itself gives it to the conversation: keys that were meant for it must send no message.
 */
export function useFocusReturn(cardId: string): RefObject<HTMLDivElement | null> {
  const { composer, answered } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = root.current;
    return () => {
      // Whoever works in the editor meanwhile keeps the focus there.
      if (!element?.contains(document.activeElement) || !document.hasFocus()) return;
      const log = element.closest<HTMLElement>('[role="log"]');
      if (answered.has(cardId) || !log) composer.requestFocus();
      else log.focus({ preventScroll: true });
    };
  }, [composer, answered, cardId]);
  return root;
}
