import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { DraftStore } from '../../../src/host/draftStore';
import { plainWorkspace, storageTwins } from '../../../src/host/storageTwins';

test('all folders that the editor gives to one workspace are known, ours first', () => {
  const [first, ...others] = storageTwins('/s/3fa9/dev.patchbay', 'drafts.json');
  assert.equal(first, '/s/3fa9/dev.patchbay/drafts.json');
  assert.equal(others.length, 9);
  assert.equal(others[8], '/s/3fa9-9/dev.patchbay/drafts.json');
  const [second, plain] = storageTwins('/s/3fa9-1/dev.patchbay', 'drafts.json');
  assert.equal(second, '/s/3fa9-1/dev.patchbay/drafts.json');
  assert.equal(plain, first);
  // A workspace may be named by a signed number.
  assert.equal(storageTwins('/s/-7c1/x', 'f').at(-1), '/s/-7c1-9/x/f');
});

test('a workspace has one name, whichever folder the editor gave it', () => {
  const names = ['/s/3fa9/dev.patchbay', '/s/3fa9-1/dev.patchbay', '/s/3fa9-9/dev.patchbay'];
  assert.deepEqual(names.map(plainWorkspace), ['3fa9', '3fa9', '3fa9']);
  assert.equal(plainWorkspace('/s/-7c1/x'), '-7c1');
});

test('what was kept is there again while an orphaned host holds the folder, and after it is gone', async (t) => {
  const base = await mkdtemp(path.join(tmpdir(), 'patchbay twins '));
  t.after(() => rm(base, { recursive: true, force: true }));
  const open = (workspace: string) =>
    DraftStore.open(storageTwins(path.join(base, workspace, 'ext'), 'drafts.json'), silentLogger);
  const written = async (workspace: string, seconds: number) => {
    const file = path.join(base, workspace, 'ext', 'drafts.json');
    await utimes(file, seconds, seconds);
  };
  await mkdir(path.join(base, 'w-2', 'ext'), { recursive: true });

  const killed = await open('w');
  killed.set('window', 'half a question');
  await killed.flush();
  await written('w', 1_000);

  const next = await open('w-1');
  assert.equal(next.get('window'), 'half a question');
  next.set('window', 'a whole question');
  next.set('tab', 'another');
  await next.flush();
  await written('w-1', 2_000);

  const later = await open('w');
  assert.equal(later.get('window'), 'a whole question');
  assert.equal(later.get('tab'), 'another');
  later.set('window', '');
  await later.flush();
  await written('w', 3_000);
  assert.equal((await open('w-1')).get('window'), '');
});
