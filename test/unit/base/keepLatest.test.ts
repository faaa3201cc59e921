import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepLatest } from '../../../src/base/keepLatest';

test('the oldest entries go, and no more than are too many', () => {
  const map = new Map(['a', 'b', 'c', 'd'].map((key) => [key, key]));
  map.delete('a');
  map.set('a', 'again');
  keepLatest(map, 4);
  assert.equal(map.size, 4);
  keepLatest(map, 2);
  assert.deepEqual([...map.keys()], ['d', 'a']);
});
