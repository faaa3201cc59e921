import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProgress } from '../../../src/conversation/describeProgress';

test('progress is told by figure, by words, by both, or not at all', () => {
  assert.equal(describeProgress({ done: 1, total: 2, message: 'halfway' }), '1 of 2 · halfway');
  assert.equal(describeProgress({ done: 1, total: 2 }), '1 of 2');
  assert.equal(describeProgress({ done: 1, message: 'begun' }), 'begun');
  assert.equal(describeProgress({ done: 1, total: 0 }), '');
});
