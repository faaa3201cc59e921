import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever';
import type { AssistantItem, Block } from '../chat/viewStateProtocol';
import { IconButton } from './icon';
import { usePanel } from './panelContext';
import { TextBlockView } from './textBlock';
import { ThinkingBlockView } from './thinkingBlock';
import { ToolRow } from './toolRow';
import { childBlocks } from './viewStore';

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

/** The blocks of one level: of the turn itself, or of one sub-agent. */
export function BlockList(props: {
  readonly item: AssistantItem;
  readonly parentId: string | undefined;
}) {
  const blocks = childBlocks(props.item, props.parentId);
  return (
    <>
      {blocks.map((block) => (
        <BlockView key={block.id} item={props.item} block={block} />
      ))}
    </>
  );
}

function BlockView({ item, block }: { readonly item: AssistantItem; readonly block: Block }) {
  switch (block.kind) {
    case 'text':
      return <TextBlockView itemId={item.id} blockId={block.id} />;
    case 'thinking':
      return <ThinkingBlockView itemId={item.id} blockId={block.id} />;
    case 'tool':
      return <ToolRow item={item} blockId={block.id} />;
    default:
      return assertNever(block, 'block');
  }
}

function isAnswer(block: Block): block is Extract<Block, { kind: 'text' }> {
  return block.kind === 'text' && block.parentToolUseId === undefined && block.text.trim() !== '';
}
