import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { type KeptPlace, PlaceStore } from '../../../src/host/placeStore';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import { formCard, linkCard, questionCard } from '../chat/askFixture';
import { hubOf } from './hostFakes';

async function fileIn(t: TestContext): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'patchbay places '));
  t.after(() => rm(made, { recursive: true, force: true }));
  return path.join(made, 'places.json');
}

const kept: KeptPlace = {
  folder: { name: 'shop', path: '/w/shop' },
  conversation: {
    sessionId: 's1',
    queue: [{ id: 'q', text: 'waits' }],
    sent: [{ id: 'p', text: 'was sent', wireId: 'w' }],
  },
};

test('a place is there again after a restart; one in which nothing was said leaves nothing', async (t) => {
  const file = await fileIn(t);
  const store = await PlaceStore.open([file], silentLogger);
  store.set('window', kept);
  store.set('tab-1', { ...kept, conversation: { queue: [], sent: [] } });
  const chosen = { queue: [], sent: [], model: 'opus', modelChosen: true };
  store.set('tab-2', { ...kept, conversation: chosen });
  await store.flush();
  const next = await PlaceStore.open([file], silentLogger);
  assert.deepEqual(next.get('window'), kept);
  assert.equal(next.get('tab-1'), undefined);
  assert.deepEqual(next.get('tab-2')?.conversation, chosen, 'but for what was chosen for it');
  next.set('window', undefined);
  next.set('tab-2', undefined);
  await next.flush();
  assert.equal(await readFile(file, 'utf8'), '{}');
});

test('what a later version wrote is kept, and a place that cannot be read is passed over', async (t) => {
  const file = await fileIn(t);
  const later = { ...kept, colour: 'green' };
  await writeFile(file, JSON.stringify({ window: later, 'tab-1': { folder: 7 }, 'tab-2': null }));
  const store = await PlaceStore.open([file], silentLogger);
  assert.deepEqual(store.get('window'), later);
  assert.equal(store.get('tab-1'), undefined);
  store.set('tab-3', kept);
  await store.flush();
  assert.deepEqual((await PlaceStore.open([file], silentLogger)).get('window'), later);
});

test('choices, usage and questions are kept, and one that is damaged takes nothing else with it', async (t) => {
  const file = await fileIn(t);
  const question = {
    id: 'q1',
    toolName: 'Bash',
    title: 'Run a command',
    body: 'npm test',
    bodyKind: 'command',
  } as const;
  const usage = { costUsd: 0.2, inputTokens: 1, outputTokens: 2, turns: 3, contextTokens: 4 };
  const full: KeptPlace = {
    ...kept,
    conversation: {
      ...kept.conversation,
      queue: [{ id: 'q', text: 'waits', held: true }],
      mode: 'plan',
      model: 'sonnet',
      effort: 'low',
      usage,
      questions: [question],
    },
  };
  const store = await PlaceStore.open([file], silentLogger);
  store.set('window', full);
  await store.flush();
  assert.deepEqual((await PlaceStore.open([file], silentLogger)).get('window'), full);
  const damaged = {
    ...full.conversation,
    usage: { ...usage, costUsd: 'free' },
    questions: [{ ...question, bodyKind: 7 }],
    mode: 5,
  };
  await writeFile(file, JSON.stringify({ window: { ...full, conversation: damaged } }));
  const read = (await PlaceStore.open([file], silentLogger)).get('window')?.conversation;
  assert.deepEqual([read?.usage, read?.questions, read?.mode], [undefined, undefined, undefined]);
  assert.deepEqual([read?.effort, read?.queue], ['low', full.conversation.queue]);
});

test('a place takes up the conversation that it had, in the folder that it worked in', () => {
  const { hub, made, places, where } = hubOf();
  places.set(WINDOW_PLACE, kept);
  where.folder = { name: 'other', path: '/w/other' };
  const place = hub.active;
  const [first] = made;
  assert.ok(first);
  assert.deepEqual(first.folder, kept.folder);
  assert.deepEqual(first.memory.kept, kept.conversation);
  place.followFolder();
  assert.equal(made.length, 1, 'it stays in its folder');
  const later = { ...kept.conversation, queue: [] };
  first.memory.keep(later);
  assert.deepEqual(places.get(WINDOW_PLACE), { folder: kept.folder, conversation: later });
});

test('a new conversation forgets the last one', () => {
  const { hub, made, places } = hubOf();
  places.set(WINDOW_PLACE, kept);
  hub.active.startNew();
  assert.equal(places.get(WINDOW_PLACE), undefined);
  assert.equal(made[1]?.memory.kept, undefined);
});

test('a conversation in a folder that is closed now stays on the disk, and another one begins', () => {
  const { hub, made, places } = hubOf();
  const elsewhere = { ...kept, folder: { name: 'gone', path: '/elsewhere/gone' } };
  places.set(WINDOW_PLACE, elsewhere);
  assert.equal(hub.active.folder?.path, '/w/shop');
  assert.equal(made[0]?.memory.kept, undefined);
  assert.deepEqual(places.get(WINDOW_PLACE), elsewhere);
});

test('a closed window takes nothing from what is kept', async () => {
  const { hub, places } = hubOf();
  places.set(WINDOW_PLACE, kept);
  hub.place(WINDOW_PLACE);
  await hub.dispose();
  assert.deepEqual(places.get(WINDOW_PLACE), kept);
});

test('forms, pages and questions are kept with what was put in; a damaged one takes nothing with it', async (t) => {
  const file = await fileIn(t);
  const asks = [{ ...formCard(), draft: { '0': 'half' } }, linkCard(), questionCard()];
  const full: KeptPlace = { ...kept, conversation: { ...kept.conversation, asks } };
  const store = await PlaceStore.open([file], silentLogger);
  store.set('window', full);
  await store.flush();
  const next = await PlaceStore.open([file], silentLogger);
  assert.deepEqual(next.get('window'), full);
  const broken = { ...formCard(), fields: [{ kind: 'rocket' }] };
  const damaged = { ...full, conversation: { ...full.conversation, asks: [broken] } };
  await writeFile(file, JSON.stringify({ window: damaged }));
  const rest = (await PlaceStore.open([file], silentLogger)).get('window');
  assert.equal(rest?.conversation.asks, undefined);
  assert.equal(rest?.conversation.sessionId, 's1');
});
