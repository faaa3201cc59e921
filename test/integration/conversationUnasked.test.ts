import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { say } from '../harness/model/script';
import { createBench, createFakeBench, isIdle, saidIn } from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: FakeScript) {
  const made = await createFakeBench(script);
  benches.push(made);
  return made;
}
type Bench = Awaited<ReturnType<typeof bench>>;

async function answersOf(made: Bench, count: number) {
  const end = performance.now() + 60_000;
  for (;;) {
    const answers = await made.fake.records('answer');
    if (answers.length >= count) return answers;
    assert.ok(performance.now() < end, `waited a minute for ${count} answers`);
    await tick();
  }
}

const ask = (id: string, toolUseId: string): FakeStep => ({
  id,
  ask: {
    subtype: 'can_use_tool',
    tool_name: 'mcp__probe__store',
    input: { value: id },
    tool_use_id: toolUseId,
  },
});
const notified = { origin: { kind: 'task-notification' } };

test('questions of a background task are asked while no turn runs, and its answers reach it', async () => {
  const made = await bench({
    turns: [
      [
        { deltas: 1 },
        { result: {} },
        ask('a', 'never seen'),
        ask('b', 'nor this'),
        { answerTo: 'a' },
        { answerTo: 'b' },
        { line: { type: 'system', subtype: 'init' } },
        { deltas: 1, text: 'The task is done.' },
        { result: notified },
      ],
    ],
  });
  await made.prompt('one');
  await made.until('both cards', ({ permissions }) => permissions.length === 2);
  assert.equal(made.view.status.kind, 'waitingForPermission');
  made.conversation.answerPermission('b', 'deny', 'no');
  made.conversation.answerPermission('a', 'allowOnce');
  const answers = await answersOf(made, 2);
  assert.deepEqual(answers.map(({ id, response }) => [id, response.response?.behavior]).sort(), [
    ['a', 'allow'],
    ['b', 'deny'],
  ]);
  await made.until(
    'the unasked turn',
    (view) => saidIn(view).includes('The task is done.') && isIdle(view),
  );
  assert.equal(made.view.items.filter(({ kind }) => kind === 'user').length, 1);
});

test('a prompt sent while an unasked turn runs is held here, and follows it', async () => {
  const made = await bench({
    turns: [
      [
        { deltas: 1 },
        { result: {} },
        { line: { type: 'system', subtype: 'init' } },
        ask('hold', 'h'),
        { answerTo: 'hold' },
        { result: notified },
      ],
    ],
  });
  await made.prompt('one');
  await made.until('the unasked turn', ({ permissions }) => permissions.length === 1);
  await made.prompt('two');
  await made.prompt('three');
  await made.until('the queue', ({ queue }) => queue.length === 2);
  const users = (await made.fake.records('line')).filter(({ line }) =>
    line.includes('"type":"user"'),
  );
  assert.equal(users.length, 1, 'nothing is written into a turn that was not asked to be steered');
  made.conversation.answerPermission('hold', 'deny');
  await made.until(
    'all answers',
    (view) => view.items.filter(({ kind }) => kind === 'user').length === 3 && isIdle(view),
  );
  assert.deepEqual(made.view.queue, []);
});

test('a result that no prompt asked for ends nothing and draws nothing twice', async () => {
  const made = await bench({
    turns: [
      [
        { deltas: 1 },
        { result: {} },
        { result: { result: '', num_turns: 0 } },
        {
          result: {
            subtype: 'error_during_execution',
            is_error: true,
            terminal_reason: 'aborted_tools',
          },
        },
      ],
      [{ deltas: 1, text: 'Second.' }, { result: {} }, { result: notified }],
    ],
  });
  await made.prompt('one');
  await made.until('the answer', isIdle);
  await made.prompt('two');
  await made.until('the second', (view) => saidIn(view).includes('Second.') && isIdle(view));
  assert.ok(
    made.view.items.every(({ kind }) => kind !== 'error'),
    JSON.stringify(made.view.items),
  );
  assert.equal(made.view.items.filter(({ kind }) => kind === 'user').length, 2);
  await made.prompt('three');
  await made.until(
    'the third',
    (view) => view.items.filter(({ kind }) => kind === 'user').length === 3 && isIdle(view),
  );
});

test('a question whose line was lost is asked once the open ones are looked at again', async () => {
  const request = {
    type: 'control_request',
    request_id: 'lost',
    request: {
      subtype: 'can_use_tool',
      tool_name: 'mcp__probe__store',
      input: { value: 'x' },
      tool_use_id: 'u',
    },
  };
  const made = await bench({
    initialize: { pendingLater: [request, { type: 'nonsense' }, 7] },
    turns: [[{ deltas: 1 }, { answerTo: 'lost' }, { result: {} }]],
  });
  await made.prompt('one');
  await made.until('work', ({ status }) => status.kind === 'working');
  assert.deepEqual(made.view.permissions, []);
  made.conversation.recheckQuestions();
  await made.until('the card', ({ permissions }) => permissions.length === 1);
  made.conversation.recheckQuestions();
  made.conversation.answerPermission('lost', 'allowOnce');
  await made.until('the end', isIdle);
  const lines = await made.fake.records('line');
  const answers = lines.filter(({ line }) => line.includes('"request_id":"lost"'));
  assert.equal(answers.length, 1, 'answered once');
});

test('compacting and clearing leave no row twice, and the next conversation counts its own cost', async () => {
  const made = await createBench({ model: { script: (turn) => say(`Answer to ${turn.prompt}.`) } });
  benches.push(made);
  const answer = async (prompt: string): Promise<void> => {
    const before = made.view.items.length;
    await made.prompt(prompt);
    await made.until(
      `the answer to ${prompt}`,
      (view) => view.items.length > before + 1 && isIdle(view),
    );
  };
  await answer('one');
  await answer('/cost');
  const first = made.kept()?.sessionId;
  await answer('/compact');
  await answer('two');
  const kinds = made.view.items.map((item) => (item.kind === 'user' ? item.text : item.kind));
  assert.deepEqual(kinds, [
    'one',
    'assistant',
    '/cost',
    'assistant',
    '/compact',
    'notice',
    'two',
    'assistant',
  ]);
  assert.equal(saidIn(made.view).split('Answer to one.').length, 2, 'said once');
  assert.equal(made.kept()?.sessionId, first);
  const cost = made.view.usage?.costUsd ?? 0;

  await made.prompt('/clear');
  await made.until(
    'an empty transcript',
    (view) => view.items.length === 0 && view.status.kind === 'idle',
  );
  await answer('three');
  assert.deepEqual(
    made.view.items.map((item) => (item.kind === 'user' ? item.text : item.kind)),
    ['three', 'assistant'],
  );
  assert.equal(made.view.title, 'three');
  assert.notEqual(made.kept()?.sessionId, first);
  assert.ok((made.view.usage?.costUsd ?? 0) < cost, 'it counts anew');
});
