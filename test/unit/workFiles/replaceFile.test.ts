import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { replaceFile } from '../../../src/workFiles/replaceFile';

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay replace '));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('a file is made, and replaced as a whole, with nothing left beside it', async (t) => {
  const folder = await folderOf(t);
  const file = path.join(folder, 'ä.json');
  await replaceFile(file, 'one', 0o600);
  assert.equal(await readFile(file, 'utf8'), 'one');
  if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
  await replaceFile(file, Buffer.from('two'));
  assert.equal(await readFile(file, 'utf8'), 'two');
  assert.deepEqual(await readdir(folder), ['ä.json']);
});

test('of many that write at once one stands whole', async (t) => {
  const folder = await folderOf(t);
  const file = path.join(folder, 'x');
  const texts = Array.from({ length: 20 }, (_, at) => String(at).repeat(10_000));
  await Promise.all(texts.map((text) => replaceFile(file, text)));
  assert.ok(texts.includes(await readFile(file, 'utf8')));
  assert.deepEqual(await readdir(folder), ['x']);
});

test('what cannot be written is thrown, and leaves what was there', async (t) => {
  const folder = await folderOf(t);
  await assert.rejects(replaceFile(path.join(folder, 'gone', 'x'), 'one'), /ENOENT/);
  // A folder in its place: the content is written, and cannot be put there.
  await mkdir(path.join(folder, 'taken'));
  await writeFile(path.join(folder, 'taken', 'kept'), 'kept');
  await assert.rejects(replaceFile(path.join(folder, 'taken'), 'one'));
  assert.deepEqual(await readdir(folder), ['taken']);
  assert.equal(await readFile(path.join(folder, 'taken', 'kept'), 'utf8'), 'kept');
});
