import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { eventually } from '../harness/panelSandbox/eventually';
import { createFakeBench, isIdle } from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: FakeScript) {
  const made = await createFakeBench(script);
  benches.push(made);
  return made;
}

const SCHEMA = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };
const elicitation = (fields: object = {}): object => ({
  subtype: 'elicitation',
  mcp_server_name: 'ext',
  message: 'Your age?',
  mode: 'form',
  requested_schema: SCHEMA,
  ...fields,
});
const elicit = (id: string, fields: object = {}): FakeStep => ({ id, ask: elicitation(fields) });

const notices = (view: ViewState): string[] =>
  view.items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));

test('a form that the CLI takes back goes and says so, and a late answer changes nothing', async () => {
  const made = await bench({
    turns: [[elicit('e1'), elicit('e2'), { answerTo: 'e2' }, { cancel: 'e1' }, { result: {} }]],
  });
  await made.prompt('go');
  await made.until('both forms', (view) => view.asks.length === 2);
  const [first, second] = made.view.asks;
  made.conversation.asks.answer(second?.id ?? '', { action: 'accept', draft: { '0': '5' } });
  await made.until('the end', (view) => view.asks.length === 0 && isIdle(view));
  made.conversation.asks.answer(first?.id ?? '', { action: 'accept', draft: { '0': '6' } });
  assert.deepEqual(notices(made.view), [
    'You answered: Your age?',
    'Withdrawn before you answered: Your age?',
  ]);
  const answers = await made.fake.records('answer');
  assert.deepEqual(
    answers.map(({ id, response }) => [id, response.response]),
    [['e2', { action: 'accept', content: { age: 5 } }]],
  );
});

test('what no form can show, and a page that is none, are refused aloud', async () => {
  const schema = { type: 'object', properties: { deep: { type: 'object' } } };
  const made = await bench({
    turns: [
      [
        elicit('e1', { requested_schema: schema }),
        { answerTo: 'e1' },
        elicit('e2', { mode: 'url', url: 'file:///etc/passwd' }),
        { answerTo: 'e2' },
        { result: {} },
      ],
    ],
  });
  await made.prompt('go');
  await made.until('the page', (view) => view.asks.length === 1);
  const [page] = made.view.asks;
  assert.ok(page?.kind === 'link' && page.host === undefined);
  assert.equal(made.conversation.asks.url(page.id), undefined);
  made.conversation.asks.answer(page.id, { action: 'accept', draft: {} });
  made.conversation.asks.answer(page.id, { action: 'decline' });
  await made.until('the end', (view) => view.asks.length === 0 && isIdle(view));
  assert.match(notices(made.view)[0] ?? '', /^The server ext asked .*'deep'/);
  const [refused, declined] = await made.fake.records('answer');
  assert.equal(refused?.response.subtype, 'error');
  assert.deepEqual(declined?.response.response, { action: 'decline' });
});

test('with a process that dies the forms stand as interrupted, and can be put away', async () => {
  const made = await bench({ turns: [[elicit('e1'), { gate: 'seen' }, { exit: 5 }]] });
  await made.prompt('go');
  await made.until('the form', (view) => view.asks.length === 1);
  await made.fake.open('seen');
  await made.until('the end', (view) => view.asks.some(({ interrupted }) => interrupted === true));
  await made.until('its state', ({ status }) => status.kind === 'notConnected');
  assert.deepEqual(notices(made.view), []);
  made.conversation.asks.answer('e1', { action: 'decline' });
  await made.until('an empty view', (view) => view.asks.length === 0);
  assert.equal(made.kept()?.asks, undefined);
});

test('two hundred forms at once are each answered once, in whatever order', async () => {
  const ids = Array.from({ length: 200 }, (_, i) => `e${i}`);
  const made = await bench({
    turns: [
      [
        ...ids.map((id) => elicit(id, { message: id })),
        ...ids.map((id): FakeStep => ({ answerTo: id })),
        { result: {} },
      ],
    ],
  });
  await made.prompt('go');
  await made.until('all forms', (view) => view.asks.length === 200);
  for (const id of [...ids].reverse()) {
    made.conversation.asks.answer(id, { action: 'accept', draft: { '0': id.slice(1) } });
    made.conversation.asks.answer(id, { action: 'decline' });
  }
  await made.until('the end', (view) => view.asks.length === 0 && isIdle(view));
  const answers = await made.fake.records('answer');
  assert.deepEqual(
    new Map(answers.map(({ id, response }) => [id, response.response?.content])),
    new Map([...ids].reverse().map((id) => [id, { age: Number(id.slice(1)) }])),
  );
});

test('Stop between turns declines what a server asks then', async () => {
  const made = await bench({ turns: [[{ result: {} }]], afterInitialize: [elicit('e1')] });
  made.conversation.prewarm();
  await made.until('the form', (view) => view.asks.length === 1);
  await made.conversation.stop();
  await made.until('an empty view', (view) => view.asks.length === 0);
  // The fake writes down what it reads when it reads it.
  await eventually(async () => (await made.fake.records('answer')).length === 1);
  const [answer] = await made.fake.records('answer');
  assert.deepEqual(answer?.response.response, { action: 'decline' });
});

test('a form whose line was lost is asked once the open ones are looked at again', async () => {
  const request = { type: 'control_request', request_id: 'lost', request: elicitation() };
  const made = await bench({
    initialize: { elicitationsLater: [request, { type: 'nonsense' }, 7] },
    turns: [[{ deltas: 1 }, { answerTo: 'lost' }, { result: {} }]],
  });
  await made.prompt('go');
  await made.until('work', ({ status }) => status.kind === 'working');
  made.conversation.recheckQuestions();
  await made.until('the form', ({ asks }) => asks.length === 1);
  made.conversation.recheckQuestions();
  made.conversation.asks.answer('lost', { action: 'accept', draft: { '0': '9' } });
  await made.until('the end', (view) => view.asks.length === 0 && isIdle(view));
  const lines = await made.fake.records('line');
  const answers = lines.filter(({ line }) => line.includes('"request_id":"lost"'));
  assert.equal(answers.length, 1, 'answered once');
});
