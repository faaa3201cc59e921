import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readInSlices } from '../../../src/cli/readInSlices';

/** Works as long as a burst of calls does. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('A burst is read whole and in order, and others get the event loop in between', async () => {
  const chunks = Array.from({ length: 20 }, (_, i) => Buffer.from([i]));
  const stream = new Readable({ read: () => undefined });
  const taken: number[] = [];
  let turnsOfOthers = 0;
  const look = (): void => {
    if (taken.length >= chunks.length) return;
    turnsOfOthers += 1;
    setImmediate(look);
  };
  readInSlices(stream, (chunk) => {
    work(3);
    taken.push(...chunk);
  });
  const ended = new Promise((resolve) => stream.once('end', resolve));
  setImmediate(look);
  for (const chunk of chunks) stream.push(chunk);
  stream.push(null);
  await ended;
  assert.deepEqual(
    taken,
    chunks.map(([i]) => i),
  );
  assert.ok(turnsOfOthers >= 5, `others had ${turnsOfOthers} turns in 60 ms of work`);
});
