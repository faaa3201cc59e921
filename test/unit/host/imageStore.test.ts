import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { MAX_IMAGE_BYTES } from '../../../src/chat/imageProtocol';
import { ImageStore } from '../../../src/host/imageStore';
import { HEIC, pngBytes } from '../../harness/pictureBytes';

const ID = '0b8f6a2e-4a57-4f2e-9f0d-1c2f3a4b5c6d';
const OTHER = '1c9f6a2e-4a57-4f2e-9f0d-1c2f3a4b5c6d';
const png = pngBytes(4, 3, [1, 2, 3]);
const given = (id: string, bytes: Buffer, name = 'a.png') => ({
  ...{ id, name, data: bytes.toString('base64'), width: 4, height: 3 },
});

async function folders(t: TestContext): Promise<[string, string]> {
  const base = await mkdtemp(path.join(tmpdir(), 'patchbay pictures '));
  t.after(() => rm(base, { recursive: true, force: true }));
  return [path.join(base, 'one', 'images'), path.join(base, 'two', 'images')];
}

const storeOf = (all: [string, ...string[]], now = Date.now) =>
  new ImageStore({ folders: all, log: silentLogger, now });

test('a picture can be read at once, and after a restart by its reference', async (t) => {
  const all = await folders(t);
  const store = storeOf(all);
  const ref = store.put(given(ID, png, 'the screen.png'));
  const { bytes, mediaType } = ref;
  assert.deepEqual([bytes, mediaType, ref.name], [png.length, 'image/png', 'the screen.png']);
  assert.deepEqual(await store.read(ID), png);
  await store.flush();
  assert.deepEqual(await readdir(all[0]), [`${ID}.png`]);
  const next = storeOf(all);
  assert.equal(await next.read(ID), undefined, 'nobody has named it yet');
  next.know([ref]);
  assert.deepEqual(await next.read(ID), png);
  // The next extension host may have been given the folder beside.
  const twin = storeOf([all[1], all[0]]);
  twin.know([ref]);
  assert.deepEqual(await twin.read(ID), png);
  await twin.remove(ID);
  assert.deepEqual(await readdir(all[0]), []);
});

test('what the CLI would drop without a word is refused with one', async (t) => {
  const store = storeOf(await folders(t));
  assert.throws(() => store.put(given(ID, HEIC)), /a\.png is a HEIC file/);
  assert.throws(() => store.put(given(ID, Buffer.alloc(0))), /a\.png is empty/);
  const large = Buffer.concat([png, Buffer.alloc(MAX_IMAGE_BYTES)]);
  assert.throws(
    () => store.put(given(ID, large)),
    /a\.png has 3\.8 MB; a picture may have 3\.8 MB/,
  );
  assert.equal(store.ref(ID), undefined);
});

test('where nothing can be written the picture is kept while the window lives', async (t) => {
  const [folder] = await folders(t);
  await mkdir(path.dirname(folder), { recursive: true });
  await writeFile(folder, 'a file in its place');
  const store = storeOf([folder]);
  store.put(given(ID, png));
  await store.flush();
  assert.deepEqual(await store.read(ID), png);
});

test('old pictures that nobody names are let go of, and only those', async (t) => {
  const [folder] = await folders(t);
  await mkdir(folder, { recursive: true });
  const old = new Date(0);
  for (const name of [`${ID}.png`, `${OTHER}.png`]) {
    await writeFile(path.join(folder, name), png);
    await utimes(path.join(folder, name), old, old);
  }
  await writeFile(path.join(folder, 'new.png'), png);
  await storeOf([folder]).sweep((id) => id === ID);
  assert.deepEqual((await readdir(folder)).sort(), [`${ID}.png`, 'new.png']);
});
