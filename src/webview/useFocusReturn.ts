import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from './panelContext';

/** For a card: when an answered one goes, the focus that was in it returns to the message box. */
export function useFocusReturn(): RefObject<HTMLDivElement | null> {
  const { composer } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = root.current;
    return () => {
      // Whoever works in the editor meanwhile keeps the focus there.
      if (element?.contains(document.activeElement) && document.hasFocus()) composer.requestFocus();
    };
  }, [composer]);
  return root;
}
