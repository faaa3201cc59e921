import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskCard } from '../../../src/chat/askProtocol';
import { questionKeys } from '../../../src/chat/questionsProtocol';
import type { ViewMessage } from '../../../src/chat/viewProtocol';
import { AskDrafts } from '../../../src/webview/askDrafts';
import { formCard, linkCard, questionCard } from '../chat/askFixture';
import { HandClock } from './handClock';

function open(card: AskCard) {
  const posted: ViewMessage[] = [];
  const clock = new HandClock();
  const drafts = new AskDrafts({ post: (message) => posted.push(message), timers: clock });
  return { posted, clock, drafts, draft: drafts.of(card) };
}

test('what is typed is with the host shortly, and no patch or new drawing takes it away', () => {
  const { posted, clock, drafts, draft } = open(formCard());
  draft.set({ '0': 'st' });
  draft.set({ '0': 'staging' });
  clock.advance(1000);
  assert.deepEqual(posted, [{ type: 'askDraft', cardId: 'f1', draft: { '0': 'staging' } }]);
  // The host's copy comes back later than what was typed since.
  draft.set({ '0': 'staging 2' });
  const again = drafts.of({ ...formCard(), draft: { '0': 'staging' } });
  assert.equal(again.values.value['0'], 'staging 2');
  drafts.flush();
  assert.equal(posted.length, 2);
});

test('a new view begins with what the host has kept', () => {
  const { draft } = open({ ...formCard(), draft: { '0': 'kept' } });
  assert.deepEqual(draft.values.value, { '0': 'kept' });
});

test('nothing goes out before it fits; from then on each change is looked at', () => {
  const { posted, draft } = open(formCard());
  draft.set({ '0': '' });
  assert.equal(draft.problems.value.size, 0, 'nobody is corrected while typing for the first time');
  assert.equal(draft.submit(), '0');
  assert.match(draft.problems.value.get('0') ?? '', /Fill/);
  assert.deepEqual(
    posted.filter(({ type }) => type === 'answerAsk'),
    [],
  );
  draft.set({ '0': 'x' });
  assert.equal(draft.problems.value.size, 0);
  assert.equal(draft.submit(), undefined);
  assert.deepEqual(posted.at(-1), {
    type: 'answerAsk',
    cardId: 'f1',
    reply: { action: 'accept', draft: { '0': 'x' } },
  });
});

test('questions name the one without an answer; a page is accepted as it is; both can be declined', () => {
  const questions = open(questionCard());
  assert.equal(questions.draft.submit(), questionKeys(0).chosen);
  questions.draft.decline();
  assert.deepEqual(questions.posted.at(-1), {
    type: 'answerAsk',
    cardId: 'q1',
    reply: { action: 'decline' },
  });
  const link = open(linkCard());
  assert.equal(link.draft.submit(), undefined);
  assert.equal(link.posted.length, 1);
});
