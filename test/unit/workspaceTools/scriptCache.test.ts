import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { ScriptCache } from '../../../src/workspaceTools/scriptCache';
import { tempFolder } from './toolRoom';

interface Place {
  readonly file: string;
  readonly cacheFile: string;
  readonly failures: unknown[];
  /** As a later process has it. */
  readonly open: () => ScriptCache;
}

async function place(t: TestContext, source = programOf('one')): Promise<Place> {
  const home = await tempFolder(t);
  const file = path.join(home, 'with space ü.cjs');
  const cacheFile = path.join(home, 'storage', 'deep', 'program.cache');
  await writeFile(file, source);
  const failures: unknown[] = [];
  const open = (): ScriptCache =>
    new ScriptCache({ file, cacheFile, failed: (error) => failures.push(error) });
  return { file, cacheFile, failures, open };
}

function programOf(word: string): string {
  return `'use strict';
const { basename } = require('node:path');
exports.say = () => ${JSON.stringify(word)} + ' of ' + basename(__filename);
// The last line is a comment.`;
}

function say(cache: ScriptCache): unknown {
  const { say } = cache.run() as { readonly say: () => unknown };
  return say();
}

/** Which file stands there: one that is written anew is another. */
async function inodeOf(file: string): Promise<number> {
  return (await stat(file)).ino;
}

test('a program runs as by `require`, once, and what was made of it is kept', async (t) => {
  const { open, cacheFile, failures } = await place(t);
  const first = open();
  assert.equal(say(first), 'one of with space ü.cjs');
  assert.equal(first.run(), first.run());
  await first.keep();
  assert.deepEqual(await readdir(path.dirname(cacheFile)), ['program.cache']);
  const inode = await inodeOf(cacheFile);

  const later = open();
  assert.equal(say(later), 'one of with space ü.cjs');
  await later.keep();
  assert.equal(await inodeOf(cacheFile), inode, 'what could be used is not written again');
  assert.deepEqual(failures, []);
});

test('what is kept of another program, damaged or cut is not used, and made anew', async (t) => {
  const { open, file, cacheFile, failures } = await place(t);
  const first = open();
  first.run();
  await first.keep();
  const good = await readFile(cacheFile);
  const flipped = Buffer.from(good);
  flipped.writeUInt8(flipped.readUInt8(good.length - 9) ^ 1, good.length - 9);
  const damages = [
    flipped,
    good.subarray(0, 40),
    good.subarray(0, good.length - 1),
    Buffer.alloc(0),
  ];
  for (const damaged of damages) {
    await writeFile(cacheFile, damaged);
    const later = open();
    assert.equal(say(later), 'one of with space ü.cjs');
    await later.keep();
    assert.notDeepEqual(await readFile(cacheFile), damaged);
  }

  // As long as the one before: V8 itself compares no more than that.
  await writeFile(file, programOf('two'));
  const other = open();
  assert.equal(say(other), 'two of with space ü.cjs');
  await other.keep();
  assert.equal(say(open()), 'two of with space ü.cjs');
  assert.deepEqual(failures, []);
});

test('where nothing can be kept the program runs all the same, and it is told', async (t) => {
  const { open, cacheFile, failures } = await place(t);
  await writeFile(path.dirname(path.dirname(cacheFile)), 'A file where the folder should be.');
  const cache = open();
  assert.equal(say(cache), 'one of with space ü.cjs');
  await cache.keep();
  await cache.keep();
  assert.equal(failures.length > 0, true);
  assert.equal(say(open()), 'one of with space ü.cjs');
});

test('what a program throws, or that it is not there, is thrown', async (t) => {
  const { open, file } = await place(t, "throw new Error('not today');");
  assert.throws(() => open().run(), /not today/);
  await writeFile(file, 'const = ;');
  assert.throws(() => open().run(), SyntaxError);
  const { cacheFile } = await place(t);
  const gone = new ScriptCache({ file: `${file}.gone`, cacheFile, failed: () => undefined });
  assert.throws(() => gone.run(), /ENOENT/);
});
