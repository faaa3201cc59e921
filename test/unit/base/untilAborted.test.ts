import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilAborted } from '../../../src/base/untilAborted';

const never = new Promise<never>(() => undefined);

test('without an abort it is the promise, and the signal is let go of', async () => {
  const { signal } = new AbortController();
  assert.equal(await untilAborted(Promise.resolve(7), signal), 7);
  await assert.rejects(untilAborted(Promise.reject(new Error('own')), signal), /own/);
});

test('an abort, before or meanwhile, rejects at once with its reason', async () => {
  const control = new AbortController();
  const waiting = untilAborted(never, control.signal);
  control.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(untilAborted(never, control.signal), /enough/);
});

test('a promise that fails after the abort troubles nobody', async () => {
  const control = new AbortController();
  let fail = (_error: Error): void => undefined;
  const late = new Promise<never>((_resolve, reject) => (fail = reject));
  const waiting = untilAborted(late, control.signal);
  control.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  fail(new Error('late'));
  await new Promise((resolve) => setImmediate(resolve));
});
