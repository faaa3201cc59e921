import * as l10n from '@vscode/l10n';
import type { AssistantItem, Block } from '../chat/viewStateProtocol';
import { BlockList } from './blockList';
import { IconButton } from './icon';
import { usePanel } from './panelContext';

/** One turn of the model: text, thinking and tool calls in order of arrival. */
export function AssistantArticle({ item }: { readonly item: AssistantItem }) {
  const { store, post } = usePanel();
  store.watch(`item:${item.id}`);
  const headingId = `h-${item.id}`;
  const text = () => item.blocks.filter(isAnswer).map((block) => block.text.trim());
  return (
    <article class="assistant" aria-labelledby={headingId}>
      <h2 class="sr-only" id={headingId}>
        {l10n.t('Claude')}
      </h2>
      <BlockList item={item} parentId={undefined} />
      {item.stopped && <p class="quiet-line">{l10n.t('Stopped')}</p>}
      {item.blocks.some(isAnswer) && (
        <div class="article-actions">
          <IconButton
            icon="copy"
            name={l10n.t('Copy')}
            onClick={() => post({ type: 'copy', text: text().join('\n\n') })}
          />
        </div>
      )}
    </article>
  );
}

function isAnswer(block: Block): block is Extract<Block, { kind: 'text' }> {
  return block.kind === 'text' && block.parentToolUseId === undefined && block.text.trim() !== '';
}
