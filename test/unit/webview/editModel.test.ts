import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewMessage } from '../../../src/chat/viewProtocol';
import type { UserItem } from '../../../src/chat/viewStateProtocol';
import { DRAFT_DELAY_MS } from '../../../src/webview/draftTimer';
import { EditModel } from '../../../src/webview/editModel';
import { HandClock } from './handClock';

const prompt = (n: number): UserItem => ({
  kind: 'user',
  id: `u${n}`,
  text: `words ${n}`,
  wireId: `w${n}`,
});
const ITEMS = [prompt(1), prompt(2)];

/** Read through a function: a check of it before would narrow its type for good. */
const shown = (model: EditModel) => model.editing.value;

function setUp() {
  const posted: ViewMessage[] = [];
  const clock = new HandClock();
  let ids = 0;
  const model = new EditModel({
    post: (message) => posted.push(message),
    timers: clock,
    newId: () => `p${(ids += 1)}`,
  });
  return { model, posted, clock };
}

test('what is typed is with the host soon, and gone with a Cancel', () => {
  const { model, posted, clock } = setUp();
  model.begin(prompt(1));
  model.type('other');
  model.type('other words');
  clock.advance(DRAFT_DELAY_MS);
  assert.deepEqual(posted, [{ type: 'editDraft', edit: { wireId: 'w1', text: 'other words' } }]);
  model.type('other words still');
  model.cancel();
  clock.advance(DRAFT_DELAY_MS);
  assert.deepEqual(posted.slice(1), [{ type: 'editDraft' }]);
});

test('a second press of Edit keeps what is typed, another prompt takes the place', () => {
  const { model, posted } = setUp();
  model.begin(prompt(1));
  model.type('other words');
  model.begin(prompt(1));
  assert.equal(shown(model)?.text, 'other words');
  model.begin(prompt(2));
  assert.equal(shown(model)?.text, 'words 2');
  assert.deepEqual(posted.at(-1), {
    type: 'editDraft',
    edit: { wireId: 'w1', text: 'other words' },
  });
});

test('what was typed into one is there again when another was edited meanwhile, until it is given up', () => {
  const { model, posted, clock } = setUp();
  model.begin(prompt(1));
  model.type('other words');
  model.begin(prompt(2));
  model.type('and others');
  model.begin(prompt(1));
  assert.equal(shown(model)?.text, 'other words');
  clock.advance(DRAFT_DELAY_MS);
  assert.deepEqual(posted.at(-1), {
    type: 'editDraft',
    edit: { wireId: 'w1', text: 'other words' },
  });
  model.cancel();
  model.begin(prompt(2));
  assert.equal(shown(model)?.text, 'and others');
  model.begin(prompt(1));
  assert.equal(shown(model)?.text, 'words 1');
});

test('the last letters go with the conversation that they were typed in, whatever comes into its place', () => {
  const { model, posted, clock } = setUp();
  model.start(undefined, ITEMS, 'first');
  model.begin(prompt(1));
  model.type('other words');
  const draft = { wireId: 'w7', text: 'of the second' };
  model.start(draft, [{ ...prompt(7), wireId: 'w7' }], 'second');
  assert.deepEqual(shown(model), draft);
  clock.advance(DRAFT_DELAY_MS);
  const edit = { wireId: 'w1', text: 'other words' };
  assert.deepEqual(posted, [{ type: 'editDraft', edit, box: 'first' }]);
  model.type('of the second one');
  model.flush();
  assert.deepEqual(posted.at(-1), {
    ...{ type: 'editDraft', edit: { wireId: 'w7', text: 'of the second one' } },
    box: 'second',
  });
});

test('a prompt that is not on the wire cannot be edited', () => {
  const { model } = setUp();
  model.begin({ kind: 'user', id: 'u', text: 'x' });
  assert.equal(shown(model), undefined);
});

test('it is sent once, and again only after the host has refused', () => {
  const { model, posted } = setUp();
  model.begin(prompt(1));
  model.type('  ');
  model.send(prompt(1));
  model.type(' deux ');
  model.send(prompt(1));
  model.send(prompt(1));
  const sent = () => posted.filter(({ type }) => type === 'editPrompt');
  assert.deepEqual(sent(), [{ type: 'editPrompt', itemId: 'u1', promptId: 'p1', text: 'deux' }]);
  model.refused('another', 'no');
  assert.equal(shown(model)?.refused, undefined);
  model.refused('p1', 'full');
  assert.equal(shown(model)?.refused, 'full');
  model.type('deux!');
  assert.equal(shown(model)?.refused, undefined);
  model.send(prompt(1));
  assert.equal(sent().length, 2);
});

test('a snapshot brings the draft of the host, and leaves alone what is typed here', () => {
  const { model } = setUp();
  model.start({ wireId: 'w2', text: 'from before' }, ITEMS);
  assert.equal(shown(model)?.text, 'from before');
  model.type('typed on');
  model.start({ wireId: 'w2', text: 'from before' }, ITEMS);
  assert.equal(shown(model)?.text, 'typed on');
  model.start(undefined, [prompt(3)]);
  assert.equal(shown(model), undefined, 'another conversation is here');
  model.start({ wireId: 'w9', text: 'of no prompt' }, ITEMS);
  assert.equal(shown(model), undefined);
});

test('one whose answer was lost with the view can be sent again', () => {
  const { model, posted } = setUp();
  model.start(undefined, ITEMS);
  model.begin(prompt(1));
  model.send(prompt(1));
  model.start({ wireId: 'w1', text: 'words 1' }, ITEMS);
  model.send(prompt(1));
  const sent = posted.filter(({ type }) => type === 'editPrompt');
  assert.equal(sent.length, 2);
});
