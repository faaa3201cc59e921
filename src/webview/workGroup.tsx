import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { AssistantItem, Block } from '../chat/viewStateProtocol';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { useFold } from './useFold';

/** A turn's blocks in the focus view: words stand for themselves, the work between them as one. */
export type FocusPart =
  | { readonly kind: 'block'; readonly block: Block }
  | { readonly kind: 'work'; readonly blocks: readonly Block[] };

export function focusParts(blocks: readonly Block[]): readonly FocusPart[] {
  const parts: ({ kind: 'block'; block: Block } | { kind: 'work'; blocks: Block[] })[] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (block.kind === 'text') parts.push({ kind: 'block', block });
    else if (last?.kind === 'work') last.blocks.push(block);
    else parts.push({ kind: 'work', blocks: [block] });
  }
  // A thought alone is one line by itself.
  return parts.map((part) => {
    const [only, ...others] = part.kind === 'work' ? part.blocks : [];
    return only?.kind === 'thinking' && others.length === 0 ? { kind: 'block', block: only } : part;
  });
}

/** One line for a run of work: what came of it, and what is going on now. */
export function WorkGroup(props: {
  readonly item: AssistantItem;
  readonly blocks: readonly Block[];
  readonly children: ComponentChildren;
}) {
  const { store } = usePanel();
  const [open, setOpen] = useFold(`work:${props.blocks[0]?.id ?? ''}`);
  for (const { id } of props.blocks) store.watch(`block:${id}`);
  const blocks = props.blocks.map(({ id }) => store.block(props.item.id, id));
  const tools = blocks.filter((block) => block?.kind === 'tool');
  const running = tools.findLast(({ state }) => state === 'running');
  return (
    <div class="work">
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="work-words">{workWords(tools)}</span>
        {running && (
          <>
            <Icon name="loading" spin />
            <span class="work-words">{running.title}</span>
          </>
        )}
      </button>
      {open && <div class="work-blocks">{props.children}</div>}
    </div>
  );
}

type ToolBlocks = readonly Extract<Block, { kind: 'tool' }>[];

/** `12 calls · 3 files changed · 1 failed`. */
export function workWords(tools: ToolBlocks): string {
  const files = new Set(tools.flatMap(({ diff }) => diff?.path ?? [])).size;
  const failed = tools.filter(({ state }) => state === 'failed').length;
  if (tools.length === 0) return l10n.t('Thinking');
  return [
    tools.length === 1 ? l10n.t('1 call') : l10n.t('{0} calls', tools.length),
    ...(files === 0
      ? []
      : [files === 1 ? l10n.t('1 file changed') : l10n.t('{0} files changed', files)]),
    ...(failed === 0 ? [] : [l10n.t('{0} failed', failed)]),
  ].join(' · ');
}
