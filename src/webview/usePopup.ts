import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from './panelContext';

/**
 * Something that opens over the panel from a button. It is counted while open, so that Escape
 * closes it and does not stop the turn; a press elsewhere closes it too.
 */
export function usePopup() {
  const { openPopups } = usePanel();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback((refocus: boolean) => {
    setOpen(false);
    if (refocus) button.current?.focus();
  }, []);
  // In the same step as the drawing: a key right after the closing must find it closed.
  useLayoutEffect(() => {
    if (!open) return undefined;
    openPopups.value += 1;
    const outside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      openPopups.value -= 1;
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open, openPopups]);
  return { open, setOpen, close, root, button };
}
