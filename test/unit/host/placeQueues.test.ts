import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageRef } from '../../../src/chat/imageProtocol';
import { hubOf } from './hostFakes';

const PICTURE: ImageRef = { id: 'i1', name: 'a.png', mediaType: 'image/png', bytes: 3 };
const shop = { name: 'shop', path: '/w/shop' };
const prompts = (...ids: string[]) => ids.map((id) => ({ id, text: `text ${id}` }));

type Room = ReturnType<typeof hubOf>;

/** The conversation that was made last has this session, and these prompts wait in it. */
function wait({ made }: Room, sessionId: string | undefined, ...ids: string[]): void {
  made.at(-1)?.memory.keep({ sessionId, queue: prompts(...ids), sent: [] });
}

/** What waits in the conversation that was made last. */
function waiting({ made }: Room): readonly string[] {
  const { queue = [], sent = [] } = made.at(-1)?.memory.kept ?? {};
  return [...sent, ...queue].map(({ id }) => id);
}

test('what waits to be sent goes with its conversation, and waits again where that is shown next', () => {
  const room = hubOf();
  const place = room.hub.active;
  room.made[0]!.memory.keep({
    sessionId: 's1',
    queue: [{ id: 'a', text: 'text a', images: [PICTURE] }, ...prompts('b')],
    sent: [{ id: 'p', text: 'under way', wireId: 'w' }],
  });
  place.startNew();
  assert.deepEqual(waiting(room), []);
  wait(room, 's2', 'c');
  place.resume('s3');
  assert.deepEqual(waiting(room), []);
  place.resume('s1');
  assert.deepEqual(waiting(room), ['p', 'a', 'b']);
  assert.deepEqual(room.made.at(-1)?.memory.kept?.queue[0]?.images, [PICTURE]);
  place.resume('s2');
  assert.deepEqual(waiting(room), ['c']);
  // What was taken out meanwhile does not come back.
  wait(room, 's2');
  place.startNew();
  place.resume('s2');
  assert.deepEqual(waiting(room), []);
});

test('what waits where nothing was said yet goes on waiting in the next that begins there', () => {
  const room = hubOf();
  const place = room.hub.active;
  wait(room, undefined, 'a');
  place.startNew();
  assert.deepEqual(waiting(room), ['a']);
  assert.equal(room.made.at(-1)?.memory.kept?.queue[0]?.held, true, 'nothing starts by itself');
  wait(room, undefined, 'a');
  place.resume('s1');
  assert.deepEqual(waiting(room), []);
  place.startNew();
  assert.deepEqual(waiting(room), ['a']);
});

test('what waits in a tab that was closed is there where its conversation is opened next', () => {
  const room = hubOf();
  room.hub.place('tab-1');
  wait(room, 's1', 'a', 'b');
  room.hub.close('tab-1');
  room.hub.active.resume('s1');
  assert.deepEqual(waiting(room), ['a', 'b']);
});

test('what was chosen in a conversation is there again with it, and what was allowed is not', () => {
  const room = hubOf();
  const place = room.hub.active;
  const chosen = {
    mode: 'plan',
    modeChosen: true,
    model: 'opus',
    modelChosen: true,
    effort: 'low',
  };
  const grants = { rules: ['Bash(x)'], folders: [] };
  const kept = { sessionId: 's1', queue: [], sent: [], ...chosen, pins: ['a1'] };
  room.made[0]!.memory.keep({ ...kept, grants });
  place.startNew();
  assert.equal(room.made.at(-1)?.memory.kept, undefined, 'a new one begins without');
  wait(room, 's2');
  place.resume('s1');
  assert.deepEqual(room.made.at(-1)?.memory.kept, kept);
  // Nor where its tab was closed.
  room.hub.place('tab-1');
  room.made.at(-1)!.memory.keep({ ...kept, sessionId: 's3', grants });
  room.hub.close('tab-1');
  place.resume('s3');
  assert.deepEqual(room.made.at(-1)?.memory.kept, { ...kept, sessionId: 's3' });
  // Of one in which nothing was chosen the CLI's own file has all.
  wait(room, 's4');
  place.startNew();
  assert.ok(!room.places.has('talk:s4'));
});

test('what waits in a conversation of a folder that is closed is not lost to the one that takes its place', () => {
  const gone = { name: 'gone', path: '/closed/gone' };
  for (const begin of ['said', 'startNew', 'beginAgain'] as const) {
    const room = hubOf();
    const closed = {
      folder: gone,
      conversation: { sessionId: 's1', queue: prompts('a'), sent: [] },
    };
    room.places.set('window', closed);
    const place = room.hub.active;
    assert.equal(place.sessionId, undefined, 'it is not the conversation that is here');
    assert.deepEqual(room.places.get('window'), closed, 'and is there again with its folder');
    if (begin !== 'said') place[begin]();
    wait(room, 's2');
    assert.equal(place.sessionId, 's2');
    place.resume('s1');
    assert.deepEqual(waiting(room), ['a'], begin);
  }
});

test('words in a new tab that is closed are in the next new one', () => {
  const room = hubOf();
  room.hub.place('tab-1').draft = 'many words';
  room.hub.close('tab-1');
  assert.equal(room.hub.active.draft, '');
  assert.equal(room.hub.place('tab-2').draft, 'many words');
  assert.equal(room.hub.place('tab-3').draft, '');
});

test('one session is never in two places: a tab that was not looked at yet begins anew', () => {
  const room = hubOf();
  room.places.set('tab-1', {
    folder: shop,
    conversation: { sessionId: 's1', queue: prompts('a'), sent: [] },
  });
  const side = room.hub.active;
  side.resume('s1');
  assert.deepEqual(waiting(room), ['a']);
  const tab = room.hub.place('tab-1');
  assert.equal(tab.sessionId, undefined);
  assert.equal(room.made.at(-1)?.memory.kept, undefined);
  assert.equal(side.sessionId, 's1');
});
