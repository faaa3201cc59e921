import assert from 'node:assert/strict';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { ConversationForks } from '../../../src/host/conversationForks';
import { ImageStore } from '../../../src/host/imageStore';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import { pngBytes } from '../../harness/pictureBytes';
import { answer, prompt, session, SESSION } from '../sessions/sessionFixture';
import { FakeSurface, hubOf } from './hostFakes';

const PNG = pngBytes(4, 3, [1, 2, 3]).toString('base64');
const FOLDER = '/tmp/ws.dot_x é-5X';

async function setUp(t: TestContext, options: { readonly mayEnd?: boolean } = {}) {
  const { configFolder } = await session(t, [
    prompt('w1', null, 'one'),
    answer('a1', 'w1', 'first'),
    prompt('w2', 'a1', 'two'),
    answer('a2', 'w2', 'second'),
  ]);
  const world = hubOf();
  const folder = { name: 'shop', path: FOLDER };
  world.where.folder = folder;
  const side = world.hub.place(WINDOW_PLACE);
  const queue = [{ id: 'q', text: 'waits' }];
  const kept = { sessionId: SESSION, queue, sent: [], mode: 'plan', modeChosen: true };
  world.places.set(WINDOW_PLACE, { folder, conversation: kept });
  const [original] = world.made;
  assert.ok(original);
  original.items = [
    { kind: 'user', id: 'p1', text: 'one', wireId: 'w1' },
    { kind: 'assistant', id: 'i1', blocks: [] },
    { kind: 'user', id: 'p2', text: 'two', wireId: 'w2' },
    { kind: 'assistant', id: 'i2', blocks: [] },
  ];
  original.setFields({ title: 'Counting' });
  const surface = new FakeSurface(WINDOW_PLACE);
  side.attach(surface).ready();
  const images = new ImageStore({
    folders: [path.join(configFolder, 'pictures')],
    log: silentLogger,
    now: Date.now,
  });
  t.after(() => images.flush());
  const forks = new ConversationForks({
    configFolder: () => configFolder,
    images,
    mayEnd: () => Promise.resolve(options.mayEnd ?? true),
  });
  const told = (): readonly unknown[] => {
    world.clock.advance(100);
    return surface.messages.filter(({ type }) => type !== 'snapshot' && type !== 'patches');
  };
  return { ...world, side, original, images, forks, told };
}

test('a fork takes the seat, with its own session, the choices of the original and what waits', async (t) => {
  const { forks, side, original, made, told } = await setUp(t);
  await forks.forkHere(side, 'i1');
  assert.equal(original.ended, true);
  const { kept } = made.at(-1)?.memory ?? {};
  assert.ok(kept?.sessionId !== undefined && kept.sessionId !== SESSION);
  assert.equal(side.sessionId, kept.sessionId, 'it is there again after a reload');
  assert.equal(kept.forkOf, 'Counting');
  assert.deepEqual([kept.mode, kept.modeChosen], ['plan', true]);
  assert.deepEqual(kept.queue, [{ id: 'q', text: 'waits', held: true }]);
  assert.deepEqual(told(), [{ type: 'focusInput' }]);
});

test('of a prompt the words come into the input', async (t) => {
  const { forks, side, told } = await setUp(t);
  await forks.forkHere(side, 'p2');
  assert.deepEqual(told(), [{ type: 'insertText', text: 'two' }, { type: 'focusInput' }]);
});

test('an edited prompt is sent in the fork, once', async (t) => {
  const { forks, side, original, made } = await setUp(t);
  const edit = { itemId: 'p2', promptId: 'new', text: 'deux' };
  const outcomes = await Promise.all([forks.resend(side, edit), forks.resend(side, edit)]);
  assert.deepEqual(outcomes, [{ accepted: true }, { accepted: false }]);
  assert.equal(made.length, 2);
  assert.deepEqual(made[1]?.submitted, ['deux']);
  assert.deepEqual(original.submitted, []);
});

test('the first prompt in other words begins a new conversation in the folder', async (t) => {
  const { forks, side, made, where } = await setUp(t);
  where.folder = { name: 'other', path: '/w/other' };
  await forks.resend(side, { itemId: 'p1', promptId: 'new', text: 'un' });
  const [, fresh] = made;
  assert.ok(fresh);
  assert.equal(fresh.memory.kept?.sessionId, undefined);
  assert.equal(fresh.memory.kept?.mode, 'plan');
  assert.equal(fresh.folder?.path, FOLDER);
  assert.deepEqual(fresh.submitted, ['un']);
});

test('the last answer is asked for once more before it', async (t) => {
  const { forks, side, made } = await setUp(t);
  await forks.retryAnswer(side, 'again');
  assert.deepEqual(made[1]?.submitted, ['two']);
});

