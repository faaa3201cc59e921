import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { type CompiledSource, CompiledStore } from '../../../src/workspaceTools/compiledStore';
import { shaOf } from '../../../src/workspaceTools/snapshot';
import { compileSource, type SourceMode } from '../../../src/workspaceTools/sourceCompiler';
import { listLogger, tempFolder } from './toolRoom';

const TEXT = `import { z } from 'patchbay';
export const __proto__ = z, one = 1;
export default { isolation: 'worker' };
`;

function made(file: string, text = TEXT, mode: SourceMode = 'import'): CompiledSource {
  const compiled = compileSource(file, text, mode);
  assert.ok('code' in compiled);
  return { path: file, mode, sha: shaOf(text), compiled };
}

function large(file: string, bytes: number): CompiledSource {
  const one = made(file);
  return { ...one, compiled: { ...one.compiled, code: 'x'.repeat(bytes) } };
}

async function homeOf(t: TestContext): Promise<string> {
  return path.join(await tempFolder(t), 'compiled');
}

async function keep(home: string, sources: readonly CompiledSource[], version = '1') {
  const store = new CompiledStore(home, silentLogger);
  await store.take(version);
  store.set(sources);
  await store.kept();
}

async function taken(home: string, version = '1'): Promise<readonly CompiledSource[]> {
  const found = await new CompiledStore(home, silentLogger).take(version);
  return found
    .map(({ path: file, mode, sha, compiled }) => ({ path: file, mode, sha, compiled }))
    .sort((a, b) => (`${a.path} ${a.mode}` < `${b.path} ${b.mode}` ? -1 : 1));
}

test('what one window keeps a later one takes as it was, of both modes, and once', async (t) => {
  const home = await homeOf(t);
  const sources = [made('/work/a.ts'), made('/work/a.ts', TEXT, 'require'), made('/work/b.ts')];
  await keep(home, sources);
  const store = new CompiledStore(home, silentLogger);
  const found = await store.take('1');
  assert.equal(found.length, 3);
  assert.deepEqual(await taken(home), sources);
  assert.equal(found[0]?.compiled.scan.exports.get('__proto__'), 2);
  assert.deepEqual(await store.take('1'), []);
});

test('what another version of the compiler made is not used, and goes with the next that is kept', async (t) => {
  const home = await homeOf(t);
  await keep(home, [made('/work/a.ts'), made('/work/b.ts')]);
  assert.deepEqual(await taken(home, '2'), []);
  await keep(home, [made('/work/b.ts')], '2');
  assert.deepEqual(await taken(home, '1'), []);
  assert.deepEqual(await taken(home, '2'), [made('/work/b.ts')]);
  assert.equal((await readdir(home)).length, 1);
});

test('a text that has changed replaces what was made of the one before; a file that is gone goes', async (t) => {
  const home = await homeOf(t);
  const store = new CompiledStore(home, silentLogger);
  await store.take('1');
  store.set([made('/work/a.ts'), made('/work/b.ts')]);
  await store.kept();
  store.set([made('/work/a.ts', 'export default 2;')]);
  await store.kept();
  assert.deepEqual(await taken(home), [made('/work/a.ts', 'export default 2;')]);
  assert.equal((await readdir(home)).length, 1);
});

test('of what is set while it writes the last counts', async (t) => {
  const home = await homeOf(t);
  const store = new CompiledStore(home, silentLogger);
  await store.take('1');
  for (let at = 0; at < 50; at += 1) store.set([made('/work/a.ts', `export default ${at};`)]);
  store.set([made('/work/a.ts', 'export default 50;')]);
  await store.kept();
  assert.deepEqual(await taken(home), [made('/work/a.ts', 'export default 50;')]);
});

const DAMAGES: Readonly<Record<string, (whole: string, other: string) => string | Uint8Array>> = {
  'is empty': () => '',
  'ends early': (whole) => whole.slice(0, -10),
  'has one other letter': (whole) => whole.replace('patchbay', 'patchbox'),
  'is of another source': (_whole, other) => other,
  'is no text': () => new Uint8Array([0, 255, 254, 3]),
  'is JSON of another shape': () => `${shaOf('{"code":1}')}\n{"code":1}`,
  'is no JSON': () => `${shaOf('{')}\n{`,
};

for (const [how, damage] of Object.entries(DAMAGES)) {
  test(`a kept file that ${how} is as if it were not there, with one line in the log, and is made anew`, async (t) => {
    const home = await homeOf(t);
    const sources = [made('/work/a.ts'), made('/work/b.ts'), made('/work/c.ts')];
    await keep(home, sources);
    const nameOf = (file: string): string =>
      path.join(home, `${shaOf(`import ${file}`).slice(0, 32)}.json`);
    const other = await readFile(nameOf('/work/c.ts'), 'utf8');
    for (const file of ['/work/a.ts', '/work/b.ts']) {
      await writeFile(nameOf(file), damage(await readFile(nameOf(file), 'utf8'), other));
    }
    const log: string[] = [];
    const store = new CompiledStore(home, listLogger(log));
    assert.deepEqual(
      (await store.take('1')).map((one) => one.path),
      ['/work/c.ts'],
    );
    assert.deepEqual(log, [`warn 2 files of ${home} are damaged: they are made anew`]);
    store.set(sources);
    await store.kept();
    assert.deepEqual(await taken(home), sources);
  });
}

