import * as l10n from '@vscode/l10n';
import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon';
import { morphText } from './morph';
import { usePanel } from './panelContext';
import { useFold } from './useFold';
import { duration } from './words';

/** Folded by default. While folded its text is not even read, so long thinking costs nothing. */
export function ThinkingBlockView(props: { readonly itemId: string; readonly blockId: string }) {
  const { itemId, blockId } = props;
  const { store } = usePanel();
  const [open, setOpen] = useFold(blockId);
  store.watch(`block:${blockId}`);
  const block = store.block(itemId, blockId);
  if (block?.kind !== 'thinking') return null;
  return (
    <div class="thinking">
      <div class="thinking-row">
        <button
          type="button"
          class="fold row-button"
          aria-expanded={open}
          aria-describedby={`d-${blockId}`}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'chevron-down' : 'chevron-right'} />
          <span>{l10n.t('Thinking')}</span>
        </button>
        {block.streaming && <Icon name="loading" spin class="thinking-sign" />}
        {block.durationMs !== undefined && (
          // Read with the button; on its own it is none of the model's words.
          <span class="figure" id={`d-${blockId}`} aria-hidden="true">
            {duration(block.durationMs)}
          </span>
        )}
      </div>
      {open && <ThinkingText {...props} />}
    </div>
  );
}

/** Its text is changed in place as it grows, so that what is selected in it stays so. */
function ThinkingText({ itemId, blockId }: { readonly itemId: string; readonly blockId: string }) {
  const { store } = usePanel();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () =>
      effect(() => {
        store.watch(`text:${blockId}`);
        const block = store.block(itemId, blockId);
        const words = block?.kind === 'thinking' ? block.text : '';
        const node = box.current?.firstChild;
        if (node instanceof Text) morphText(node, words);
        else box.current?.append(words);
      }),
    [store, itemId, blockId],
  );
  return <div ref={box} class="thinking-text" dir="auto" />;
}
