import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FOLLOWING, follow, isAtEnd, type FollowState, type ScrollBox } from './followScroll';

/**
 * Keeps a scrolled box at its end while the reader is there, and leaves it alone otherwise.
 * `content` is what grows inside `scroller`.
 */
export function useFollow() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const state = useRef<FollowState>(FOLLOWING);
  const [atEnd, setAtEnd] = useState(true);

  const look = useCallback((element: HTMLElement) => {
    state.current = follow(state.current, measure(element));
    setAtEnd(state.current.following || isAtEnd(state.current.last));
  }, []);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    state.current = { following: true, last: measure(element) };
    setAtEnd(true);
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return undefined;
    const resized = () => {
      // The reader may have moved in this very frame, before the scroll event.
      look(element);
      if (state.current.following) toEnd();
    };
    const observer = new ResizeObserver(resized);
    observer.observe(inner);
    observer.observe(element);
    const scrolled = () => look(element);
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, [look, toEnd]);

  return { scroller, content, atEnd, toEnd };
}

function measure(element: HTMLElement): ScrollBox {
  return { top: element.scrollTop, height: element.scrollHeight, client: element.clientHeight };
}
