import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from './panelContext';

/** Calls `fold` whenever all that is open is to be folded. */
export function useCollapse(fold: () => void): void {
  const { reading } = usePanel();
  const count = reading.collapses.value;
  const seen = useRef(count);
  useLayoutEffect(() => {
    if (seen.current === count) return;
    seen.current = count;
    fold();
  });
}
