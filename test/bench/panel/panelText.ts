import type { Patch } from '../../../src/chat/patchProtocol';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { longTalk } from '../../harness/panelSandbox/longTalk';
import { emptyState, text } from '../../harness/panelSandbox/states';
import { deltaText } from '../workload';

export const LIVE_ITEM = 'live';
export const LIVE_BLOCK = 'words';

/** How long the host gathers what goes to the webview, in milliseconds. */
export const POST_EVERY_MS = 16;

/** Piece number `index` of an answer as models write them: paragraphs, lists, and code in fences. */
export function pieceOf(index: number): string {
  const paragraph = Math.floor(index / 40);
  const at = index % 40;
  const word = deltaText(index).replaceAll('\n', ' ');
  if (paragraph % 25 === 24) {
    if (at === 0) return '\n\n```ts\n';
    return at === 39 ? '\n```\n\n' : `const v${at} = ${index};${at % 2 === 0 ? '\n' : ' '}`;
  }
  if (at === 39) return '.\n\n';
  if (paragraph % 10 === 9 && at % 8 === 0) return `\n- ${word}`;
  return word;
}

/** Messages to the view as the host posts them: what came in 16 ms as one, as one text. */
export function messagesOf(from: number, count: number, perMessage: number): readonly Patch[][] {
  const messages: Patch[][] = [];
  for (let at = from; at < from + count; at += perMessage) {
    const size = Math.min(perMessage, from + count - at);
    const words = Array.from({ length: size }, (_, index) => pieceOf(at + index)).join('');
    messages.push([{ op: 'append', itemId: LIVE_ITEM, blockId: LIVE_BLOCK, text: words }]);
  }
  return messages;
}

/** A conversation of so many turns in which an answer is about to stream. */
export function liveTalk(turns: number): ViewState {
  const state = turns === 0 ? emptyState() : longTalk(turns);
  const live = { kind: 'assistant' as const, id: LIVE_ITEM, blocks: [text(LIVE_BLOCK, '', true)] };
  return { ...state, status: { kind: 'working' }, items: [...state.items, live] };
}
