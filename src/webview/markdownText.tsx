import { useLayoutEffect, useRef } from 'preact/hooks';
import { MarkdownView } from './markdownView';
import { usePanel } from './panelContext';

/** A text that is complete, as the markdown that it is. */
export function MarkdownText({
  text,
  class: extra,
}: {
  readonly text: string;
  readonly class?: string;
}) {
  const { colours } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const view = useRef<MarkdownView | undefined>(undefined);
  useLayoutEffect(() => {
    if (!root.current) return;
    view.current ??= new MarkdownView(root.current, colours, () => undefined);
    view.current.update(text, true);
  }, [text, colours]);
  useLayoutEffect(() => () => view.current?.dispose(), []);
  return <div class={`text ${extra ?? ''}`.trim()} ref={root} />;
}
