import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readInSlices } from '../../../src/cli/readInSlices';

/** Reads a burst of 1.3 MB, each chunk work or none; gives what was taken, and how many turns others had meanwhile. */
async function read(chunks: readonly Buffer[], isWork: boolean) {
  const stream = new Readable({ read: () => undefined });
  const taken: Buffer[] = [];
  let turnsOfOthers = 0;
  const look = (): void => {
    if (taken.length >= chunks.length) return;
    turnsOfOthers += 1;
    setImmediate(look);
  };
  readInSlices(stream, (chunk) => {
    taken.push(chunk);
    return isWork;
  });
  const ended = new Promise((resolve) => stream.once('end', resolve));
  setImmediate(look);
  for (const chunk of chunks) stream.push(chunk);
  stream.push(null);
  await ended;
  return { whole: Buffer.concat(taken), turnsOfOthers };
}

test('A burst is read whole and in order, and others get the event loop in between', async () => {
  const chunks = Array.from({ length: 20 }, (_, i) => Buffer.alloc(65_536, `${i}\n`));
  const { whole, turnsOfOthers } = await read(chunks, true);
  assert.ok(whole.equals(Buffer.concat(chunks)));
  assert.ok(turnsOfOthers >= 5, `others had ${turnsOfOthers} turns`);
});

test('What is no work is read without giving way', async () => {
  const chunks = Array.from({ length: 20 }, (_, i) => Buffer.alloc(65_536, `${i}`));
  const { whole, turnsOfOthers } = await read(chunks, false);
  assert.ok(whole.equals(Buffer.concat(chunks)));
  assert.ok(turnsOfOthers <= 3, `others had ${turnsOfOthers} turns`);
});
