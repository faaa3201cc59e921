import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { scaffoldTool, toolNameFault } from '../../../src/workspaceTools/scaffold';

async function emptyFolder(t: TestContext): Promise<{ folder: string; libFolder: string }> {
  const home = await mkdtemp(path.join(tmpdir(), 'patchbay scaffold ü '));
  t.after(() => rm(home, { recursive: true, force: true }));
  const libFolder = path.join(home, 'lib');
  await mkdir(libFolder);
  for (const name of ['patchbay.d.ts', 'patchbay.mjs', 'node.d.ts']) {
    await writeFile(path.join(libFolder, name), `// ${name}\n`);
  }
  return { folder: path.join(home, 'work'), libFolder };
}

test('a new tool file comes with its test, and with what both need, once', async (t) => {
  const { folder, libFolder } = await emptyFolder(t);
  const first = await scaffoldTool({ folder, libFolder, name: 'count', language: 'typescript' });
  const below = (files: readonly { readonly path: string }[]): string[] =>
    files.map((file) => path.relative(folder, file.path).split(path.sep).join('/'));
  assert.deepEqual(below(first.written), [
    '.patchbay/tools/count.tool.ts',
    '.patchbay/tools/count.test.ts',
    '.patchbay/package.json',
    '.patchbay/tsconfig.json',
    '.patchbay/lib/patchbay.d.ts',
    '.patchbay/lib/patchbay.mjs',
    '.patchbay/lib/node.d.ts',
  ]);
  assert.equal(first.toolFile, path.join(folder, '.patchbay/tools/count.tool.ts'));
  for (const { path: file, text } of first.written)
    assert.equal(await readFile(file, 'utf8'), text);
  const second = await scaffoldTool({ folder, libFolder, name: 'other', language: 'javascript' });
  assert.deepEqual(below(second.written), [
    '.patchbay/tools/other.tool.js',
    '.patchbay/tools/other.test.js',
  ]);
});

test('nothing that is there is changed, and a tool file that is there is no new one', async (t) => {
  const { folder, libFolder } = await emptyFolder(t);
  const own = ['.patchbay/tsconfig.json', '.patchbay/lib/patchbay.mjs'];
  for (const name of own) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), 'mine');
  }
  await scaffoldTool({ folder, libFolder, name: 'count', language: 'typescript' });
  for (const name of own) assert.equal(await readFile(path.join(folder, name), 'utf8'), 'mine');
  const tool = path.join(folder, '.patchbay/tools/count.tool.ts');
  await writeFile(tool, 'mine too');
  await assert.rejects(scaffoldTool({ folder, libFolder, name: 'count', language: 'typescript' }), {
    code: 'EEXIST',
  });
  assert.equal(await readFile(tool, 'utf8'), 'mine too');
});

test('a name that the agent could not call is told before anything is written', () => {
  assert.equal(toolNameFault('count_todos-2'), undefined);
  assert.equal(toolNameFault(''), 'empty');
  for (const name of ['a b', '../a', 'größe', 'a.b', 'a/b'])
    assert.equal(toolNameFault(name), 'illegal');
  assert.equal(toolNameFault('x'.repeat(41)), 'long');
});
