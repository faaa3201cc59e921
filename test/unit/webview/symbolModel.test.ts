import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_SYMBOL_NAMES } from '../../../src/chat/symbolProtocol';
import { SymbolModel } from '../../../src/webview/symbolModel';

function made() {
  const asked: string[][] = [];
  const opened: string[] = [];
  const clock = { now: 0 };
  const model = new SymbolModel({
    ask: (names) => asked.push(names),
    open: (name) => opened.push(name),
    now: () => clock.now,
  });
  return { model, asked, opened, clock };
}

test('a name is asked for once, however often it is looked at', () => {
  const { model, asked } = made();
  model.want(['orderTotal', 'orderTotal', 'npm test']);
  model.want(['orderTotal']);
  assert.deepEqual(asked, [['orderTotal']]);
  assert.equal(model.isLink('orderTotal'), false);
  let told = 0;
  const stop = model.onAnswer(() => (told += 1));
  model.answered([{ name: 'orderTotal', count: 1 }]);
  stop();
  model.answered([]);
  assert.equal(told, 1);
  assert.equal(model.isLink('orderTotal'), true);
  model.want(['orderTotal']);
  assert.equal(asked.length, 1);
});

test('what was not there is asked for again after a while', () => {
  const { model, asked, clock } = made();
  model.want(['orderTotal']);
  model.answered([{ name: 'orderTotal', count: 0 }]);
  model.want(['orderTotal']);
  assert.equal(asked.length, 1);
  clock.now = 61_000;
  model.want(['orderTotal']);
  assert.equal(asked.length, 2);
});

test('a press on a name of which nothing is known yet opens it once it is known', () => {
  const { model, asked, opened } = made();
  model.press('orderTotal');
  assert.deepEqual([asked, opened], [[['orderTotal']], []]);
  model.answered([{ name: 'orderTotal', count: 2 }]);
  assert.deepEqual(opened, ['orderTotal']);
  model.press('orderTotal');
  assert.equal(opened.length, 2);
  model.press('nobody');
  model.answered([{ name: 'nobody', count: 0 }]);
  assert.equal(opened.length, 2);
});

test('at most so many names go at once', () => {
  const { model, asked } = made();
  model.want(Array.from({ length: 100 }, (_, n) => `name${n}`));
  assert.deepEqual(
    asked.map(({ length }) => length),
    [MAX_SYMBOL_NAMES],
  );
});
