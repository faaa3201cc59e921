import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TranscriptItem } from '../../../src/chat/viewStateProtocol';
import { promptBeside, ReadingModel } from '../../../src/webview/readingModel';

const items: readonly TranscriptItem[] = [
  { kind: 'user', id: 'u1', text: 'one' },
  { kind: 'assistant', id: 'a1', blocks: [] },
  { kind: 'notice', id: 'n1', tone: 'info', text: 'x' },
  { kind: 'user', id: 'u2', text: 'two' },
  { kind: 'assistant', id: 'a2', blocks: [] },
];

test('the own message before and behind what is read is found', () => {
  assert.equal(promptBeside(items, 'a2', -1, true), 'u2');
  assert.equal(promptBeside(items, 'u2', -1, false), 'u1');
  assert.equal(promptBeside(items, 'u2', -1, true), 'u2', 'first to its own beginning');
  assert.equal(promptBeside(items, 'u1', 1, false), 'u2');
  assert.equal(promptBeside(items, 'u1', -1, false), undefined);
  assert.equal(promptBeside(items, 'u2', 1, false), undefined);
  assert.equal(promptBeside(items, undefined, 1, false), undefined);
});

test('a wish is done once, and a newer one is not taken for it', () => {
  const reading = new ReadingModel(() => undefined);
  reading.jumpTo('u1');
  const first = reading.wish.value!;
  reading.jumpTo('u1');
  reading.arrived(first);
  assert.notEqual(reading.wish.value, undefined);
  reading.arrived(reading.wish.value!);
  assert.equal(reading.wish.value, undefined);
});

test('an answer is pinned and unpinned', () => {
  const kept: (readonly string[])[] = [];
  const reading = new ReadingModel((keys) => kept.push(keys));
  reading.startPins(['a0']);
  reading.togglePin('a1');
  reading.togglePin('a2');
  reading.togglePin('a1');
  assert.deepEqual(reading.pinned.value, ['a0', 'a2']);
  assert.deepEqual(kept, [
    ['a0', 'a1'],
    ['a0', 'a1', 'a2'],
    ['a0', 'a2'],
  ]);
});
