import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageRef } from '../../../src/chat/imageProtocol';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import { FakeSurface, hubOf } from './hostFakes';
import { connect } from './connectView';

const PICTURE: ImageRef = { id: 'i1', name: 'a.png', mediaType: 'image/png', bytes: 3 };

/** The conversation that is made next in the place gets this session, as with its first turn. */
function say({ made }: ReturnType<typeof hubOf>, sessionId: string): void {
  made.at(-1)?.memory.keep({ sessionId, queue: [], sent: [] });
}

test('a draft goes with its conversation, and comes back with it', () => {
  const room = hubOf();
  const place = room.hub.active;
  say(room, 'parrots');
  place.draft = 'and the parrots?';
  place.draftImages = [PICTURE];
  place.resume('herons');
  assert.deepEqual([place.draft, place.draftImages], ['', []]);
  place.draft = 'and the herons?';
  place.startNew();
  assert.equal(place.draft, '');
  place.draft = 'something new';
  place.resume('parrots');
  assert.deepEqual([place.draft, place.draftImages], ['and the parrots?', [PICTURE]]);
  place.startNew();
  assert.equal(place.draft, 'something new');
  place.resume('herons');
  assert.equal(place.draft, 'and the herons?');
});

test('a message that goes on in a new conversation stands in its input, the draft in the old one', () => {
  const room = hubOf();
  const place = room.hub.active;
  const surface = new FakeSurface(WINDOW_PLACE);
  const view = place.attach(surface);
  view.ready();
  say(room, 'herons');
  place.draft = 'and then?';
  place.startNew('what was not answered');
  room.clock.advance(100);
  assert.equal(place.draft, '');
  const kinds = surface.messages.map(({ type }) => type);
  assert.deepEqual(kinds.slice(-2), ['snapshot', 'insertText']);
  assert.deepEqual(surface.messages.at(-1), { type: 'insertText', text: 'what was not answered' });
  place.resume('herons');
  assert.equal(place.draft, 'and then?');
});

test('what is typed before anything was said stays for a new conversation, and is said in it', () => {
  const room = hubOf();
  const place = room.hub.active;
  place.draft = 'first words';
  place.startNew();
  assert.equal(place.draft, 'first words');
  place.submit('p1', 'first words');
  say(room, 's1');
  place.startNew();
  assert.equal(place.draft, '');
});

test('a copy of a conversation, and one that begins again, have the draft of what they are made of', () => {
  const room = hubOf();
  const place = room.hub.active;
  say(room, 's1');
  place.draft = 'half a word';
  place.resume('s2', { forkOf: 'the first' });
  assert.equal(place.draft, 'half a word');
  place.beginAgain();
  assert.equal(place.draft, 'half a word');
});

test('a draft that was put away is not written over by another one', () => {
  const room = hubOf();
  const place = room.hub.active;
  place.draft = 'new one';
  place.resume('s1');
  place.draft = 'of the first';
  place.beginAgain();
  // Now it is the draft of what is not yet a session, of which one waits already.
  place.resume('s2');
  place.startNew();
  assert.equal(place.draft, 'new one\nof the first');
});

test('a prompt that is edited comes back with its conversation too', () => {
  const room = hubOf();
  const place = room.hub.active;
  say(room, 's1');
  place.edit = { wireId: crypto.randomUUID(), text: 'other words' };
  const edited = (): string | undefined => place.edit?.text;
  place.resume('s2');
  assert.equal(edited(), undefined);
  place.resume('s1');
  assert.equal(edited(), 'other words');
});

test('the last letters of an edit go with what they were typed for, also when they come late', () => {
  const { surface, place, clock } = connect();
  surface.received.fire({ type: 'ready' });
  clock.advance(100);
  const first = surface.messages.find((message) => message.type === 'snapshot');
  const edit = { wireId: 'w1', text: 'other words' };
  const edited = (): string | undefined => place.edit?.text;
  place.resume('s1');
  place.edit = { wireId: 'w9', text: 'of the other' };
  surface.received.fire({ type: 'editDraft', edit, box: first?.box });
  assert.equal(edited(), 'of the other');
  place.startNew();
  assert.deepEqual(place.edit, edit);
});

