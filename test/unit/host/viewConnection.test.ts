import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SubmitOutcome } from '../../../src/conversation/conversationPorts';
import { WINDOW_PLACE } from '../../../src/host/placeIds';
import { READY_TIMEOUT_MS } from '../../../src/host/viewConnection';
import { pngBytes } from '../../harness/pictureBytes';
import { connect } from './connectView';
import { FakeSurface } from './hostFakes';

/** Everything that waits for nothing but a turn of the loop has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('each message of the view does its one thing', async () => {
  const { surface, done, conversation } = connect();
  const messages = [
    { type: 'stop' },
    { type: 'dismissSide' },
    { type: 'inputFocused' },
    { type: 'answerPermission', cardId: 'c1', answer: 'deny', reason: 'not now' },
    { type: 'setModel', model: 'opus' },
    { type: 'retry', itemId: 'e1' },
    { type: 'toolAction', toolUseId: 't1', action: 'saveAndRetry' },
    { type: 'queue', promptId: 'p2', action: 'remove' },
    { type: 'newConversation' },
    { type: 'openConversation', sessionId: 's1' },
    { type: 'openConversation', sessionId: 's1', inTab: true },
    { type: 'renameConversation', sessionId: 's1', title: 'New' },
    { type: 'deleteConversation', sessionId: 's1', title: 'New' },
    { type: 'undeleteConversation', sessionId: 's1' },
    { type: 'forkHere', itemId: 'i1' },
    { type: 'editPrompt', itemId: 'i1', promptId: 'p9', text: 'in other words' },
    { type: 'retryAnswer', promptId: 'p8' },
    { type: 'openLink', href: 'src/a.ts:1' },
    { type: 'copy', text: 'x' },
    { type: 'insertCode', text: 'x' },
    { type: 'openCode', text: 'x', language: 'ts' },
    { type: 'showDiff', cardId: 'c1' },
    { type: 'showRequest', cardId: 'c1' },
    { type: 'showLog' },
    { type: 'openSettings' },
    { type: 'login' },
    { type: 'checkSetUp' },
    { type: 'chooseCli' },
    { type: 'chooseFolder', path: '/w/docs' },
    { type: 'openFolder' },
    { type: 'doctor' },
    { type: 'moreActions' },
    { type: 'menu', command: 'exportConversation' },
    { type: 'answerApproval', approvalId: 'a1', answer: 'never' },
    { type: 'showApproval', approvalId: 'a1' },
    { type: 'planCard', cardId: 'p1', action: 'open' },
    { type: 'planCard', cardId: 'p1', action: 'discardEdits' },
    { type: 'removePlanComment', cardId: 'p1', commentId: 'n1' },
    { type: 'savePlan', toolUseId: 't1' },
    { type: 'viewError', message: 'boom' },
  ];
  for (const message of messages) surface.received.fire(message);
  await Promise.resolve();
  assert.deepEqual(conversation.calls, [
    'stop',
    'dismiss side questions',
    'prewarm',
    'answer c1 deny not now',
    'model opus',
    'retry e1',
    'saveAndRetry t1',
    'remove p2',
  ]);
  assert.deepEqual(done, [
    'newConversation',
    'open s1',
    'open in a tab s1',
    'rename s1 New',
    'delete s1',
    'undelete s1',
    'fork i1',
    'resend i1 in other words',
    'again p8',
    'link src/a.ts:1',
    'copy x',
    'insert x',
    'new ts x',
    'diff c1',
    'whole c1',
    'log',
    'settings',
    'login',
    'check the set-up',
    'choose the CLI',
    'work in /w/docs',
    'folder',
    'doctor',
    'more',
    'run exportConversation',
    'approval a1 never',
    'approval a1',
    'plan open p1',
    'plan discardEdits p1',
    'uncomment n1 p1',
    'save plan t1',
    'The chat view reports: boom',
  ]);
});

test('what is no message of ours is dropped and told', () => {
  const { surface, done, conversation } = connect();
  for (const value of [undefined, 7, 'stop', {}, { type: 'exec' }, { type: 'submit' }]) {
    surface.received.fire(value);
  }
  assert.deepEqual(conversation.calls, []);
  assert.equal(done.length, 6);
  assert.ok(done.every((line) => line.startsWith('warn ')));
});

test('a submit is answered, and a doubled one is sent once', () => {
  const { surface, clock, conversation } = connect();
  surface.received.fire({ type: 'ready' });
  surface.received.fire({ type: 'submit', promptId: 'p1', text: 'hello' });
  surface.received.fire({ type: 'submit', promptId: 'p1', text: 'hello' });
  conversation.outcome = { accepted: false, reason: 'no CLI' };
  surface.received.fire({ type: 'submit', promptId: 'p2', text: 'again' });
  clock.advance(100);
  assert.deepEqual(conversation.submitted, ['hello', 'again']);
  assert.deepEqual(surface.messages.slice(1), [
    { type: 'submitted', promptId: 'p1' },
    { type: 'submitted', promptId: 'p1' },
    { type: 'submitted', promptId: 'p2', refused: 'no CLI' },
  ]);
});

test('an edited prompt that was not sent is told to the view, with the reason', async () => {
  const { surface, clock } = connect({ forked: { accepted: false, reason: 'the disk is full' } });
  surface.received.fire({ type: 'ready' });
  surface.received.fire({ type: 'editPrompt', itemId: 'i1', promptId: 'p9', text: 'other words' });
  await settled();
  clock.advance(100);
  assert.deepEqual(surface.messages.at(-1), {
    type: 'edited',
    promptId: 'p9',
    refused: 'the disk is full',
  });
});

test('what is typed into an edit comes back with the snapshot, until it is given up', () => {
  const { surface, clock, place } = connect();
  const edit = { wireId: 'w1', text: 'in oth' };
  surface.received.fire({ type: 'editDraft', edit });
  surface.received.fire({ type: 'ready' });
  clock.advance(100);
  const [snapshot] = surface.messages;
  assert.ok(snapshot?.type === 'snapshot');
  assert.deepEqual(snapshot.edit, edit);
  surface.received.fire({ type: 'editDraft' });
  assert.equal(place.edit, undefined);
});

test('the draft comes back with the snapshot to a view that is made anew', () => {
  const { surface, clock, connection, place } = connect();
  surface.received.fire({ type: 'draft', text: 'half a thou' });
  connection.dispose();
  const next = new FakeSurface(WINDOW_PLACE);
  place.attach(next).ready();
  clock.advance(100);
  const [message] = next.messages;
  assert.ok(message?.type === 'snapshot');
  assert.equal(message.draft, 'half a thou');
  surface.received.fire({ type: 'draft', text: 'from the grave' });
  assert.equal(place.draft, 'half a thou');
});

test('in a workspace that is not trusted the focus alone starts nothing', () => {
  const { surface, conversation } = connect({ trusted: false });
  surface.received.fire({ type: 'inputFocused' });
  assert.deepEqual(conversation.calls, []);
});

test('what is for the running turn, and another order of what waits, go to the conversation', () => {
  const { surface, conversation } = connect();
  surface.received.fire({ type: 'submit', promptId: 'p1', text: 'at once', steers: true });
  surface.received.fire({ type: 'queue', promptId: 'p2', action: 'moveUp' });
  surface.received.fire({ type: 'queue', promptId: 'p2', action: 'moveDown' });
  surface.received.fire({ type: 'queue', promptId: 'p2', action: 'moveAround' });
  assert.deepEqual(conversation.calls, ['steer at once', 'moveUp p2', 'moveDown p2']);
});

test('a queued prompt that is edited goes into the input', () => {
  const { surface, clock } = connect();
  surface.received.fire({ type: 'ready' });
  surface.received.fire({ type: 'queue', promptId: 'p2', action: 'edit' });
  clock.advance(100);
  assert.deepEqual(surface.messages.at(-1), { type: 'insertText', text: 'queued text' });
});

test('what fails is shown', async () => {
  const { surface, done } = connect();
  surface.received.fire({ type: 'setMode', mode: 'auto' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(done, ['report Error: mode auto is refused']);
});

test('a page that stays silent is loaded once more, then replaced by the reason', () => {
  const { surface, clock } = connect();
  const calls = () => surface.calls.filter((call) => /^(reload|failure)/.test(call));
  clock.advance(READY_TIMEOUT_MS);
  assert.deepEqual(calls(), ['reload']);
  clock.advance(READY_TIMEOUT_MS);
  assert.deepEqual(calls(), ['reload', 'failure The page did not start. What you typed is kept.']);
});

test('a page that is ready, or hidden, is not loaded again', () => {
  const ready = connect();
  ready.surface.received.fire({ type: 'ready' });
  ready.clock.advance(READY_TIMEOUT_MS * 3);
  const hidden = connect({ visible: false });
  hidden.clock.advance(READY_TIMEOUT_MS * 3);
  for (const { surface } of [ready, hidden]) {
    assert.ok(!surface.calls.includes('reload'));
  }
});

test('whoever types where the caret was left wakes the agent; the same text again does not', () => {
  const { surface, conversation } = connect();
  surface.received.fire({ type: 'draft', text: '' });
  assert.deepEqual(conversation.calls, []);
  surface.received.fire({ type: 'draft', text: 'he' });
  surface.received.fire({ type: 'draft', text: 'he' });
  assert.deepEqual(conversation.calls, ['prewarm']);
  const untrusted = connect({ trusted: false });
  untrusted.surface.received.fire({ type: 'draft', text: 'he' });
  assert.deepEqual(untrusted.conversation.calls, []);
});

test('a page that was made anew asks for the open questions, and the last that goes frees the spare', () => {
  const { surface, conversation, connection } = connect();
  surface.received.fire({ type: 'ready' });
  assert.deepEqual(conversation.calls, ['recheckQuestions']);
  connection.dispose();
  assert.deepEqual(conversation.calls, ['recheckQuestions', 'releaseSpare']);
});

test('the half-typed reason of a no is handed on', () => {
  const { surface, conversation } = connect();
  surface.received.fire({ type: 'permissionDraft', cardId: 'p1', reason: 'not on a' });
  surface.received.fire({ type: 'permissionDraft', cardId: 'p1', reason: 7 });
  assert.deepEqual(conversation.calls, ['reason p1 not on a']);
});

test('a form is answered and its draft handed on; what is no draft is dropped', async () => {
  const { surface, done, conversation } = connect();
  const answer = (cardId: string, reply: unknown): void =>
    surface.received.fire({ type: 'answerAsk', cardId, reply });
  surface.received.fire({ type: 'askDraft', cardId: 'f1', draft: { '0': 'st', '1': ['2'] } });
  answer('f1', { action: 'accept', draft: { '0': 'staging', '1': true } });
  answer('f2', { action: 'decline' });
  for (const bad of [
    { action: 'accept' },
    { action: 'open' },
    { action: 'accept', draft: { '0': 7 } },
    { action: 'accept', draft: { '0': 'x'.repeat(1_000_001) } },
    'accept',
  ]) {
    answer('f3', bad);
  }
  await Promise.resolve();
  assert.deepEqual(conversation.calls, [
    'draft f1 {"0":"st","1":["2"]}',
    'ask f1 {"action":"accept","draft":{"0":"staging","1":true}}',
    'ask f2 {"action":"decline"}',
  ]);
  assert.equal(done.filter((line) => line.startsWith('warn')).length, 5);
});

test('a page is opened by one press and answered only when it was opened', async () => {
  let open: (opened: boolean) => void = () => undefined;
  const slow = new Promise<boolean>((resolve) => (open = resolve));
  const pages = [Promise.resolve(false), slow];
  const { surface, done, conversation } = connect({ pages });
  const press = async (): Promise<void> => {
    const reply = { action: 'accept', draft: {} };
    surface.received.fire({ type: 'answerAsk', cardId: 'link1', reply });
    await new Promise((resolve) => setImmediate(resolve));
  };
  await press();
  assert.deepEqual(conversation.calls, [], 'the editor asked, and the person did not want it');
  await press();
  await press();
  open(true);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(conversation.calls, ['ask link1 {"action":"accept","draft":{}}']);
  assert.deepEqual(done, Array(2).fill('page https://example.com/link1'));
  surface.received.fire({ type: 'answerAsk', cardId: 'link2', reply: { action: 'decline' } });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(done.length, 2, 'what is declined is not opened');
});

test('suggestions come from the editor and the conversation, to the view that asked', async () => {
  const { surface, conversation, clock } = connect({
    editorRows: [{ id: 'e', icon: 'file', label: 'of the editor', insert: 'e', score: 2 }],
  });
  surface.received.fire({ type: 'ready' });
  conversation.sources = [
    {
      name: 'notes',
      rows: () =>
        Promise.resolve({
          rows: [{ id: 'n', icon: 'file', label: 'of notes', insert: 'n', score: 3 }],
        }),
    },
    { name: 'broken', rows: () => Promise.reject(new Error('gone')) },
  ];
  const query = { kind: 'mention', text: 'x' };
  surface.received.fire({ type: 'suggest', queryId: 7, query });
  await settled();
  clock.advance(100);
  const told = surface.messages.filter((message) => message.type === 'suggestions').at(-1);
  assert.deepEqual(told, {
    type: 'suggestions',
    queryId: 7,
    answer: {
      rows: [
        { id: 'n', icon: 'file', label: 'of notes', insert: 'n' },
        { id: 'e', icon: 'file', label: 'of the editor', insert: 'e' },
      ],
      notes: ['broken could not be asked: gone'],
      isPending: false,
    },
  });
});

test('a question of another shape is dropped, and a newer one ends the older', async () => {
  const { surface, conversation, done } = connect();
  for (const query of [
    { kind: 'all', text: '' },
    { kind: 'mention' },
    { kind: 'mention', text: 'x'.repeat(5_000) },
    { kind: 'argument', text: 'x' },
  ]) {
    surface.received.fire({ type: 'suggest', queryId: 1, query });
  }
  assert.equal(done.filter((line) => line.startsWith('warn')).length, 4);
  const signals: AbortSignal[] = [];
  conversation.sources = [
    {
      name: 'slow',
      rows: (signal) => {
        signals.push(signal);
        return Promise.resolve({ rows: [] });
      },
    },
  ];
  for (const text of ['a', 'ab']) {
    surface.received.fire({ type: 'suggest', queryId: 2, query: { kind: 'mention', text } });
  }
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
  await settled();
});

test('a message that is still being read is answered when it has been, and may be taken back', async () => {
  const { surface, conversation, place, clock } = connect();
  surface.received.fire({ type: 'ready' });
  place.draft = 'see @a';
  let settle: (outcome: SubmitOutcome) => void = () => undefined;
  conversation.outcome = new Promise((resolve) => (settle = resolve));
  surface.received.fire({ type: 'submit', promptId: 'p1', text: 'see @a' });
  surface.received.fire({ type: 'cancelSubmit' });
  clock.advance(100);
  const submitted = () => surface.messages.filter(({ type }) => type === 'submitted');
  assert.deepEqual([submitted(), place.draft], [[], 'see @a']);
  assert.ok(conversation.calls.includes('cancelSubmit'));
  settle({ accepted: false, reason: 'Stopped.' });
  await settled();
  clock.advance(100);
  assert.deepEqual(submitted(), [{ type: 'submitted', promptId: 'p1', refused: 'Stopped.' }]);
  assert.equal(place.draft, 'see @a');
  conversation.outcome = Promise.resolve({ accepted: true });
  surface.received.fire({ type: 'submit', promptId: 'p1', text: 'see @a' });
  await settled();
  assert.equal(place.draft, '');
});

test('the past conversations go to the view that asked for them', async () => {
  const { surface, clock } = connect();
  surface.received.fire({ type: 'ready' });
  surface.received.fire({ type: 'listConversations' });
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1000);
  const answers = surface.messages.filter(({ type }) => type === 'conversations');
  assert.deepEqual(answers, [{ type: 'conversations', answer: { kind: 'list', rows: [] } }]);
});

test('a message goes with its pictures, and an edited one brings them back', async () => {
  const { surface, clock, conversation, place } = connect();
  const id = '0b8f6a2e-4a57-4f2e-9f0d-1c2f3a4b5c6d';
  const data = pngBytes(2, 2, [0, 0, 0]).toString('base64');
  const receive = (message: object): void => surface.received.fire(message);
  receive({ type: 'ready' });
  receive({ type: 'attach', id, name: 'a.png', data, width: 2, height: 2 });
  receive({ type: 'draft', text: 'look', images: [id] });
  assert.deepEqual(
    place.draftImages.map((image) => image.id),
    [id],
  );
  receive({ type: 'submit', promptId: 'p1', text: 'look', images: [id] });
  assert.deepEqual(
    conversation.submittedImages.map(({ name }) => name),
    ['a.png'],
  );
  assert.deepEqual([place.draft, place.draftImages], ['', []]);
  conversation.queuedImages = conversation.submittedImages;
  receive({ type: 'queue', promptId: 'p1', action: 'edit' });
  receive({ type: 'submit', promptId: 'p2', text: 'look', images: [id.replace('0b', '0c')] });
  await settled();
  clock.advance(100);
  assert.deepEqual(
    surface.messages.flatMap((message) => (message.type === 'insertText' ? [message.images] : [])),
    [conversation.submittedImages],
  );
  const last = surface.messages.at(-1);
  assert.ok(last?.type === 'submitted');
  assert.match(last.refused ?? '', /not there any more/);
});

test('of a page that has not heard what was taken the rest is the draft; one that has is believed', () => {
  const { surface, place } = connect();
  const draft = (text: string): string => {
    surface.received.fire({ type: 'draft', text });
    return place.draft;
  };
  draft('first');
  surface.received.fire({ type: 'submit', promptId: 'p1', text: 'first' });
  assert.equal(place.draft, '');
  assert.equal(draft('first and second'), 'and second');
  surface.received.fire({ type: 'submit', promptId: 'p2', text: 'and second' });
  assert.equal(draft('first and second and third'), 'and third');
  assert.equal(draft(''), '', 'the page has heard of both');
  assert.equal(draft('first again'), 'first again');
});
