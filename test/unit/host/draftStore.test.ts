import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { type Logger, silentLogger } from '../../../src/base/logger';
import type { ImageRef } from '../../../src/chat/imageProtocol';
import { DraftStore, MAX_DRAFTS } from '../../../src/host/draftStore';

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'patchbay draft '));
  t.after(() => rm(made, { recursive: true, force: true }));
  return made;
}

function warnings(): { log: Logger; list: string[] } {
  const list: string[] = [];
  return { list, log: { ...silentLogger, warn: (message) => list.push(message) } };
}

test('a draft is there again after a restart, place by place', async (t) => {
  const file = path.join(await folder(t), 'not there yet', 'drafts.json');
  const store = await DraftStore.open([file], silentLogger);
  store.set('window', 'größe\n"quoted"');
  store.set('tab-1', 'other');
  await store.flush();
  const next = await DraftStore.open([file], silentLogger);
  assert.deepEqual([next.get('window'), next.get('tab-1')], ['größe\n"quoted"', 'other']);
});

test('an emptied draft leaves the file', async (t) => {
  const file = path.join(await folder(t), 'drafts.json');
  const store = await DraftStore.open([file], silentLogger);
  store.set('window', 'text');
  store.set('window', '');
  await store.flush();
  assert.equal(await readFile(file, 'utf8'), '{}');
});

test('many changes at once end with the last one on the disk and no other file beside it', async (t) => {
  const dir = await folder(t);
  const file = path.join(dir, 'drafts.json');
  const store = await DraftStore.open([file], silentLogger);
  for (let i = 0; i <= 500; i += 1) store.set('window', `text ${i}`);
  await store.flush();
  assert.equal((await DraftStore.open([file], silentLogger)).get('window'), 'text 500');
  assert.deepEqual(await readdir(dir), ['drafts.json']);
});

test('a file that was cut off half way counts as empty, is told, and is written anew', async (t) => {
  const file = path.join(await folder(t), 'drafts.json');
  await writeFile(file, '{"window":"half');
  const { log, list } = warnings();
  const store = await DraftStore.open([file], log);
  assert.equal(store.get('window'), '');
  assert.equal(list.length, 1);
  store.set('window', 'whole');
  await store.flush();
  assert.equal((await DraftStore.open([file], log)).get('window'), 'whole');
});

test('what is no text in the file is passed over', async (t) => {
  const file = path.join(await folder(t), 'drafts.json');
  await writeFile(file, '{"window":7,"tab-1":"kept","__proto__":"x"}');
  const store = await DraftStore.open([file], silentLogger);
  assert.deepEqual([store.get('window'), store.get('tab-1')], ['', 'kept']);
});

test('when the disk refuses, the draft is kept in memory, told, and saved with the next change', async (t) => {
  const file = path.join(await folder(t), 'drafts.json');
  const { log, list } = warnings();
  const store = await DraftStore.open([file], log);
  // A folder in its place cannot be replaced by a file.
  await mkdir(path.join(file, 'x'), { recursive: true });
  store.set('window', 'text');
  await store.flush();
  assert.equal(store.get('window'), 'text');
  assert.equal(list.length, 1);
  await rm(file, { recursive: true });
  store.set('window', 'text!');
  await store.flush();
  assert.equal((await DraftStore.open([file], log)).get('window'), 'text!');
});

test('what the disk refused is saved at the latest with the end of the window', async (t) => {
  const file = path.join(await folder(t), 'drafts.json');
  const store = await DraftStore.open([file], silentLogger);
  await mkdir(path.join(file, 'x'), { recursive: true });
  store.set('window', 'the last words');
  await store.flush();
  await rm(file, { recursive: true });
  await store.flush();
  assert.equal((await DraftStore.open([file], silentLogger)).get('window'), 'the last words');
});

test('of very many places the ones changed last keep their drafts', async (t) => {
  const store = await DraftStore.open([path.join(await folder(t), 'drafts.json')], silentLogger);
  store.set('window', 'first');
  for (let i = 0; i < MAX_DRAFTS; i += 1) store.set(`tab-${i}`, 'x');
  store.set('tab-1', 'y');
  store.set('new', 'z');
  await store.flush();
  const kept = ['window', 'tab-0', 'tab-1', 'new'].map((place) => store.get(place));
  assert.deepEqual(kept, ['', '', 'y', 'z']);
});

test('pictures are kept beside the words, also alone, and a damaged entry is passed over', async (t) => {
  const file = path.join(await folder(t), 'drafts.json');
  const image: ImageRef = {
    ...{ id: crypto.randomUUID(), name: 'a.png', mediaType: 'image/png', bytes: 7 },
  };
  const store = await DraftStore.open([file], silentLogger);
  store.set('window', 'look at this');
  store.setImages('window', [image]);
  store.setImages('tab', [image]);
  store.set('window', 'look');
  await store.flush();
  const next = await DraftStore.open([file], silentLogger);
  assert.deepEqual([next.get('window'), next.images('window')], ['look', [image]]);
  assert.deepEqual([next.get('tab'), next.images('tab')], ['', [image]]);
  assert.equal(next.allImages.length, 2);
  next.setImages('tab', []);
  await next.flush();
  assert.ok(!(await readFile(file, 'utf8')).includes('"tab"'));
  await writeFile(file, '{"a":{"text":"x","images":[{"id":"../../etc"}]},"b":"kept"}');
  const damaged = await DraftStore.open([file], silentLogger);
  assert.deepEqual([damaged.get('a'), damaged.get('b')], ['', 'kept']);
});
