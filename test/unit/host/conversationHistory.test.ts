import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { ConversationHistory } from '../../../src/host/conversationHistory';
import type { ConversationPlace } from '../../../src/host/conversationPlace';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import { prompt, session, SESSION } from '../sessions/sessionFixture';
import { hubOf } from './hostFakes';

const OTHER = '99999999-2222-3333-4444-555555555555';

function setUp(folder = '/w/shop') {
  const world = hubOf();
  world.where.folder = { name: 'shop', path: folder };
  const shown: string[] = [];
  let configFolder = '';
  const history = new ConversationHistory({
    hub: world.hub,
    log: silentLogger,
    configFolder: () => configFolder,
    show: (place) => {
      shown.push(place.id);
      return Promise.resolve();
    },
    mayEnd: () => Promise.resolve(true),
  });
  const side = world.hub.place(WINDOW_PLACE);
  const tab = world.hub.place('tab');
  return {
    ...{ ...world, history, shown, side, tab },
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
    configFolder: () => '/nowhere',
    show: () => Promise.resolve(),
    mayEnd: () => Promise.resolve(true),
  });
  const answer = await history.list(world.hub.place(WINDOW_PLACE));
  assert.equal(answer.kind, 'failed');
  assert.match(answer.reason, /open one/);
});
