import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { restoreTree } from '../../harness/restoreTree';

describe('a folder that is made as another one is', () => {
  it('gets what it lacks, loses what is too much, and the rest is not touched', async () => {
    const place = await mkdtemp(path.join(tmpdir(), 'patchbay tree '));
    const from = path.join(place, 'from');
    const to = path.join(place, 'to');
    try {
      await mkdir(path.join(from, 'src', 'deep'), { recursive: true });
      for (const name of ['same.txt', 'src/changed.txt', 'src/deep/lacking.txt', 'was a folder']) {
        await writeFile(path.join(from, name), `text of ${name}`);
      }
      assert.equal((await restoreTree(from, to)).length, 4);
      const before = await stat(path.join(to, 'same.txt'));
      await writeFile(path.join(to, 'src/changed.txt'), 'other');
      await rm(path.join(to, 'src/deep'), { recursive: true });
      await rm(path.join(to, 'was a folder'));
      await mkdir(path.join(to, 'was a folder', 'below'), { recursive: true });
      await writeFile(path.join(to, 'too much.txt'), 'x');
      await symlink(path.join(from, 'same.txt'), path.join(to, 'src', 'link'));
      const changed = await restoreTree(from, to);
      assert.deepEqual([...new Set(changed)].sort(), [
        'src/changed.txt',
        'src/deep/lacking.txt',
        'src/link',
        'too much.txt',
        'was a folder',
        'was a folder/below',
      ]);
      assert.deepEqual(
        (await readdir(to, { recursive: true })).sort(),
        (await readdir(from, { recursive: true })).sort(),
      );
      assert.equal(await readFile(path.join(to, 'was a folder'), 'utf8'), 'text of was a folder');
      assert.equal((await stat(path.join(to, 'same.txt'))).mtimeMs, before.mtimeMs);
      assert.equal(await readFile(path.join(from, 'same.txt'), 'utf8'), 'text of same.txt');
    } finally {
      await rm(place, { recursive: true });
    }
  });
});
