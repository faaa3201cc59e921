import * as l10n from '@vscode/l10n';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { useCollapse } from './useCollapse';
import { useFold } from './useFold';
import { duration } from './words';

/** Folded by default. While folded its text is not even read, so long thinking costs nothing. */
export function ThinkingBlockView(props: { readonly itemId: string; readonly blockId: string }) {
  const { itemId, blockId } = props;
  const { store } = usePanel();
  const [open, setOpen] = useFold(blockId);
  useCollapse(() => setOpen(false));
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

function ThinkingText({ itemId, blockId }: { readonly itemId: string; readonly blockId: string }) {
  const { store } = usePanel();
  store.watch(`text:${blockId}`);
  const block = store.block(itemId, blockId);
  return (
    <div class="thinking-text" dir="auto">
      {block?.kind === 'thinking' ? block.text : ''}
    </div>
  );
}
