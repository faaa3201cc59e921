import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PromptQueue } from '../../../src/chat/promptQueue';

const prompt = (id: string) => ({ id, text: `text ${id}` });

function queueOf(...ids: string[]): PromptQueue {
  const queue = new PromptQueue();
  for (const id of ids) queue.hold(prompt(id));
  return queue;
}

test('prompts are taken in the order in which they were held', () => {
  const queue = queueOf('a', 'b');
  assert.deepEqual([queue.next()?.id, queue.next()?.id, queue.next()], ['a', 'b', undefined]);
});

test('an id is claimed once, also after its prompt was sent', () => {
  const queue = new PromptQueue();
  assert.deepEqual([queue.claim('a'), queue.claim('a')], [true, false]);
  queue.hold(prompt('a'));
  assert.equal(queue.hold(prompt('a')), false);
  queue.next();
  assert.equal(queue.claim('a'), false);
});

test('one can be taken out, put back in front, and not be taken twice', () => {
  const queue = queueOf('a', 'b', 'c');
  assert.equal(queue.take('b')?.text, 'text b');
  assert.equal(queue.take('b'), undefined);
  queue.putBack(prompt('b'));
  assert.deepEqual(
    queue.items.map(({ id }) => id),
    ['b', 'a', 'c'],
  );
});

test('several that are put back stand in the order in which they were said, before all others', () => {
  for (const order of ['abc', 'cba', 'bca', 'acb']) {
    const queue = new PromptQueue();
    for (const id of 'abcd') queue.claim(id);
    queue.hold(prompt('d'));
    for (const id of order) queue.putBack(prompt(id));
    assert.equal(queue.items.map(({ id }) => id).join(''), 'abcd', order);
    // What the agent was not told goes before all, the newest first.
    for (const id of ['lead1', 'lead2']) queue.putBack(prompt(id));
    assert.equal(queue.items.map(({ id }) => id).join(' '), 'lead2 lead1 a b c d');
    queue.take('b');
    queue.putBack(prompt('b'));
    assert.equal(queue.items.map(({ id }) => id).join(' '), 'lead2 lead1 a b c d');
  }
});

test('after Stop nothing starts by itself until one is sent', () => {
  const queue = queueOf('a', 'b');
  queue.pause();
  assert.deepEqual([queue.isPaused, queue.next()], [true, undefined]);
  assert.equal(queue.sendNow('b')?.id, 'b');
  assert.equal(queue.next()?.id, 'a');
  queue.pause();
  assert.equal(queue.isPaused, false);
});

test('the list is a new one after each change, so that a view sees it', () => {
  const queue = queueOf('a');
  const before = queue.items;
  queue.hold(prompt('b'));
  assert.notEqual(queue.items, before);
  assert.equal(before.length, 1);
  queue.clear();
  assert.deepEqual(queue.items, []);
});

test('one goes before or behind its neighbour, and never over an end', () => {
  const queue = queueOf('a', 'b', 'c');
  const ids = (): string => queue.items.map(({ id }) => id).join('');
  const moved: [string, -1 | 1, boolean, string][] = [
    ['c', -1, true, 'acb'],
    ['c', -1, true, 'cab'],
    ['c', -1, false, 'cab'],
    ['c', 1, true, 'acb'],
    ['b', 1, false, 'acb'],
    ['gone', 1, false, 'acb'],
  ];
  for (const [id, by, isMoved, order] of moved) {
    assert.deepEqual([queue.move(id, by), ids()], [isMoved, order]);
  }
  assert.equal(queue.next()?.id, 'a');
});
