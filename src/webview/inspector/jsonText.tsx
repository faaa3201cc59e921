import { useMemo } from 'preact/hooks';
import { jsonParts } from './jsonParts';

/** Characters that are coloured; the rest is drawn plain, since it costs an element a word. */
const MAX_COLOURED = 40_000;

/** Indented JSON that can be scrolled and read by the keyboard. */
export function JsonText({ text, name }: { readonly text: string; readonly name: string }) {
  const parts = useMemo(() => jsonParts(text.slice(0, MAX_COLOURED)), [text]);
  return (
    <pre id="frame-json" class="json" tabIndex={0} role="group" aria-label={name} dir="ltr">
      {parts.map(({ kind, text: piece }, at) =>
        kind === 'plain' ? (
          piece
        ) : (
          <span key={at} class={`json-${kind}`}>
            {piece}
          </span>
        ),
      )}
      {text.slice(MAX_COLOURED)}
    </pre>
  );
}
