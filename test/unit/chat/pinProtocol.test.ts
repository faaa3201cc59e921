import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pinKey, pinKeyAt, pinnedAnswers } from '../../../src/chat/pinProtocol';
import type { TranscriptItem } from '../../../src/chat/viewStateProtocol';

const answer = (id: string): TranscriptItem => ({ kind: 'assistant', id, blocks: [] });

const live: readonly TranscriptItem[] = [
  { kind: 'user', id: 'p1', text: 'one', wireId: 'w1' },
  answer('a7'),
  { kind: 'notice', id: 'n1', tone: 'info', text: 'x' },
  answer('a9'),
  { kind: 'user', id: 'p2', text: 'two', wireId: 'w2' },
  answer('a12'),
];
const restored: readonly TranscriptItem[] = [
  { kind: 'user', id: 'w1', text: 'one', wireId: 'w1' },
  answer('a1'),
  answer('a2'),
  { kind: 'user', id: 'w2', text: 'two', wireId: 'w2' },
  answer('a3'),
];

test('a pinned answer is found again after a reload, though its item has another id', () => {
  const keys = ['a12', 'a9'].map((id) => pinKey(live, id));
  assert.deepEqual(
    pinnedAnswers(live, keys).map(({ id }) => id),
    ['a12', 'a9'],
  );
  assert.deepEqual(
    pinnedAnswers(restored, keys).map(({ id }) => id),
    ['a3', 'a2'],
  );
});

test('what is not there is left out, and an answer to nothing has its id', () => {
  assert.deepEqual(pinnedAnswers(restored, ['w3#1', 'w1#3', 'nobody']), []);
  const alone = [answer('a1')];
  assert.equal(pinKey(alone, 'a1'), 'a1');
  assert.equal(pinKey(alone, 'gone'), 'gone');
  assert.equal(pinnedAnswers(alone, ['a1']).length, 1);
});

test('from its place an answer gets the same name', () => {
  assert.deepEqual(
    [1, 3, 5].map((place) => pinKeyAt(live, place, live[place]?.id ?? '')),
    ['w1#1', 'w1#2', 'w2#1'],
  );
  assert.equal(pinKeyAt([answer('a1')], 0, 'a1'), 'a1');
});