test('pictures go along, also where they are all that was said', async (t) => {
  const { forks, side, original, made, images } = await setUp(t);
  const picture = images.put({ id: 'i', name: 'a.png', data: PNG });
  original.items = [
    ...original.items.slice(0, 2),
    { kind: 'user', id: 'p2', text: '', wireId: 'w2', images: [picture] },
  ];
  await forks.retryAnswer(side, 'again');
  assert.deepEqual(made[1]?.submitted, ['']);
  assert.deepEqual(made[1].submittedImages, [picture]);
});

test('what was selected goes along, as the words are said again or in other words', async (t) => {
  const { forks, side, original, made } = await setUp(t);
  original.selections.set('p2', { path: 'src/cart.ts', from: 3, to: 4, text: 'let total;' });
  await forks.retryAnswer(side, 'again');
  assert.deepEqual(made[1]?.calls, ['selected src/cart.ts']);
  made[1].items = [{ kind: 'user', id: 'p3', text: 'two', wireId: 'w2' }];
  await forks.resend(side, { itemId: 'p3', promptId: 'other', text: 'deux' });
  assert.deepEqual(made[2]?.calls, [], 'and only where something was');
});

test('pictures that only the file of the conversation has go along as well', async (t) => {
  const { forks, side, original, made, images, told } = await setUp(t);
  const picture = { id: 'i', name: 'a.png', mediaType: 'image/png' as const, bytes: 9 };
  original.items = [
    ...original.items.slice(0, 2),
    { kind: 'user', id: 'p2', text: 'look', wireId: 'w2', images: [picture] },
  ];
  const edit = { itemId: 'p2', promptId: 'new', text: 'look closer' };
  const lost = await forks.resend(side, edit);
  assert.ok(!lost.accepted && lost.reason?.includes('a.png is not there any more'));
  assert.equal(made.length, 1, 'nothing is forked without it');
  original.pictures.set('i', { mediaType: 'image/png', data: PNG });
  assert.deepEqual(await forks.resend(side, edit), { accepted: true });
  assert.deepEqual(made[1]?.submittedImages, [picture]);
  assert.deepEqual(await images.read('i'), Buffer.from(PNG, 'base64'), 'the fork can read it');
  made[1].items = [{ kind: 'user', id: 'p3', text: 'look', wireId: 'w2', images: [picture] }];
  told();
  await forks.forkHere(side, 'p3');
  assert.deepEqual(told().at(-2), { type: 'insertText', text: 'look', images: [picture] });
});

for (const [how, fields] of [
  ['works', { status: { kind: 'working' } }],
  ['has work in the background', { tasks: [{ id: 'b', kind: 'command', title: 'make' }] }],
] as const) {
  test(`while the agent ${how} nothing is forked without leave`, async (t) => {
    const { forks, side, original, made, clock } = await setUp(t, { mayEnd: false });
    side.touch();
    original.setFields(fields);
    clock.advance(100);
    await forks.forkHere(side, 'i1');
    const edit = { itemId: 'p2', promptId: 'new', text: 'deux' };
    assert.deepEqual(await forks.resend(side, edit), { accepted: false });
    assert.equal(made.length, 1);
    assert.equal(original.ended, false);
  });
}

test('words that the fork does not take stand in its input, with the reason', async (t) => {
  const { forks, side, hub, told } = await setUp(t);
  hub.onDidChangeTurn(() => {
    Object.assign(side.conversation, { outcome: { accepted: false, reason: 'no such file' } });
  });
  await forks.resend(side, { itemId: 'p2', promptId: 'new', text: '@gone deux' });
  assert.deepEqual(told(), [
    { type: 'insertText', text: '@gone deux' },
    { type: 'submitted', promptId: 'new', refused: 'no such file' },
  ]);
});

test('what is not on the disk any more is said, and the conversation stays', async (t) => {
  const { forks, side, original, places } = await setUp(t);
  const kept = places.get(WINDOW_PLACE);
  assert.ok(kept);
  const gone = { ...kept.conversation, sessionId: SESSION.replace('1111', '9999') };
  places.set(WINDOW_PLACE, { ...kept, conversation: gone });
  await assert.rejects(forks.forkHere(side, 'i1'), /not found on disk/);
  const outcome = await forks.resend(side, { itemId: 'p2', promptId: 'new', text: 'deux' });
  assert.match(outcome.accepted ? '' : (outcome.reason ?? ''), /not found.*Nothing was changed/);
  assert.equal(original.ended, false);
});

test('an item that is not there forks nothing', async (t) => {
  const { forks, side, original, told } = await setUp(t);
  for (const itemId of ['nobody', 'w1', '__proto__', 'constructor', '']) {
    await assert.rejects(forks.forkHere(side, itemId), /Nothing was changed|not found/, itemId);
    const outcome = await forks.resend(side, { itemId, promptId: 'new', text: 'deux' });
    assert.equal(outcome.accepted, false, itemId);
  }
  assert.deepEqual([original.ended, original.submitted, told()], [false, [], []]);
});
