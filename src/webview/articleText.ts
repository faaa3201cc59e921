import type { AssistantItem, Block, TextBlock, UserItem } from '../chat/viewStateProtocol';

/** What was said in it, as markdown: an answer's words without its workings. */
export function articleMarkdown(item: UserItem | AssistantItem): string {
  if (item.kind === 'user') return item.text;
  return item.blocks
    .filter(isAnswer)
    .map((block) => block.text.trim())
    .join('\n\n');
}

/** Words of the model for the person, and not a subagent's. */
export function isAnswer(block: Block): block is TextBlock {
  return block.kind === 'text' && block.parentToolUseId === undefined && block.text.trim() !== '';
}
