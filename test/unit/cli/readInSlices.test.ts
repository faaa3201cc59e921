import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readInSlices } from '../../../src/cli/readInSlices';

/** Reads a burst of 1.3 MB; gives what was taken, and how many turns others had meanwhile. */
async function read(chunks: readonly Buffer[]) {
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
  const { whole, turnsOfOthers } = await read(chunks);
  assert.ok(whole.equals(Buffer.concat(chunks)));
  assert.ok(turnsOfOthers >= 5, `others had ${turnsOfOthers} turns`);
});

test('A long line is read without giving way, since it is only gathered', async () => {
  const chunks = Array.from({ length: 20 }, (_, i) => Buffer.alloc(65_536, 'a'.repeat(i + 1)));
  const { whole, turnsOfOthers } = await read(chunks);
  assert.ok(whole.equals(Buffer.concat(chunks)));
  assert.ok(turnsOfOthers <= 3, `others had ${turnsOfOthers} turns`);
});
