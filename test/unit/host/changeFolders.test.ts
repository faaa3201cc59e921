import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { ChangeFolders } from '../../../src/host/changeFolders';

const SESSION = '11111111-2222-3333-4444-555555555555';
const OTHER = '99999999-2222-3333-4444-555555555555';
const DAY = 24 * 60 * 60 * 1000;

async function world(t: TestContext, now = Date.now()) {
  const base = await mkdtemp(path.join(tmpdir(), 'change folders '));
  t.after(() => rm(base, { recursive: true, force: true }));
  const [own, twin] = [path.join(base, 'one', 'changes'), path.join(base, 'two', 'changes')];
  const keep = async (folder: string, name: string, ageMs = 0): Promise<void> => {
    await mkdir(path.join(folder, name), { recursive: true });
    await writeFile(path.join(folder, name, 'changes.json'), name);
    const at = (now - ageMs) / 1000;
    await utimes(path.join(folder, name), at, at);
  };
  const folders = new ChangeFolders({ folders: [own, twin], now: () => now });
  return { own, twin, keep, folders, names: async () => (await readdir(own)).sort() };
}

test('each session has a folder of its own, and nothing else has one', async (t) => {
  const { own, folders } = await world(t);
  assert.equal(await folders.folderOf(SESSION), path.join(own, SESSION));
  for (const name of ['', '..', '../../x', 'constructor', `${SESSION}/..`]) {
    assert.equal(await folders.folderOf(name), undefined, name);
  }
});

test('what another host of the workspace has kept is taken over', async (t) => {
  const { own, twin, keep, folders, names } = await world(t);
  await keep(own, OTHER);
  await keep(twin, SESSION);
  assert.equal(await folders.folderOf(SESSION), path.join(own, SESSION));
  assert.deepEqual(await names(), [SESSION, OTHER]);
});

test('with a conversation that is deleted it goes aside, and comes back with it', async (t) => {
  const { own, keep, folders, names } = await world(t);
  await keep(own, SESSION, 20 * DAY);
  await folders.setAside(SESSION);
  await folders.sweep();
  assert.deepEqual(await names(), [`${SESSION}.deleted`]);
  await folders.bringBack(SESSION);
  assert.deepEqual(await names(), [SESSION]);
  // Of conversations in which nothing was changed there is nothing.
  await folders.setAside(OTHER);
  await folders.bringBack(OTHER);
  assert.deepEqual(await names(), [SESSION]);
});

test('after 30 days it goes for good, and a day after its conversation was deleted', async (t) => {
  const { own, keep, folders, names } = await world(t);
  await keep(own, SESSION, 29 * DAY);
  await keep(own, OTHER, 31 * DAY);
  await keep(own, 'aaaaaaaa-2222-3333-4444-555555555555.deleted', DAY / 2);
  await keep(own, 'bbbbbbbb-2222-3333-4444-555555555555.deleted', 2 * DAY);
  await folders.sweep();
  assert.deepEqual(await names(), [SESSION, 'aaaaaaaa-2222-3333-4444-555555555555.deleted']);
});
