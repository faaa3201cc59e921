import { assertNever } from '../base/assertNever';
import type { Block, TranscriptItem } from '../chat/viewStateProtocol';

const LINE = 20;
const FOLDED = 24;
/** What a paragraph, an item or a fence takes beside its lines. */
const BREAK = 10;
/** A long prompt scrolls in its own box, and so do changes of a file. */
const BOX = 400;

/**
 * About how high an item will be, in CSS pixels, before it has been drawn.
 * @param columns characters that a line of text holds
 */
export function guessHeight(item: TranscriptItem, columns: number): number {
  switch (item.kind) {
    case 'user':
      return Math.min(BOX, linesOf(item.text, columns) * LINE) + 18;
    case 'assistant': {
      const blocks = item.blocks.filter((block) => block.parentToolUseId === undefined);
      return blocks.reduce((sum, block) => sum + guessBlock(block, columns) + 8, -8);
    }
    case 'error':
      return 120;
    case 'notice':
      return LINE;
    default:
      return assertNever(item, 'item');
  }
}

function guessBlock(block: Block, columns: number): number {
  if (block.kind === 'text') {
    return Math.ceil(block.text.length / columns) * LINE + breaksIn(block.text) * BREAK;
  }
  if (block.kind === 'thinking' || !block.diff) return FOLDED;
  const lines = block.diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return FOLDED + Math.min(BOX, lines * LINE);
}

function linesOf(text: string, columns: number): number {
  return Math.max(1, Math.ceil(text.length / columns), breaksIn(text) + 1);
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
