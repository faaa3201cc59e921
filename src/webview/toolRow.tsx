import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { AssistantItem, ToolBlock, ToolState } from '../chat/viewStateProtocol';
import { isBornOpen } from './foldBook';
import { Icon } from './icon';
import { usePanel } from './panelContext';
import { ToolActions, ToolBody } from './toolBody';
import { useFold } from './useFold';
import { useNow } from './useNow';
import { duration, toolStateWord } from './words';

const SHOWN_AFTER_S = 3;

const SIGNS: Readonly<Record<ToolState, string>> = {
  running: 'loading',
  done: 'check',
  failed: 'error',
  denied: 'circle-slash',
  cancelled: 'circle-slash',
};

/** One call on the rail: folded to a row of 24 px; one that changed a file opens by itself. */
export function ToolRow({
  item,
  blockId,
  children,
}: {
  readonly item: AssistantItem;
  readonly blockId: string;
  /** What a sub-agent does, drawn when the row is open. */
  readonly children?: ComponentChildren;
}) {
  const { store } = usePanel();
  store.watch(`block:${blockId}`);
  const block = store.block(item.id, blockId);
  const [open, setOpen] = useFold(blockId, block?.kind === 'tool' && isBornOpen(block));
  if (block?.kind !== 'tool') return null;
  const isAgent = block.name === 'Agent' || block.name === 'Task';
  const stated = `${block.title}, ${toolStateWord(block.state)}`;
  return (
    <div
      role="group"
      class={`tool tool-${block.state}`}
      aria-label={isAgent ? l10n.t('Agent: {0}', block.summary || block.title) : stated}
    >
      <Icon name={SIGNS[block.state]} spin={block.state === 'running'} class="tool-sign" />
      <ToolButton block={block} stated={stated} open={open} toggle={() => setOpen(!open)} />
      {block.actions !== undefined && <ToolActions id={block.id} actions={block.actions} />}
      {open && <ToolBody block={block} />}
      {open && children}
    </div>
  );
}

function ToolButton(props: {
  readonly block: ToolBlock;
  readonly stated: string;
  readonly open: boolean;
  readonly toggle: () => void;
}) {
  const { block, open } = props;
  const detailId = `d-${block.id}`;
  // The button's words are its name; the rest of the row is beside it, and it reaches over all.
  return (
    <div class="tool-row" title={block.summary === '' ? undefined : block.summary}>
      <button
        type="button"
        class="tool-title row-button"
        aria-expanded={open}
        aria-label={props.stated}
        aria-describedby={detailId}
        onClick={props.toggle}
      >
        {block.title}
      </button>
      <span class="tool-detail" id={detailId}>
        <bdi class="tool-summary">{block.summary}</bdi>
        <Figure block={block} />
      </span>
      <Icon name={open ? 'chevron-down' : 'chevron-right'} class="tool-chevron" />
    </div>
  );
}

/** At the right: what the host says, changed lines in their colours, else how long it takes or took. */
function Figure({ block }: { readonly block: ToolBlock }) {
  if (block.diff) return <DiffFigure added={block.diff.added} removed={block.diff.removed} />;
  if (block.figure !== undefined) return <span class="figure">{block.figure}</span>;
  if (block.startedAt !== undefined) return <RunningTime since={block.startedAt} />;
  return block.durationMs === undefined ? null : (
    <span class="figure">{duration(block.durationMs)}</span>
  );
}

/** A call that takes long shows that it is not forgotten; most are over before there is a word. */
function RunningTime({ since }: { readonly since: number }) {
  const now = useNow(true);
  const seconds = Math.floor((now - since) / 1000);
  // Not read out: it would be said anew each second.
  return seconds < SHOWN_AFTER_S ? null : (
    <span class="figure" aria-hidden="true">
      {duration(seconds * 1000)}
    </span>
  );
}

export function DiffFigure({
  added,
  removed,
}: {
  readonly added: number;
  readonly removed: number;
}) {
  return (
    <span class="figure">
      <span class="added">+{added}</span> <span class="removed">−{removed}</span>
    </span>
  );
}
