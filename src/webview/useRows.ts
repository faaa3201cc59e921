import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RowScroller } from './rowScroller';

/** The transcript's scrolling: `content` holds the rows inside `scroller`. */
export function useRows() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [rows] = useState(() => new RowScroller());
  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return undefined;
    return rows.attach(scroller.current, content.current);
  }, [rows]);
  useLayoutEffect(() => rows.drawn());
  return { scroller, content, rows };
}
