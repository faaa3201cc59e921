import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeightTree } from '../../../src/webview/heightTree';

/** Numbers below `most` that look like chance, and are the same each time. */
function* numbers(most: number): Generator<number, never> {
  let state = 7;
  for (;;) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state % most;
  }
}

test('sums and places are those of a plain list, whatever is set and pushed', () => {
  const next = numbers(1000);
  const take = (): number => next.next().value;
  for (const size of [0, 1, 2, 3, 7, 8, 9, 100]) {
    const plain = Array.from({ length: size }, take);
    const tree = new HeightTree(plain);
    for (let round = 0; round < 60; round += 1) {
      if (take() % 3 === 0) {
        plain.push(take());
        tree.push(plain.at(-1) ?? 0);
      } else if (plain.length > 0) {
        const at = take() % plain.length;
        plain[at] = take();
        tree.set(at, plain[at] ?? 0);
      }
      const sums = plain.map((_, at) => plain.slice(0, at).reduce((sum, one) => sum + one, 0));
      assert.deepEqual(
        sums.map((_, at) => tree.before(at)),
        sums,
      );
      assert.equal(
        tree.total,
        plain.reduce((sum, one) => sum + one, 0),
      );
      const distance = take();
      const expected = sums.findLastIndex((sum) => sum <= distance);
      assert.equal(tree.indexAt(distance), Math.max(0, expected));
    }
  }
});

test('outside of all stands the first or the last, and what is not there is not set', () => {
  const tree = new HeightTree([10, 20, 30]);
  assert.equal(tree.indexAt(-5), 0);
  assert.equal(tree.indexAt(9.5), 0);
  assert.equal(tree.indexAt(10), 1);
  assert.equal(tree.indexAt(1000), 2);
  tree.set(3, 50);
  tree.set(-1, 50);
  assert.equal(tree.total, 60);
  assert.equal(new HeightTree().indexAt(5), 0);
});

test('a hundred thousand heights are looked up and changed in no time', () => {
  const tree = new HeightTree(Array.from({ length: 100_000 }, () => 50));
  const start = performance.now();
  for (let at = 0; at < 20_000; at += 1) {
    tree.set(at, 60);
    assert.equal(tree.indexAt(tree.before(at)), at);
  }
  // A walk over all would take minutes; this takes some 20 ms.
  assert.ok(performance.now() - start < 5000);
});
