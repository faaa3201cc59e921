import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import type { TranscriptItem } from '../../../src/chat/viewStateProtocol';
import { FindModel, placesOf } from '../../../src/webview/findModel';

/** Everything that waits for nothing but a turn of the loop has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const user = (id: string, text: string): TranscriptItem => ({ kind: 'user', id, text });
const claude = (id: string, ...texts: readonly string[]): TranscriptItem => ({
  kind: 'assistant',
  id,
  blocks: texts.map((text, index) => ({
    ...{ kind: 'text', id: `${id}-${index}`, text, streaming: false },
  })),
});

function setUp(...given: readonly TranscriptItem[]) {
  return setUpWith(() => new Promise(() => undefined), given);
}

/** @param quiet when there is time to read ahead; else never */
function setUpWith(quiet: () => Promise<void>, given: readonly TranscriptItem[]) {
  const items = [...given];
  let rendered = 0;
  const model = new FindModel({
    items: () => items,
    plain: (markdown) => {
      rendered += 1;
      return markdown.replaceAll('*', '');
    },
    quiet,
  });
  model.open();
  const at = (): string => {
    const { matches, at: index } = model.view.value;
    const match = matches[index];
    return `${index + 1}/${matches.length} ${match?.blockId ?? match?.itemId ?? ''} ${match?.nth ?? ''}`;
  };
  return { model, items, at, rendered: () => rendered };
}

test('words of the person and of the model are found, as they are drawn, the newest first', () => {
  const { model, at } = setUp(
    user('u1', 'a cart, and a CART'),
    claude('a1', 'the c**ar**t', 'none'),
    user('u2', 'nothing'),
  );
  model.search('cart');
  assert.equal(at(), '3/3 a1-0 0');
  model.step(-1);
  assert.equal(at(), '2/3 u1 1');
  model.step(-1);
  assert.equal(at(), '1/3 u1 0');
  model.step(-1);
  assert.equal(at(), '3/3 a1-0 0', 'it goes round');
  model.step(1);
  assert.equal(at(), '1/3 u1 0');
  model.search('no such word');
  assert.equal(at(), '0/0  ');
  model.step(1);
  assert.equal(at(), '0/0  ');
});

test('a conversation that grows keeps the match that is shown', () => {
  const { model, items, at } = setUp(user('u1', 'cart'), user('u2', 'cart'));
  model.search('cart');
  model.step(-1);
  assert.equal(at(), '1/2 u1 0');
  items.push(user('u3', 'cart'));
  model.refresh();
  assert.equal(at(), '1/3 u1 0');
  model.step(1);
  assert.equal(at(), '2/3 u2 0');
});

test('a match is scrolled to when it is asked for, not because the conversation goes on', () => {
  const { model, items } = setUp(user('u1', 'cart'));
  const wish = (): number => model.view.value.wish;
  model.search('cart');
  const first = wish();
  items.push(user('u2', 'cart'));
  model.refresh();
  assert.equal(wish(), first);
  model.step(1);
  assert.ok(wish() > first, 'also where it comes back to the same');
  model.search('zebra');
  const none = wish();
  items.push(user('u3', 'a zebra'));
  model.refresh();
  assert.ok(wish() > none, 'there was none to show before');
});

test('a block is rendered once, however much is typed', () => {
  const { model, rendered } = setUp(claude('a1', 'words'));
  for (const query of ['w', 'wo', 'wor']) model.search(query);
  assert.equal(rendered(), 1);
});

test('what is typed is text and no pattern, and an empty search finds nothing', () => {
  assert.deepEqual(placesOf('a.*(', 'xa.*( A.*('), [
    [1, 5],
    [6, 10],
  ]);
  assert.deepEqual(placesOf('', 'abc'), []);
  assert.deepEqual(placesOf('[', 'a[b'), [[1, 2]]);
  assert.deepEqual(placesOf('a-b/c', 'a-b/c'), [[0, 5]]);
});

test('closed, nothing is marked, and the same text is searched for again when it opens', () => {
  const { model, at } = setUp(user('u1', 'cart'));
  model.search('cart');
  model.close();
  assert.equal(at(), '0/0  ');
  model.open();
  assert.equal(at(), '1/1 u1 0');
});

test('the conversation is read ahead in quiet moments, and the first letter waits for none of it', async () => {
  const talk = Array.from({ length: 50 }, (_, n) => claude(`a${n}`, 'one', 'two'));
  const { model, rendered } = setUpWith(() => Promise.resolve(), [user('u1', 'one'), ...talk]);
  await settled();
  assert.equal(rendered(), 100);
  model.search('one');
  assert.equal(rendered(), 100);
  assert.equal(model.view.value.matches.length, 51);
});

test('of a search that was closed meanwhile nothing more is read', async () => {
  const gate = createDeferred<undefined>();
  const { model, rendered } = setUpWith(() => gate.promise, [claude('a1', 'one')]);
  model.close();
  gate.resolve(undefined);
  await settled();
  assert.equal(rendered(), 0);
});
