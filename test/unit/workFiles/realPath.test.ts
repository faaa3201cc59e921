import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { resolveRealPath, resolveRealPaths } from '../../../src/workFiles/realPath';

let base = '';
const at = (...parts: string[]): string => path.join(base, ...parts);

before(async () => {
  base = await realpath(await mkdtemp(path.join(os.tmpdir(), 'real path ')));
  await mkdir(at('ws/src'), { recursive: true });
  await mkdir(at('out/deep'), { recursive: true });
  await writeFile(at('ws/src/a.ts'), '');
  await symlink(at('out'), at('ws/away'), 'junction');
  await symlink('../out/deep', at('ws/relative'));
  await symlink(at('out/new.txt'), at('ws/dangling'));
  await symlink('../out/missing/dir', at('ws/danglingDir'));
  await symlink(at('ws/ringB'), at('ws/ringA'));
  await symlink(at('ws/ringA'), at('ws/ringB'));
});
after(() => rm(base, { recursive: true, force: true }));

test('an existing path and one whose tail does not exist stay where they are', async () => {
  for (const file of [at('ws/src/a.ts'), at('ws/src/new.ts'), at('ws/x/y/z/new.ts')]) {
    assert.equal(await resolveRealPath(file), file);
  }
});

test('links on the way are followed, also when what lies behind them does not exist yet', async () => {
  assert.equal(await resolveRealPath(at('ws/away/new/file.ts')), at('out/new/file.ts'));
  assert.equal(await resolveRealPath(at('ws/relative/file.ts')), at('out/deep/file.ts'));
});

test('a link to nowhere is what a write through it would make', async () => {
  assert.equal(await resolveRealPath(at('ws/dangling')), at('out/new.txt'));
  assert.equal(await resolveRealPath(at('ws/danglingDir/file.ts')), at('out/missing/dir/file.ts'));
  assert.equal(await resolveRealPath(at('ws/away/../dangling')), at('out/new.txt'));
});

test('rings of links, files used as folders and odd paths end without an error', async () => {
  const ring = await resolveRealPath(at('ws/ringA/file'));
  assert.ok(ring.startsWith(at('ws/ring')));
  assert.equal(await resolveRealPath(at('ws/src/a.ts/below')), at('ws/src/a.ts/below'));
  for (const odd of [
    `${base}/a\0b`,
    `${base}/${'n'.repeat(5000)}`,
    `${base}/${'d/'.repeat(900)}x`,
  ]) {
    assert.equal(typeof (await resolveRealPath(odd)), 'string');
  }
  assert.equal(await resolveRealPath(path.parse(base).root), path.parse(base).root);
});

test('many paths of one folder are resolved as each of them is', async () => {
  const plain = Array.from({ length: 12 }, (_, index) => at(`ws/src/many${index}.ts`));
  await Promise.all(plain.map((file) => writeFile(file, '')));
  await symlink(at('out/deep'), at('ws/src/linked'));
  await symlink(at('out/none.ts'), at('ws/src/nowhere.ts'));
  const inside = [...plain, at('ws/src/linked'), at('ws/src/nowhere.ts'), at('ws/src/absent.ts')];
  await symlink(at('ws/src'), at('ws/other'), 'junction');
  const throughLink = inside.map((file) => file.replace(at('ws/src'), at('ws/other')));
  const few = [at('ws/away/x.ts'), at('ws/ringA/file'), at('nothing/here.ts'), base];
  const odd = [`${at('ws/src')}//many1.ts`, `${at('ws/src')}/../src/many2.ts`];
  const all = [...inside, ...throughLink, ...few, ...odd, ...few];
  const resolved = await resolveRealPaths(all);
  assert.equal(resolved.size, new Set(all).size);
  for (const file of all) assert.equal(resolved.get(file), await resolveRealPath(file), file);
  assert.equal(resolved.get(at('ws/other/many3.ts')), at('ws/src/many3.ts'));
  assert.equal(resolved.get(at('ws/other/nowhere.ts')), at('out/none.ts'));
});

test('of a crowd in a folder that cannot be listed each path is kept', async () => {
  const missing = Array.from({ length: 20 }, (_, index) => at(`ws/gone/file${index}.ts`));
  const resolved = await resolveRealPaths(missing);
  for (const file of missing) assert.equal(resolved.get(file), file);
});

test('a list about which two ask at once is looked at once, and anew the next time', async () => {
  const files = [at('ws/away/x'), at('ws/src/a.ts')];
  const first = resolveRealPaths(files);
  assert.equal(resolveRealPaths(files), first);
  const known = await first;
  const again = resolveRealPaths(files);
  assert.notEqual(again, first);
  assert.deepEqual(await again, known);
});
