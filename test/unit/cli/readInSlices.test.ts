import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readInSlices } from '../../../src/cli/readInSlices';

test('A burst is read whole and in order, and others get the event loop in between', async () => {
  const chunks = Array.from({ length: 20 }, (_, i) => Buffer.alloc(65_536, i));
  const stream = new Readable({ read: () => undefined });
  const taken: number[] = [];
  let turnsOfOthers = 0;
  const look = (): void => {
    if (taken.length >= chunks.length) return;
    turnsOfOthers += 1;
    setImmediate(look);
  };
  readInSlices(stream, (chunk) => {
    taken.push(chunk[0] ?? -1);
  });
  const ended = new Promise((resolve) => stream.once('end', resolve));
  setImmediate(look);
  for (const chunk of chunks) stream.push(chunk);
  stream.push(null);
  await ended;
  assert.deepEqual(
    taken,
    chunks.map((_, i) => i),
  );
  assert.ok(turnsOfOthers >= 5, `others had ${turnsOfOthers} turns in a burst of 1.3 MB`);
});
