import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { MarkdownView } from './markdownView';
import { usePanel } from './panelContext';

/** Draws a complete text as the markdown that it is, into the element that gets the reference. */
export function useMarkdown(text: string): RefObject<HTMLDivElement | null> {
  const { colours } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const view = useRef<MarkdownView | undefined>(undefined);
  useLayoutEffect(() => {
    if (!root.current) return;
    view.current ??= new MarkdownView(root.current, colours, () => undefined);
    view.current.update(text, true);
  }, [text, colours]);
  useLayoutEffect(() => () => view.current?.dispose(), []);
  return root;
}
