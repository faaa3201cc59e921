import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { conversationFolder } from '../../../src/host/conversationFolder';

test('a conversation of an extension works in the workspace, however its folders are called, and nowhere else', async (t) => {
  const base = await mkdtemp(path.join(tmpdir(), 'patchbay-folder-'));
  t.after(() => rm(base, { recursive: true }));
  const at = (...below: string[]): string => path.join(base, ...below);
  for (const folder of ['one/..odd/x', 'two', 'outside']) {
    await mkdir(at(folder), { recursive: true });
  }
  await symlink(at('outside'), at('one/out'));
  await symlink(at('two'), at('one/other'));
  await symlink(at('one'), at('linked'));
  const roots = [at('linked'), at('two')];
  const inside = ['linked', 'linked/..odd', 'linked/..odd/x', 'two', 'one', 'linked/other'];
  for (const folder of inside) {
    const found = await conversationFolder(roots, at(folder));
    assert.deepEqual(found, { name: path.basename(folder), path: at(folder) });
  }
  assert.equal((await conversationFolder(roots, undefined)).path, at('linked'));
  for (const cwd of ['/', base, at('outside'), at('linked/out'), at('linked/..'), 'one', 5]) {
    await assert.rejects(conversationFolder(roots, cwd as string), /cwd must be the whole path/);
  }
  await assert.rejects(conversationFolder([], undefined), /No folder is open/);
});
