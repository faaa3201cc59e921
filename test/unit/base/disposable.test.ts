import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposableStore, toDisposable } from '../../../src/base/disposable';

test('a store lets go of its items in reverse order, once', () => {
  const seen: string[] = [];
  const store = new DisposableStore();
  store.add(toDisposable(() => seen.push('a')));
  store.add(toDisposable(() => seen.push('b')));
  store.dispose();
  store.dispose();
  assert.deepEqual(seen, ['b', 'a']);
});

test('what is added to a disposed store is disposed at once', () => {
  const store = new DisposableStore();
  store.dispose();
  let gone = false;
  store.add(toDisposable(() => (gone = true)));
  assert.equal(gone, true);
});

test('one item that throws does not keep the others from being disposed', () => {
  const store = new DisposableStore();
  let gone = false;
  store.add(toDisposable(() => (gone = true)));
  store.add({
    dispose: () => {
      throw new Error('x');
    },
  });
  assert.throws(() => {
    store.dispose();
  }, AggregateError);
  assert.equal(gone, true);
});