test('what else lies in the folder is neither read nor in the way, and goes when it is old', async (t) => {
  const home = await homeOf(t);
  const source = made('/work/a.ts');
  const name = `${shaOf('import /work/a.ts').slice(0, 32)}.json`;
  await mkdir(path.join(home, name, 'folder'), { recursive: true });
  for (const one of ['young.tmp', 'old.tmp']) await writeFile(path.join(home, one), 'x');
  const before = new Date(Date.now() - 2 * 3_600_000);
  await utimes(path.join(home, 'old.tmp'), before, before);
  await keep(home, [source]);
  assert.deepEqual(await taken(home), [source]);
  assert.deepEqual((await readdir(home)).sort(), [name, 'young.tmp'].sort());
});

test('two windows that write at once leave whole files, and no others', async (t) => {
  const home = await homeOf(t);
  const windows = [1, 2, 3].map(() => new CompiledStore(home, silentLogger));
  await Promise.all(windows.map((store) => store.take('1')));
  const files = ['/work/a.ts', '/work/b.ts', '/work/c.ts'];
  for (let round = 0; round < 10; round += 1) {
    for (const [at, store] of windows.entries()) {
      store.set(files.map((file) => made(file, `export default ${round * 10 + at};`)));
    }
    if (round % 3 === 0) await Promise.all(windows.map((store) => store.kept()));
    assert.ok((await taken(home)).length <= files.length);
  }
  await Promise.all(windows.map((store) => store.kept()));
  const found = await taken(home);
  assert.deepEqual(
    found.map((one) => one.path),
    files,
  );
  for (const one of found) {
    const last = [90, 91, 92].map((number) => made(one.path, `export default ${number};`));
    assert.ok(last.some(({ compiled }) => compiled.code === one.compiled.code));
    assert.ok(last.some(({ sha }) => sha === one.sha));
  }
  assert.equal((await readdir(home)).length, files.length);
});

test('no more than 20 MB is kept, of each file no more than 8 MB, and the rest all the same', async (t) => {
  const home = await homeOf(t);
  const sources = [
    large('/work/a.ts', 8_000_001),
    ...['b', 'c', 'd', 'e'].map((name) => large(`/work/${name}.ts`, 6_000_000)),
    made('/work/f.ts'),
  ];
  await keep(home, sources);
  assert.deepEqual(
    (await taken(home)).map((one) => path.basename(one.path)),
    ['b.ts', 'c.ts', 'd.ts', 'f.ts'],
  );
  let bytes = 0;
  for (const name of await readdir(home)) bytes += (await stat(path.join(home, name))).size;
  assert.ok(bytes <= 20_000_000, String(bytes));
});

test('nothing more is written once it is disposed of, and what is there stays whole', async (t) => {
  const home = await homeOf(t);
  await keep(home, [made('/work/a.ts')]);
  const store = new CompiledStore(home, silentLogger);
  await store.take('1');
  store.set([made('/work/b.ts'), made('/work/c.ts'), made('/work/d.ts')]);
  store.dispose();
  store.set([made('/work/e.ts')]);
  await store.kept();
  const names = (await taken(home)).map((one) => path.basename(one.path));
  assert.ok(names.includes('a.ts') && names.length <= 2, names.join());
  assert.equal((await readdir(home)).length, names.length);
});

test('where nothing can be written all goes on, with one line in the log', async (t) => {
  const blocked = path.join(await tempFolder(t), 'file');
  await writeFile(blocked, '');
  const log: string[] = [];
  const store = new CompiledStore(path.join(blocked, 'compiled'), listLogger(log));
  assert.deepEqual(await store.take('1'), []);
  for (const name of ['a', 'b']) {
    store.set([made(`/work/${name}.ts`), made('/work/c.ts')]);
    await store.kept();
  }
  assert.equal(log.filter((line) => line.includes('could not be kept')).length, 1, log.join('\n'));
});

test('where the version of the compiler is not known nothing is kept, and nothing used', async (t) => {
  const home = await homeOf(t);
  const store = new CompiledStore(home, silentLogger);
  assert.deepEqual(await store.take(undefined), []);
  store.set([made('/work/a.ts')]);
  await store.kept();
  assert.deepEqual(await taken(home), []);
  await keep(home, [made('/work/a.ts')]);
  assert.deepEqual(await new CompiledStore(home, silentLogger).take(undefined), []);
});
