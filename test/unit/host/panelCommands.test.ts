import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from './connectView';

/** Everything that waits for nothing but a turn of the loop has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a command of the panel’s own is run in place, once, and the agent never hears of it', async () => {
  const { surface, done, conversation, place, clock } = connect();
  surface.received.fire({ type: 'ready' });
  const told = () => surface.messages.filter(({ type }) => type === 'submitted');
  for (const [promptId, text] of [
    ['p1', '/focus'],
    ['p1', '/focus'],
    ['p2', '/find'],
    ['p3', '/history'],
    ['p4', '/collapse'],
    ['p5', '/patchbay:export'],
    ['p6', '/new'],
  ] as const) {
    place.draft = text;
    surface.received.fire({ type: 'submit', promptId, text });
    await settled();
    assert.equal(place.draft, '');
  }
  clock.advance(100);
  assert.deepEqual(conversation.submitted, []);
  assert.deepEqual(done, ['run toggleFocusView', 'run exportConversation', 'newConversation']);
  assert.equal(told().length, 7);
  const types = surface.messages.map(({ type }) => type);
  for (const type of ['openFind', 'openConversations', 'read'] as const) {
    assert.ok(types.includes(type), type);
  }
  // The agent has a command of this name: it is meant.
  surface.received.fire({ type: 'submit', promptId: 'p7', text: '/export' });
  assert.deepEqual(conversation.submitted, ['/export']);
});

test('a command of the panel’s own with words behind it is refused, and the words are kept', async () => {
  const { surface, done, conversation, place, clock } = connect();
  surface.received.fire({ type: 'ready' });
  place.draft = '/find the cart';
  surface.received.fire({ type: 'submit', promptId: 'p1', text: '/find the cart' });
  await settled();
  clock.advance(100);
  const last = surface.messages.at(-1);
  assert.ok(last?.type === 'submitted');
  assert.match(last.refused ?? '', /^\/find is a command of the panel/);
  assert.deepEqual([place.draft, done, conversation.submitted], ['/find the cart', [], []]);
});

test('a command that is chosen in the list leaves the rest of the message, which /new does not lose', async () => {
  for (const text of ['/find', '/new', '/patchbay:export']) {
    const { surface, place } = connect();
    surface.received.fire({ type: 'ready' });
    surface.received.fire({ type: 'draft', text: 'half a sentence' });
    surface.received.fire({ type: 'submit', promptId: 'p1', text });
    await settled();
    assert.equal(place.draft, 'half a sentence', text);
  }
});
