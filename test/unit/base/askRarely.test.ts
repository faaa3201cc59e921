import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askRarely } from '../../../src/base/askRarely';

test('an answer holds for its time from when it was asked for, and is asked for once', async () => {
  let now = 0;
  let asked = 0;
  const ask = askRarely(
    100,
    () => {
      asked += 1;
      return Promise.resolve(asked);
    },
    () => now,
  );
  assert.deepEqual(await Promise.all([ask(), ask()]), [1, 1]);
  now = 100;
  assert.equal(await ask(), 1);
  now = 101;
  assert.deepEqual(await Promise.all([ask(), ask()]), [2, 2]);
});

test('what has failed is asked for again, and nothing is left unhandled', async () => {
  let asked = 0;
  const ask = askRarely(1_000_000, () => {
    asked += 1;
    return asked === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(asked);
  });
  await assert.rejects(ask(), /broken/);
  assert.equal(await ask(), 2);
});
