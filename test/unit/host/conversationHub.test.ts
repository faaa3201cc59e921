import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import { FakeSurface, hubOf } from './hostFakes';

test('a conversation is made when its place is first asked for, in the folder of that moment', () => {
  const { hub, made, where } = hubOf();
  assert.equal(made.length, 0);
  where.folder = { name: 'third', path: '/w/third' };
  hub.place(WINDOW_PLACE);
  hub.place(WINDOW_PLACE);
  assert.deepEqual(
    made.map((one) => one.folder?.name),
    ['third'],
  );
  assert.equal(made[0]?.snapshot().notice, 'a notice');
});

test('until something was said, the conversation follows the person to another folder', () => {
  const { hub, made, where } = hubOf();
  const place = hub.active;
  place.draft = 'typed';
  where.folder = { name: 'other', path: '/w/other' };
  place.followFolder();
  place.followFolder();
  assert.deepEqual(
    made.map((one) => [one.folder?.name, one.ended]),
    [
      ['shop', true],
      ['other', false],
    ],
  );
  assert.equal(place.draft, 'typed');
  place.submit('p1', 'hello');
  where.folder = { name: 'shop', path: '/w/shop' };
  place.followFolder();
  assert.equal(made.length, 2);
});

test('a new conversation goes to the folder that was chosen, one in which something was said does not', () => {
  const { hub, made, where, places } = hubOf();
  const place = hub.active;
  place.draft = 'typed';
  where.folder = { name: 'docs', path: '/w/docs' };
  place.moveToFolder();
  place.moveToFolder();
  assert.deepEqual(
    made.map((one) => one.folder?.name),
    ['shop', 'docs'],
  );
  assert.equal(place.draft, 'typed');
  made[1]!.memory.keep({ queue: [], sent: [], mode: 'plan', modeChosen: true });
  place.touch();
  where.folder = { name: 'shop', path: '/w/shop' };
  place.moveToFolder();
  assert.equal(
    made[2]?.folder?.name,
    'shop',
    'a chosen mode keeps it from following, not from going',
  );
  assert.equal(made[2].memory.kept?.mode, 'plan', 'and goes along');
  made[2].items = [{ kind: 'user', id: 'u1', text: 'hello' }];
  where.folder = { name: 'docs', path: '/w/docs' };
  place.moveToFolder();
  assert.equal(made.length, 3);
  made[2].items = [];
  places.set(place.id, {
    folder: where.folder,
    conversation: { sessionId: 's1', queue: [], sent: [] },
  });
  place.moveToFolder();
  assert.equal(made.length, 3, 'a session is of its folder');
});

test('a prompt whose id comes twice is sent once, also in a new conversation', () => {
  const { hub, made } = hubOf();
  const place = hub.active;
  assert.deepEqual(place.submit('p1', 'hello'), { accepted: true });
  assert.deepEqual(place.submit('p1', 'hello'), { accepted: true });
  place.startNew();
  assert.deepEqual(place.submit('p1', 'hello'), { accepted: true });
  assert.deepEqual(
    made.map((one) => one.submitted),
    [['hello'], []],
  );
});

test('a draft is let go only once its prompt was taken', () => {
  const { hub, made } = hubOf();
  const place = hub.active;
  place.draft = 'hello wor';
  made[0]!.outcome = { accepted: false, reason: 'no CLI' };
  assert.deepEqual(place.submit('p1', 'hello world'), { accepted: false, reason: 'no CLI' });
  assert.equal(place.draft, 'hello wor');
  made[0]!.outcome = { accepted: true };
  place.submit('p1', 'hello world');
  assert.equal(place.draft, '');
});

test('what is typed on after Send stays a draft', () => {
  const { hub } = hubOf();
  const place = hub.active;
  place.draft = 'first and then more';
  place.submit('p1', 'first');
  assert.equal(place.draft, 'first and then more');
});

test('text for the input waits for the view when none is open', () => {
  const { hub, clock } = hubOf();
  const place = hub.active;
  place.send({ type: 'insertText', text: 'src/a.ts:1' });
  const surface = new FakeSurface(WINDOW_PLACE);
  const view = place.attach(surface);
  view.ready();
  clock.advance(100);
  assert.deepEqual(
    surface.messages.map((message) => message.type),
    ['snapshot', 'insertText'],
  );
});

test('a view that is opened again shows the conversation that went on without it', () => {
  const { hub, made, clock } = hubOf();
  const place = hub.active;
  place.attach(new FakeSurface(WINDOW_PLACE)).dispose();
  made[0]!.setFields({ title: 'went on' });
  clock.advance(100);
  const surface = new FakeSurface(WINDOW_PLACE);
  place.attach(surface).ready();
  clock.advance(100);
  const [message] = surface.messages;
  assert.ok(message?.type === 'snapshot');
  assert.equal(message.state.title, 'went on');
});

test('stop means the active conversation if it runs, else any that does', () => {
  const { hub, made, clock } = hubOf();
  const window = hub.active;
  const tab = hub.place('tab-1');
  assert.equal(hub.running, undefined);
  made[1]!.setFields({ status: { kind: 'working' } });
  clock.advance(100);
  assert.equal(hub.running, tab);
  made[0]!.setFields({ status: { kind: 'waitingForPermission' } });
  clock.advance(100);
  assert.equal(hub.running, window);
});

test('a closed tab ends its conversation and the side bar is active again', () => {
  const { hub, made } = hubOf();
  const tab = hub.place('tab-1');
  hub.setActive(tab);
  assert.equal(hub.active, tab);
  hub.close('tab-1');
  assert.equal(made[0]?.ended, true);
  assert.equal(hub.active.id, WINDOW_PLACE);
});

test('the end waits until every conversation is gone, also the replaced ones', async () => {
  const { hub, made } = hubOf();
  const first = createDeferred<undefined>();
  hub.place(WINDOW_PLACE);
  made[0]!.ending = first.promise.then(() => undefined);
  hub.active.startNew();
  made[1]!.ending = Promise.reject(new Error('kill failed'));
  let ended = false;
  const end = hub.dispose().then(() => {
    ended = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(ended, false);
  first.resolve(undefined);
  await end;
  assert.deepEqual(
    made.map((one) => one.ended),
    [true, true],
  );
});

test('whoever listens to the turn sees questions that wait, with no view open', () => {
  const { hub, made, clock } = hubOf();
  const seen: string[] = [];
  hub.onDidChangeTurn((place) => seen.push(...place.turn.permissions.map((card) => card.id)));
  assert.equal(hub.active.isVisible, false);
  made[0]!.setFields({
    permissions: [{ id: 'c1', toolName: 'Bash', title: 'Run', body: 'ls', bodyKind: 'command' }],
  });
  clock.advance(100);
  assert.deepEqual(seen, ['c1']);
});
