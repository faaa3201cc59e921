import type { TranscriptItem, ViewState } from '../../../src/chat/viewStateProtocol';
import type { SideQuestion } from '../../../src/chat/sideProtocol';
import { emptyState, streamingState, text } from './states';

/** Two questions and their answers, all of it on the disk. */
export function talkState(over: Partial<ViewState> = {}): ViewState {
  return {
    ...emptyState(),
    title: 'Rounding of prices',
    status: { kind: 'idle' },
    items: [
      said('u1', 'Why is the total off by a cent?'),
      answer('a1', 'Each price is rounded before they are added. Round the sum instead.'),
      said('u2', 'Do that in orderTotal, and add a test with three prices that end in a third.'),
      answer('a2', 'Done: `orderTotal` rounds once, and the new test passes.'),
    ],
    ...over,
  };
}

function said(id: string, words: string): TranscriptItem {
  return { kind: 'user', id, text: words, wireId: `w-${id}` };
}

function answer(id: string, words: string): TranscriptItem {
  return { kind: 'assistant', id, blocks: [text(`${id}-text`, words)] };
}

export const sideAnswer: SideQuestion = {
  ...{ id: 'q1', question: 'what does locale ?? "en" do?', state: 'answered' as const },
  answer:
    'It takes `"en"` where the customer has no locale: `??` looks at *null* and *undefined* only.',
};

/** A turn runs, and something was asked beside it. */
export function sideState(): ViewState {
  return { ...streamingState(), side: [sideAnswer] };
}
