import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forkPoint, forkTitle } from '../../../src/chat/forkPoint';
import type { TranscriptItem } from '../../../src/chat/viewStateProtocol';

const said = (id: string, wireId?: string): TranscriptItem => ({
  kind: 'user',
  id,
  text: `words of ${id}`,
  ...(wireId === undefined ? {} : { wireId }),
});
const answer = (id: string): TranscriptItem => ({ kind: 'assistant', id, blocks: [] });
const ITEMS: readonly TranscriptItem[] = [
  said('u1', 'w1'),
  answer('a1'),
  said('unsent'),
  { kind: 'notice', id: 'n', tone: 'info', text: 'a line' },
  said('u2', 'w2'),
  answer('a2'),
  answer('a3'),
  said('u3', 'w3'),
  answer('a4'),
];

test('a prompt is cut before, or before what was said next where it is not on the disk', () => {
  assert.deepEqual(forkPoint(ITEMS, 'u2'), { before: ['w2', 'w3'], prompt: 'words of u2' });
  assert.deepEqual(forkPoint(ITEMS, 'unsent'), {
    before: ['w2', 'w3'],
    prompt: 'words of unsent',
  });
});

test('an answer is kept, and the last one keeps all', () => {
  assert.deepEqual(forkPoint(ITEMS, 'a1'), { before: ['w2', 'w3'] });
  assert.deepEqual(forkPoint(ITEMS, 'a2'), { before: ['w3'] });
  assert.deepEqual(forkPoint(ITEMS, 'a4'), { before: [] });
});

test('lines between them, and what is not there, are no place to fork at', () => {
  assert.equal(forkPoint(ITEMS, 'n'), undefined);
  assert.equal(forkPoint(ITEMS, 'gone'), undefined);
});

test('titles of forks are counted', () => {
  assert.equal(forkTitle('Prices'), 'Prices (fork)');
  assert.equal(forkTitle('Prices (fork)'), 'Prices (fork 2)');
  assert.equal(forkTitle('Prices (fork 9)'), 'Prices (fork 10)');
  assert.equal(forkTitle('a (fork) b'), 'a (fork) b (fork)');
  assert.equal(forkTitle(''), '');
});
