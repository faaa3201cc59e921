import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readWhole } from '../../../src/cli/readWhole';

describe('a file that is read whole', () => {
  let folder = '';
  before(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay whole '))));
  after(() => rm(folder, { recursive: true, force: true }));

  test('has all of its bytes, however many they are', async () => {
    for (const size of [0, 1, 32_767, 32_768, 32_769, 200_000]) {
      const file = path.join(folder, `of ${size}`);
      const bytes = Buffer.alloc(size, 'abc\u00e4');
      await writeFile(file, bytes);
      assert.ok((await readWhole(file)).equals(bytes), `${size} bytes`);
    }
  });

  test('may be one that the system makes up as it is read', async () => {
    const file = '/proc/self/cmdline';
    const known = await readFile(file).catch(() => undefined);
    if (known === undefined) await assert.rejects(readWhole(file), { code: 'ENOENT' });
    else assert.deepEqual(await readWhole(file), known);
  });

  test('is refused as the system refuses it', async () => {
    await assert.rejects(readWhole(path.join(folder, 'missing')), { code: 'ENOENT' });
    await assert.rejects(readWhole(folder), { code: 'EISDIR' });
  });
});
