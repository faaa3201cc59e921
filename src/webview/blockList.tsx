import { assertNever } from '../base/assertNever';
import type { AssistantItem, Block } from '../chat/viewStateProtocol';
import { usePanel } from './panelContext';
import { TextBlockView } from './textBlock';
import { ThinkingBlockView } from './thinkingBlock';
import { ToolRow } from './toolRow';
import { focusParts, WorkGroup } from './workGroup';
import { childBlocks } from './viewStore';

/** The blocks of one level: of the turn itself, or of one sub-agent. */
export function BlockList(props: {
  readonly item: AssistantItem;
  readonly parentId: string | undefined;
}) {
  const { store } = usePanel();
  store.watch('fields');
  // Whoever reads a signal is drawn again by signals only, and the item is changed in place.
  store.watch(`item:${props.item.id}`);
  const blocks = childBlocks(props.item, props.parentId);
  if (store.current.focusView === true && props.parentId === undefined) {
    return <FocusBlocks item={props.item} blocks={blocks} />;
  }
  return (
    <>
      {blocks.map((block) => (
        <BlockView key={block.id} item={props.item} block={block} />
      ))}
    </>
  );
}

/** Words as they are, and each run of work between them as one line. */
function FocusBlocks(props: { readonly item: AssistantItem; readonly blocks: readonly Block[] }) {
  return (
    <>
      {focusParts(props.blocks).map((part) =>
        part.kind === 'block' ? (
          <BlockView key={part.block.id} item={props.item} block={part.block} />
        ) : (
          <WorkGroup key={part.blocks[0]?.id} item={props.item} blocks={part.blocks}>
            {part.blocks.map((block) => (
              <BlockView key={block.id} item={props.item} block={block} />
            ))}
          </WorkGroup>
        ),
      )}
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
      return (
        <ToolRow item={item} blockId={block.id}>
          <ToolChildren item={item} parentId={block.id} />
        </ToolRow>
      );
    default:
      return assertNever(block, 'block');
  }
}

/** The calls and words of a sub-agent; they come while its own row stays as it is. */
function ToolChildren(props: { readonly item: AssistantItem; readonly parentId: string }) {
  const { store } = usePanel();
  store.watch(`item:${props.item.id}`);
  if (childBlocks(props.item, props.parentId).length === 0) return null;
  return (
    <div class="tool-children">
      <BlockList {...props} />
    </div>
  );
}
