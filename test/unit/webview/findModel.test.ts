import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TranscriptItem } from '../../../src/chat/viewStateProtocol';
import { FindModel, placesOf } from '../../../src/webview/findModel';

const user = (id: string, text: string): TranscriptItem => ({ kind: 'user', id, text });
const claude = (id: string, ...texts: readonly string[]): TranscriptItem => ({
  kind: 'assistant',
  id,
  blocks: texts.map((text, index) => ({
    ...{ kind: 'text', id: `${id}-${index}`, text, streaming: false },
  })),
});

function setUp(...given: readonly TranscriptItem[]) {
  const items = [...given];
  let rendered = 0;
  const model = new FindModel({
    items: () => items,
    plain: (markdown) => {
      rendered += 1;
      return markdown.replaceAll('*', '');
    },
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
