import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { TreeWatch } from '../../../src/workFiles/treeWatch';

let base = '';
before(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'patchbay-watch-'));
});
after(() => rm(base, { recursive: true, force: true }));

interface Room {
  readonly root: string;
  readonly watch: TreeWatch;
  readonly seen: string[];
  /** Waits until this path, or a folder that it lies in, was told of since the last call. */
  readonly told: (name: string) => Promise<void>;
}

function room(t: TestContext, name: string): Room {
  const root = path.join(base, name);
  const seen: string[] = [];
  const watch = new TreeWatch({ root, onChange: (at) => seen.push(path.relative(root, at)) });
  t.after(() => watch.dispose());
  return {
    root,
    watch,
    seen,
    told: async (name) => {
      const isTold = (at: string): boolean => at === '' || `${name}/`.startsWith(`${at}/`);
      while (!seen.some(isTold)) await new Promise((resolve) => setTimeout(resolve, 5));
      seen.length = 0;
    },
  };
}

test('a change of a file in a folder of the tree is told', async (t) => {
  const { root, watch, told } = room(t, 'plain');
  await mkdir(path.join(root, 'tools/deep'), { recursive: true });
  await watch.look();
  await writeFile(path.join(root, 'tools/deep/a.ts'), '1');
  await told('tools/deep/a.ts');
  await writeFile(path.join(root, 'tools/deep/a.ts'), '2');
  await told('tools/deep/a.ts');
  await rm(path.join(root, 'tools/deep/a.ts'));
  await told('tools/deep/a.ts');
});

test('a folder that comes later is followed, with what it holds already', async (t) => {
  const { root, watch, told } = room(t, 'later');
  await mkdir(root);
  await watch.look();
  await mkdir(path.join(root, 'new/deep'), { recursive: true });
  await writeFile(path.join(root, 'new/deep/a.ts'), '1');
  await told('new/deep');
  await writeFile(path.join(root, 'new/deep/a.ts'), '2');
  await told('new/deep/a.ts');
});

test('a tree that is removed and made anew is followed again, again and again', async (t) => {
  const { root, watch, told } = room(t, 'anew');
  for (let round = 0; round < 5; round += 1) {
    await mkdir(path.join(root, 'tools'), { recursive: true });
    await watch.look();
    await writeFile(path.join(root, 'tools/a.ts'), String(round));
    await told('tools/a.ts');
    await rm(root, { recursive: true });
  }
});

test('a folder below that is made anew under its name is followed', async (t) => {
  const { root, watch, told } = room(t, 'same name');
  await mkdir(path.join(root, 'tools'), { recursive: true });
  await watch.look();
  for (let round = 0; round < 5; round += 1) {
    await rm(path.join(root, 'tools'), { recursive: true });
    await mkdir(path.join(root, 'tools'));
    await told('tools');
    await writeFile(path.join(root, 'tools/a.ts'), '1');
    await told('tools/a.ts');
  }
});

test('a tree that is not there is none, and nothing is told after the end', async (t) => {
  const { root, watch, seen } = room(t, 'nothing');
  await watch.look();
  assert.deepEqual(seen, []);
  await mkdir(root);
  watch.dispose();
  await watch.look();
  await writeFile(path.join(root, 'a'), '1');
  assert.deepEqual(seen, []);
});
