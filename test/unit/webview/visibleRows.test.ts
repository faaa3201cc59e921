import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ROW_HEIGHT,
  rowAfterKey,
  scrollTopFor,
  visibleRows,
} from '../../../src/webview/inspector/visibleRows';

test('only rows around what is seen are drawn, whatever the list has', () => {
  assert.deepEqual(visibleRows(0, 0, 500), { first: 0, end: 0 });
  assert.deepEqual(visibleRows(5, 0, 500), { first: 0, end: 5 });
  const { first, end } = visibleRows(10_000, 5_000 * ROW_HEIGHT, 20 * ROW_HEIGHT);
  assert.ok(first <= 5_000 && end >= 5_020 && end - first < 60);
  // Scrolled beyond a list that has become shorter.
  assert.deepEqual(visibleRows(3, 9_000, 500), { first: 3, end: 3 });
});

test('a row is scrolled to only where it cannot be seen', () => {
  const height = 10 * ROW_HEIGHT;
  assert.equal(scrollTopFor(5, 0, height), 0);
  assert.equal(scrollTopFor(9, 0, height), 0);
  assert.equal(scrollTopFor(10, 0, height), ROW_HEIGHT);
  assert.equal(scrollTopFor(3, 7 * ROW_HEIGHT, height), 3 * ROW_HEIGHT);
});

test('keys lead through the list and not beyond it', () => {
  const go = (key: string, at: number) => rowAfterKey(key, at, 100, 10);
  assert.deepEqual([go('ArrowDown', -1), go('ArrowDown', 0), go('ArrowDown', 99)], [0, 1, 99]);
  assert.deepEqual([go('ArrowUp', -1), go('ArrowUp', 0), go('ArrowUp', 5)], [99, 0, 4]);
  assert.deepEqual([go('PageDown', 95), go('PageUp', 5), go('PageDown', 5)], [99, 0, 15]);
  assert.deepEqual([go('Home', 50), go('End', 50), go('x', 50)], [0, 99, undefined]);
  assert.equal(rowAfterKey('ArrowDown', -1, 0, 10), undefined);
});
