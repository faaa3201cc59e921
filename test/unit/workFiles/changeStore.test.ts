import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import type { ChangeEntry } from '../../../src/workFiles/changeEntry';
import { ChangeStore } from '../../../src/workFiles/changeStore';
import type { SeenFile } from '../../../src/workFiles/seenFile';

async function folderOf(t: TestContext): Promise<string> {
  const base = await mkdtemp(path.join(tmpdir(), 'kept changes '));
  t.after(() => rm(base, { recursive: true, force: true }));
  return path.join(base, 'changes', 'session');
}

const storeOf = (): ChangeStore => new ChangeStore({ log: silentLogger });
const text = (words: string): SeenFile => ({
  ...{ kind: 'text', text: words, crlf: false, bytes: Buffer.from(words) },
});

function entryOf(store: ChangeStore, before: SeenFile, after: SeenFile): ChangeEntry {
  return {
    id: '0b8f6a2e-4a57-4f2e-9f0d-1c2f3a4b5c6d',
    path: '/ws/a.ts',
    ...{ base: store.keep(before), after: store.keep(after), added: 1, removed: 2 },
  };
}

test('what is kept comes back in the next window, word for word and byte for byte', async (t) => {
  const folder = await folderOf(t);
  const store = storeOf();
  const odd: SeenFile = {
    kind: 'text',
    text: 'ä\n',
    crlf: true,
    bytes: Buffer.from([0xe4, 13, 10]),
    mode: 0o600,
  };
  const entry = entryOf(store, odd, { kind: 'binary', bytes: Buffer.from([0, 1]) });
  store.save([entry]);
  store.settleIn(folder);
  await store.flush();
  const next = storeOf();
  const [found] = await next.open(folder);
  assert.deepEqual(found, entry);
  assert.deepEqual(await next.load(entry.base), odd);
  assert.deepEqual(await next.load(entry.after), { kind: 'binary', bytes: Buffer.from([0, 1]) });
});

test(
  'nobody but the person can read what is kept',
  { skip: process.platform === 'win32' },
  async (t) => {
    const folder = await folderOf(t);
    const store = storeOf();
    store.settleIn(folder);
    store.save([entryOf(store, text('SECRET=1'), { kind: 'none' })]);
    await store.flush();
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    for (const name of await readdir(folder)) {
      assert.equal((await stat(path.join(folder, name))).mode & 0o777, 0o600);
    }
  },
);

test('what nothing names any more goes from the disk, and the folder with the last of it', async (t) => {
  const folder = await folderOf(t);
  const store = storeOf();
  store.settleIn(folder);
  const entry = entryOf(store, text('before'), text('after'));
  store.save([entry]);
  await store.flush();
  assert.equal((await readdir(folder)).length, 3);
  store.save([{ ...entry, base: store.keep(text('after')) }]);
  await store.flush();
  assert.equal((await readdir(folder)).length, 2);
  store.save([]);
  await store.flush();
  await assert.rejects(stat(folder));
});

test('what was undone can be had again also where nothing is listed any more, until the window goes', async (t) => {
  const folder = await folderOf(t);
  const store = storeOf();
  store.settleIn(folder);
  const undone = store.keep(text('the agent wrote this'));
  store.save([], [undone]);
  await store.flush();
  assert.deepEqual(await store.load(undone), text('the agent wrote this'));
  const next = storeOf();
  assert.deepEqual(await next.open(folder), []);
  await next.flush();
  await assert.rejects(stat(folder));
});

test('a conversation that gets another name takes its changes along', async (t) => {
  const folder = await folderOf(t);
  const store = storeOf();
  store.settleIn(folder);
  const entry = entryOf(store, text('before'), text('after'));
  store.save([entry]);
  store.settleIn(`${folder}-2`);
  await store.flush();
  await assert.rejects(stat(folder));
  assert.deepEqual(await storeOf().open(`${folder}-2`), [entry]);
});

test('a damaged list counts as none, and a content that was changed is not handed out', async (t) => {
  const folder = await folderOf(t);
  const store = storeOf();
  store.settleIn(folder);
  const entry = entryOf(store, text('before'), text('after'));
  store.save([entry]);
  await store.flush();
  const { base } = entry;
  assert.ok(base.kind === 'text');
  await writeFile(path.join(folder, base.text), 'something else');
  const next = storeOf();
  assert.deepEqual(await next.open(folder), [entry]);
  const found = await next.load(base);
  assert.equal(found.kind === 'opaque' && found.why, 'unreadable');
  await writeFile(path.join(folder, 'changes.json'), '[{"id":"../../x"}, 5]');
  assert.deepEqual(await storeOf().open(folder), []);
  await writeFile(path.join(folder, 'changes.json'), '{');
  assert.deepEqual(await storeOf().open(folder), []);
});

test('the index never names what is not there: contents are written before it', async (t) => {
  const folder = await folderOf(t);
  const store = storeOf();
  store.settleIn(folder);
  for (let n = 0; n < 20; n += 1) {
    store.save([entryOf(store, text(`before ${n}`), text(`after ${n}`))]);
  }
  await store.flush();
  const index = await readFile(path.join(folder, 'changes.json'), 'utf8');
  for (const [id] of index.matchAll(/[0-9a-f]{64}/g)) {
    assert.ok((await readdir(folder)).includes(id), id);
  }
});
