import { joinMarkdown } from '../chat/markdown';
import type {
  AssistantItem,
  Block,
  TextBlock,
  TranscriptItem,
  UserItem,
} from '../chat/viewStateProtocol';
import { toolStateWord } from './words';

/** What was said in it, as markdown: an answer's words without its workings. */
export function articleMarkdown(item: UserItem | AssistantItem): string {
  if (item.kind === 'user') return item.text;
  const words = item.blocks.filter(isAnswer).map((block) => block.text.trim());
  return words.length > 0 ? joinMarkdown(words) : workMarkdown(item.blocks);
}

/** What an item of any kind says. */
export function itemMarkdown(item: TranscriptItem): string {
  if (item.kind === 'error') return item.message;
  return item.kind === 'notice' ? item.text : articleMarkdown(item);
}

/** An answer that is all work, a line for each call: `- Edit: src/a.ts (failed)`. */
function workMarkdown(blocks: readonly Block[]): string {
  const lines = blocks.flatMap((block) => {
    if (block.kind !== 'tool' || block.parentToolUseId !== undefined) return [];
    const about = block.summary === '' ? '' : `: ${block.summary}`;
    const state = block.state === 'done' ? '' : ` (${toolStateWord(block.state)})`;
    return [`- ${block.title}${about}${state}`];
  });
  return lines.join('\n');
}

/** Words of the model for the person, and not a subagent's. */
export function isAnswer(block: Block): block is TextBlock {
  return block.kind === 'text' && block.parentToolUseId === undefined && block.text.trim() !== '';
}
