import * as l10n from '@vscode/l10n';
import { stripAnsi } from '../base/ansiText';
import { assertNever } from '../base/assertNever';
import { joinMarkdown } from './markdown';
import type { Block, ToolBlock, TranscriptItem } from './viewStateProtocol';

/** A transcript as markdown text, for Copy. Subagents' own work is left out; their results stay. */
export function exportMarkdown(items: readonly TranscriptItem[]): string {
  return joinMarkdown(items.map(itemMarkdown).filter((text) => text !== ''));
}

/** One item as markdown, for Copy of an article: an answer's words without its workings. */
export function exportItem(item: TranscriptItem): string {
  if (item.kind === 'user') return item.text;
  if (item.kind !== 'assistant') return itemMarkdown(item);
  return joinMarkdown(
    mainBlocks(item.blocks).flatMap((block) => (block.kind === 'text' ? [block.text.trim()] : [])),
  );
}

function itemMarkdown(item: TranscriptItem): string {
  switch (item.kind) {
    case 'user':
      return `## ${l10n.t('You')}\n\n${item.text.trim()}`;
    case 'assistant': {
      const parts = mainBlocks(item.blocks).map(blockMarkdown);
      if (item.stopped === true) parts.push(`*${l10n.t('Stopped.')}*`);
      return joinMarkdown([`## ${l10n.t('Claude')}`, ...parts.filter((part) => part !== '')]);
    }
    case 'notice':
      return `*${item.text}*`;
    case 'error':
      return [item.message, item.kept, item.next].filter(Boolean).join('\n').replace(/^/gm, '> ');
    default:
      return assertNever(item, 'item');
  }
}

function mainBlocks(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter((block) => block.parentToolUseId === undefined);
}

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text.trim();
    case 'thinking':
      return '';
    case 'tool':
      return toolMarkdown(block);
    default:
      return assertNever(block, 'block');
  }
}

function toolMarkdown(block: ToolBlock): string {
  const line = [block.title, block.summary, block.figure].filter(Boolean).join(' · ');
  const head = `- **${line.replaceAll('*', '\\*')}** (${stateWord(block.state)})`;
  const result = block.result?.text ?? '';
  if (result === '') return head;
  const text = stripAnsi(result);
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const cut = (block.result?.size ?? 0) > result.length ? '\n…' : '';
  return `${head}\n\n${fence}\n${text}${cut}\n${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

function stateWord(state: ToolBlock['state']): string {
  switch (state) {
    case 'running':
      return l10n.t('running');
    case 'done':
      return l10n.t('done');
    case 'failed':
      return l10n.t('failed');
    case 'denied':
      return l10n.t('denied');
    case 'cancelled':
      return l10n.t('cancelled');
    default:
      return assertNever(state, 'state');
  }
}

/** A transcript for programs: one item a line, as the panel has it. */
export function exportJsonLines(items: readonly TranscriptItem[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join('');
}
