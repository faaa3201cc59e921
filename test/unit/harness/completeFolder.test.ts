import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ensureComplete, isComplete, MARKER } from '../../harness/boot/completeFolder.mjs';

async function inCache(work: (cache: string) => Promise<void>): Promise<void> {
  const cache = await mkdtemp(path.join(tmpdir(), 'patchbay cache '));
  try {
    await work(cache);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

const fillWith =
  (text: string) =>
  (temp: string): Promise<void> =>
    writeFile(path.join(temp, 'content'), text);

describe('a folder that is complete or not there', () => {
  it('is filled once and used from then on', () =>
    inCache(async (cache) => {
      const dir = path.join(cache, 'thing-1');
      let fills = 0;
      const fill = async (temp: string): Promise<void> => {
        fills += 1;
        await fillWith('x')(temp);
      };
      const got = await Promise.all([1, 2, 3].map(() => ensureComplete({ dir, fill })));
      await ensureComplete({ dir, fill });
      assert.deepEqual([...got, fills], [dir, dir, dir, 1]);
      assert.deepEqual((await readdir(dir)).sort(), [MARKER, 'content']);
    }));

  it('has its marker only when all else is in it', () =>
    inCache(async (cache) => {
      const dir = path.join(cache, 'thing-1');
      let during: string[] = [];
      await ensureComplete({
        dir,
        fill: async (temp) => {
          await fillWith('x')(temp);
          during = await readdir(temp);
          assert.equal(isComplete(dir), false);
        },
      });
      assert.deepEqual([during, isComplete(dir)], [['content'], true]);
    }));

  it('is filled anew when an earlier one was cut off', () =>
    inCache(async (cache) => {
      const dir = path.join(cache, 'thing-1');
      await mkdir(dir);
      await writeFile(path.join(dir, 'half'), '');
      await mkdir(path.join(cache, 'thing-1.partial-abc'));
      await mkdir(path.join(cache, 'thing-10.partial-abc'));
      await ensureComplete({ dir, fill: fillWith('whole') });
      assert.equal(await readFile(path.join(dir, 'content'), 'utf8'), 'whole');
      assert.deepEqual((await readdir(cache)).sort(), ['thing-1', 'thing-10.partial-abc']);
      assert.deepEqual((await readdir(dir)).sort(), [MARKER, 'content']);
    }));

  it('is not there after a failure, and the next attempt works', () =>
    inCache(async (cache) => {
      const dir = path.join(cache, 'thing-1');
      const failing = ensureComplete({
        dir,
        fill: async (temp) => {
          await fillWith('half')(temp);
          throw new Error('no network');
        },
      });
      await assert.rejects(failing, /no network/);
      assert.deepEqual(await readdir(cache), []);
      await ensureComplete({ dir, fill: fillWith('whole') });
      assert.equal(isComplete(dir), true);
    }));
});
