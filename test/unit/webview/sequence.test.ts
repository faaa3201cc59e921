import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sequence } from '../../../src/webview/sequence';

const patches = (seq: number) => ({ type: 'patches', seq }) as const;

test('patches in order are used, old ones dropped', () => {
  const sequence = new Sequence();
  assert.equal(sequence.take({ type: 'snapshot', seq: 4 }), 'use');
  assert.equal(sequence.take(patches(5)), 'use');
  assert.equal(sequence.take(patches(5)), 'drop');
  assert.equal(sequence.take(patches(6)), 'use');
});

test('a gap asks once, and nothing is used until the next snapshot', () => {
  const sequence = new Sequence();
  sequence.take({ type: 'snapshot', seq: 1 });
  assert.equal(sequence.take(patches(3)), 'gap');
  assert.equal(sequence.take(patches(4)), 'drop');
  sequence.take({ type: 'snapshot', seq: 5 });
  assert.equal(sequence.take(patches(6)), 'use');
});

test('patches before the first snapshot are dropped', () => {
  assert.equal(new Sequence().take(patches(1)), 'drop');
});