test('the draft of a tab that was closed is there where its conversation is opened next', () => {
  const room = hubOf();
  const tab = room.hub.place('tab-1');
  tab.resumeIn({ name: 'shop', path: '/w/shop' }, 's1');
  tab.draft = 'half a word';
  room.hub.close('tab-1');
  room.hub.active.resume('s1');
  assert.equal(room.hub.active.draft, 'half a word');
});

test('the draft of a tab is there too where the tab itself is back after a restart', () => {
  const room = hubOf();
  const tab = room.hub.place('tab-1');
  tab.resumeIn({ name: 'shop', path: '/w/shop' }, 's1');
  tab.draft = 'half a word';
  room.hub.close('tab-1');
  assert.equal(room.hub.place('tab-1').draft, 'half a word');
});

test('the last letters of a page go with what they were typed for, also when they come late', () => {
  const { surface, place, clock } = connect();
  surface.received.fire({ type: 'ready' });
  clock.advance(100);
  const [first] = surface.messages;
  assert.equal(first?.type, 'snapshot');
  const { box } = first;
  surface.received.fire({ type: 'draft', text: 'for the new', box });
  place.resume('s1');
  clock.advance(100);
  const second = surface.messages.at(-1);
  assert.ok(second?.type === 'snapshot' && second.box !== box);
  assert.equal(second.draft, '');
  surface.received.fire({ type: 'draft', text: 'for the new one', box });
  assert.equal(place.draft, '');
  surface.received.fire({ type: 'draft', text: 'for the old', box: second.box });
  assert.equal(place.draft, 'for the old');
  place.startNew();
  assert.equal(place.draft, 'for the new one');
});

test('a prompt that is taken after its conversation was left is no draft of it any more', async () => {
  const room = hubOf();
  const place = room.hub.active;
  say(room, 's1');
  place.draft = 'look at @src/a.ts';
  let take: () => void = () => undefined;
  room.made[0]!.outcome = new Promise((resolve) => {
    take = () => {
      resolve({ accepted: true });
    };
  });
  const outcome = place.submit('p1', 'look at @src/a.ts');
  place.resume('s2');
  place.draft = 'look';
  take();
  await outcome;
  assert.equal(place.draft, 'look');
  place.resume('s1');
  assert.equal(place.draft, '');
});

test('a new page that has the last message in its box again, such as by Up, has it as its draft', () => {
  const { surface, place, clock } = connect();
  surface.received.fire({ type: 'ready' });
  surface.received.fire({ type: 'draft', text: 'go on' });
  surface.received.fire({ type: 'submit', promptId: 'p1', text: 'go on' });
  assert.equal(place.draft, '');
  // The page goes before it hears of it; what it had is taken for what it was.
  surface.received.fire({ type: 'draft', text: 'go on and on' });
  assert.equal(place.draft, 'and on');
  place.draft = '';
  surface.received.fire({ type: 'ready' });
  clock.advance(100);
  surface.received.fire({ type: 'draft', text: 'go on' });
  assert.equal(place.draft, 'go on');
});

test('all views of a place are told of the draft that is there now', () => {
  const room = hubOf();
  const place = room.hub.active;
  const surfaces = [new FakeSurface(WINDOW_PLACE), new FakeSurface(WINDOW_PLACE)];
  for (const surface of surfaces) place.attach(surface).ready();
  say(room, 's1');
  place.draft = 'one';
  place.startNew();
  place.draft = 'two';
  place.resume('s1');
  room.clock.advance(100);
  for (const { messages } of surfaces) {
    const last = messages.at(-1);
    assert.equal(last?.type === 'snapshot' && last.draft, 'one');
  }
});
