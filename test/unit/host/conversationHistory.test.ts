import assert from 'node:assert/strict';
import { access, appendFile, readFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { type ConversationsAnswer, MAX_TITLE } from '../../../src/chat/conversationsProtocol';
import { silentLogger } from '../../../src/base/logger';
import { ConversationHistory } from '../../../src/host/conversationHistory';
import type { ConversationPlace } from '../../../src/host/conversationPlace';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import { prompt, session, SESSION } from '../sessions/sessionFixture';
import { hubOf, RecordedConversation } from './hostFakes';

const OTHER = '99999999-2222-3333-4444-555555555555';

const nowhere = { setAside: () => Promise.resolve(), bringBack: () => Promise.resolve() };

function setUp(folder = '/w/shop') {
  const world = hubOf();
  world.where.folder = { name: 'shop', path: folder };
  const shown: string[] = [];
  const kept: string[] = [];
  const changes = {
    setAside: (id: string) => Promise.resolve(void kept.push(`aside ${id}`)),
    bringBack: (id: string) => Promise.resolve(void kept.push(`back ${id}`)),
  };
  let configFolder = '';
  const history = new ConversationHistory({
    hub: world.hub,
    log: silentLogger,
    changes,
    configFolder: () => configFolder,
    show: (place) => {
      shown.push(place.id);
      return Promise.resolve();
    },
    mayEnd: () => Promise.resolve(true),
    openTab: (sessionId, where) => shown.push(`new tab: ${sessionId} in ${where?.path ?? ''}`),
  });
  const side = world.hub.place(WINDOW_PLACE);
  const tab = world.hub.place('tab');
  return {
    ...{ ...world, history, shown, kept, side, tab },
    use: (given: string) => {
      configFolder = given;
    },
  };
}

/** As if its conversation had this session. */
function hold(places: Map<string, unknown>, place: ConversationPlace, sessionId: string): void {
  const conversation = { sessionId, queue: [], sent: [] };
  places.set(place.id, { folder: { name: 'shop', path: '/w/shop' }, conversation });
}

test('a past conversation takes the seat of the one that was there, which ends', async () => {
  const { history, side, made, places } = setUp();
  const before = made[0];
  await history.open(side, OTHER);
  assert.equal(before?.ended, true);
  assert.equal(made.at(-1)?.memory.kept?.sessionId, OTHER);
  assert.equal(side.sessionId, OTHER, 'it is there again after a reload');
  assert.equal(side.isTouched, true);
  assert.ok(places.has(WINDOW_PLACE));
});

test('one that is open in another place is shown there, and never opened twice', async () => {
  const { history, side, tab, made, places, shown } = setUp();
  hold(places, tab, OTHER);
  const count = made.length;
  await history.open(side, OTHER);
  assert.deepEqual(shown, ['tab']);
  assert.equal(made.length, count);
});

test('one that was just left is read once its process has ended', async () => {
  const { history, side, made, places } = setUp();
  hold(places, side, OTHER);
  let end: () => void = () => undefined;
  made[0]!.ending = new Promise((resolve) => {
    end = resolve;
  });
  side.startNew();
  const opened = history.open(side, OTHER);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(side.sessionId, undefined);
  end();
  await opened;
  assert.equal(side.sessionId, OTHER);
});

test('one that is open here stays as it is', async () => {
  const { history, tab, made, places, shown } = setUp();
  hold(places, tab, OTHER);
  const count = made.length;
  await history.open(tab, OTHER);
  assert.deepEqual(shown, ['tab']);
  assert.equal(tab.sessionId, OTHER);
  assert.equal(made.length, count);
});

test('the list says which are open where, and gives the first prompt beside a title of its own', async (t) => {
  const { history, side, tab, places, use } = setUp('/tmp/ws.dot_x é-5X');
  const { configFolder } = await session(t, [
    prompt('u1', null, 'why is it slow?'),
    { type: 'custom-title', customTitle: 'Slowness' },
  ]);
  use(configFolder);
  const rows = async (place: ConversationPlace) => {
    const answer = await history.list(place);
    assert.equal(answer.kind, 'list');
    return answer.rows.map(({ title, about, open }) => ({ title, about, open }));
  };
  const row = { title: 'Slowness', about: 'why is it slow?' };
  assert.deepEqual(await rows(side), [{ ...row, open: undefined }]);
  hold(places, tab, SESSION);
  assert.deepEqual(await rows(side), [{ ...row, open: 'elsewhere' }]);
  assert.deepEqual(await rows(tab), [{ ...row, open: 'here' }]);
});

test('without a folder it says what to do', async () => {
  const world = hubOf();
  world.where.folder = undefined;
  const history = new ConversationHistory({
    hub: world.hub,
    log: silentLogger,
    changes: nowhere,
    configFolder: () => '/nowhere',
    show: () => Promise.resolve(),
    mayEnd: () => Promise.resolve(true),
    openTab: () => undefined,
  });
  const answer = await history.list(world.hub.place(WINDOW_PLACE));
  assert.equal(answer.kind, 'failed');
  assert.match(answer.reason, /open one/);
});

const FOLDER = '/tmp/ws.dot_x é-5X';

async function withFile(t: TestContext) {
  const world = setUp(FOLDER);
  const { configFolder, file } = await session(t, [prompt('u1', null, 'why is it slow?')]);
  world.use(configFolder);
  return { ...world, file };
}

/** The conversation of a place, as the test has made it. */
function recorded({ conversation }: ConversationPlace): RecordedConversation {
  assert.ok(conversation instanceof RecordedConversation);
  return conversation;
}

const titlesIn = (answer: ConversationsAnswer): readonly string[] =>
  answer.kind === 'list' ? answer.rows.map(({ title }) => title) : [answer.reason];

test('one is opened in a tab of its own, in the folder of the place; what is here goes on', async () => {
  const { history, side, tab, places, shown, made } = setUp();
  await history.openInTab(side, OTHER);
  assert.deepEqual(shown, [`new tab: ${OTHER} in /w/shop`]);
  assert.equal(made[0]?.ended, false);
  hold(places, tab, OTHER);
  await history.openInTab(side, OTHER);
  assert.equal(shown.at(-1), 'tab', 'one that is open already is shown');
});

test('a title goes into the file, where no agent runs that would write its own', async (t) => {
  const { history, side, tab, places } = await withFile(t);
  assert.deepEqual(titlesIn(await history.rename(side, SESSION, '  Slow\n ness ')), ['Slow ness']);
  hold(places, tab, SESSION);
  const held = recorded(tab);
  assert.deepEqual(titlesIn(await history.rename(side, SESSION, 'Second')), ['Second']);
  assert.equal(held.snapshot().title, 'Second', 'the tab that shows it has it too');
  held.takesTitles = true;
  assert.deepEqual(titlesIn(await history.rename(side, SESSION, 'Third')), ['Second']);
  assert.ok(held.calls.includes('rename Third'), 'the agent writes it');
  assert.deepEqual(titlesIn(await history.rename(side, SESSION, '  ')), ['Second']);
});

test('a deleted one leaves the list, and Undo brings it back', async (t) => {
  const { history, side, kept } = await withFile(t);
  const told = { sessionId: SESSION, title: 'why is it slow?' };
  const deleted = await history.delete(side, told);
  assert.deepEqual(deleted, { kind: 'list', rows: [], deleted: told });
  const back = await history.undelete(side, SESSION);
  assert.deepEqual(titlesIn(back), ['why is it slow?']);
  assert.deepEqual(
    await history.undelete(side, SESSION).then((answer) => 'problem' in answer),
    true,
    'there is nothing left to bring back',
  );
  assert.deepEqual(kept, [`aside ${SESSION}`, `back ${SESSION}`], 'with its changed files');
});

test('one that is open here ends first, one that is open elsewhere is left alone', async (t) => {
  const { history, side, tab, places, made, file } = await withFile(t);
  const told = { sessionId: SESSION, title: 'x' };
  hold(places, tab, SESSION);
  const refused = await history.delete(side, told);
  assert.match(refused.kind === 'list' ? (refused.problem ?? '') : '', /another tab/);
  assert.equal(titlesIn(refused).length, 1);
  places.delete(tab.id);
  hold(places, side, SESSION);
  const original = recorded(side);
  const wrote: string[] = [];
  // What a process writes while it ends comes before the file is moved.
  original.ending = appendFile(file, '{"type":"cost-state"}\n').then(() => {
    wrote.push('the last of it');
  });
  const deleted = await history.delete(side, told);
  assert.deepEqual([wrote.length, original.ended], [1, true]);
  assert.deepEqual(titlesIn(deleted), []);
  assert.notEqual(made.at(-1), original);
  await assert.rejects(access(file));
});

test('an id that names no conversation of the folder changes nothing', async (t) => {
  const { history, side, made, file } = await withFile(t);
  const before = await readFile(file, 'utf8');
  const ids = [OTHER, '__proto__', 'constructor', '', `../x/${SESSION}`, `${SESSION}.jsonl`];
  for (const sessionId of ids) {
    const answers = [
      await history.rename(side, sessionId, 'Mine'),
      await history.delete(side, { sessionId, title: 'x' }),
      await history.undelete(side, sessionId),
    ];
    for (const answer of answers) {
      assert.match(
        answer.kind === 'list' ? (answer.problem ?? '') : '',
        /not on the disk/,
        sessionId,
      );
      assert.deepEqual(titlesIn(answer), ['why is it slow?']);
    }
  }
  assert.equal(await history.result(side, '__proto__'), undefined);
  assert.equal(await readFile(file, 'utf8'), before);
  assert.equal(made.at(-1)?.ended, false);
});

test('pressed twice, or in two places at once, a conversation is opened once', async () => {
  const { history, side, hub, places, shown } = setUp();
  const opened: string[] = [];
  const twice = new ConversationHistory({
    ...{ hub, log: silentLogger, changes: nowhere, configFolder: () => '' },
    show: (place) => Promise.resolve(void shown.push(place.id)),
    mayEnd: () => Promise.resolve(true),
    openTab: (sessionId, folder) => {
      const id = `tab ${opened.push(sessionId)}`;
      hub.place(id).resumeIn(folder, sessionId);
    },
  });
  await Promise.all([twice.openInTab(side, OTHER), twice.openInTab(side, OTHER)]);
  await Promise.all([twice.open(side, OTHER), history.openInTab(side, OTHER)]);
  assert.deepEqual([opened, shown], [[OTHER], ['tab 1', 'tab 1', 'tab 1']]);
  assert.equal(side.sessionId, undefined);
  assert.ok(places.has('tab 1'));
});

test('one that was opened in another place while the person was asked is shown there', async () => {
  const { side, tab, hub, places, shown, made } = setUp();
  const history = new ConversationHistory({
    ...{ hub, log: silentLogger, changes: nowhere, configFolder: () => '' },
    show: (place) => Promise.resolve(void shown.push(place.id)),
    mayEnd: () => {
      hold(places, tab, OTHER);
      return Promise.resolve(true);
    },
    openTab: () => undefined,
  });
  const count = made.length;
  Object.defineProperty(side, 'isWorking', { value: true });
  await history.open(side, OTHER);
  assert.deepEqual([shown, made.length], [['tab'], count]);
});

test('a long title is cut between two characters', async (t) => {
  const { configFolder } = await session(t, [prompt('u', null, 'go', { cwd: '/w/shop' })], {
    cwd: '/w/shop',
  });
  const { history, side, use } = setUp();
  use(configFolder);
  const answer = await history.rename(side, SESSION, `${'x'.repeat(MAX_TITLE - 1)}😀`);
  assert.equal(answer.kind === 'list' && answer.rows[0]?.title, 'x'.repeat(MAX_TITLE - 1));
});
