import { useMarkdown } from './useMarkdown';

/** A text that is complete, as the markdown that it is. */
export function MarkdownText({
  text,
  class: extra,
}: {
  readonly text: string;
  readonly class?: string;
}) {
  return <div class={`text ${extra ?? ''}`.trim()} ref={useMarkdown(text)} />;
}
