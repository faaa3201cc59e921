import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { takeLoopRecords, writeLoopRecord } from '../../../src/workspaceTools/loopRecord';

test('a record from before the machine was started is taken once, though a process has its number again', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-loops-'));
  t.after(() => rm(folder, { recursive: true }));
  const question = { workspace: 'w', isOurs: () => true, isRunning: () => true };
  const taken = (): readonly boolean[] =>
    takeLoopRecords(folder, question).map(({ isRunning }) => isRunning);
  const record = { workspace: 'w', files: ['/w/a.tool.ts'], stack: [], seconds: 10 };
  writeLoopRecord(folder, { ...record, pid: 4_000_001 });
  assert.deepEqual([taken(), taken()], [[true], [true]]);
  const before = Date.now() / 1_000 - os.uptime() - 3_600;
  await utimes(path.join(folder, 'loop-4000001.json'), before, before);
  assert.deepEqual([taken(), taken()], [[false], []]);
  assert.deepEqual(await readdir(folder), []);
});
