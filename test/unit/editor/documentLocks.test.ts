import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { DocumentLocks } from '../../../src/editor/documentLocks';

test('calls on one document go one after the other in their order, others do not wait', async () => {
  const locks = new DocumentLocks();
  const gate = createDeferred<undefined>();
  const seen: string[] = [];
  const first = locks.hold(['a'], async () => {
    seen.push('first starts');
    await gate.promise;
    seen.push('first ends');
  });
  const second = locks.hold(['a', 'b'], async () => Promise.resolve(seen.push('second')));
  const third = locks.hold(['b'], async () => Promise.resolve(seen.push('third')));
  await locks.hold(['c'], async () => Promise.resolve(seen.push('other')));
  assert.deepEqual(seen, ['first starts', 'other']);
  gate.resolve(undefined);
  await Promise.all([first, second, third]);
  assert.deepEqual(seen, ['first starts', 'other', 'first ends', 'second', 'third']);
});

test('calls that name the same documents in another order do not wait for each other for ever', async () => {
  const locks = new DocumentLocks();
  let running = 0;
  const work = async (): Promise<void> => {
    running += 1;
    assert.equal(running, 1);
    await Promise.resolve();
    running -= 1;
  };
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      locks.hold(n % 2 === 0 ? ['a', 'b', 'a'] : ['b', 'a'], work),
    ),
  );
  assert.equal(running, 0);
});

test('a call that fails lets the next one go on', async () => {
  const locks = new DocumentLocks();
  const failing = locks.hold(['a'], () => Promise.reject(new Error('boom')));
  const next = locks.hold(['a'], () => Promise.resolve('ran'));
  await assert.rejects(failing, /boom/);
  assert.equal(await next, 'ran');
});

test('a folder is held with all that lies in it, and not with what is only called alike', async () => {
  const locks = new DocumentLocks();
  for (const [held, other] of [
    ['/w/a', '/w/a/b/c.ts'],
    ['/w/a/b/c.ts', '/w/a'],
  ] as const) {
    const gate = createDeferred<undefined>();
    const seen: string[] = [];
    const first = locks.hold([held], async () => {
      await gate.promise;
      seen.push('first');
    });
    const second = locks.hold([other], async () => Promise.resolve(seen.push('second')));
    for (const apart of ['/w/ab', '/w/a.ts']) {
      await locks.hold([apart], async () => Promise.resolve(seen.push(apart)));
    }
    gate.resolve(undefined);
    await Promise.all([first, second]);
    assert.deepEqual(seen.slice(-2), ['first', 'second']);
  }
});
