import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import type { ChatEvent } from '../../../src/chat/chatEvent';
import type { CliSession } from '../../../src/cli/cliSession';
import type { SubmitOutcome } from '../../../src/conversation/conversationPorts';
import { TurnFlow } from '../../../src/conversation/turnFlow';
import { parseMessage } from '../../../src/protocol/messages';
import { TestClock } from './testClock';

function flowOf() {
  const events: ChatEvent[] = [];
  const sent: string[] = [];
  let ended = 0;
  let ids = 0;
  // The flow uses no other part of a session before Stop.
  const session = {
    sendPrompt: ({ uuid }: { uuid: string }) => {
      sent.push(uuid);
      return Promise.resolve();
    },
  } as unknown as CliSession;
  const flow = new TurnFlow({
    log: silentLogger,
    clock: new TestClock(),
    apply: (event) => events.push(event),
    agent: () => Promise.resolve(session),
    live: () => session,
    endAgent: () => {
      ended += 1;
      return Promise.resolve();
    },
    expand: () => undefined,
    pictures: () => Promise.resolve([]),
    newId: () => `wire-${++ids}`,
    now: Date.now,
  });
  const hear = (value: object): void => {
    const parsed = parseMessage(JSON.stringify(value));
    assert.ok(parsed.ok);
    // None of these is a control message.
    flow.receive(parsed.message as Parameters<typeof flow.receive>[0]);
  };
  return { flow, events, sent, hear, ended: () => ended };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const lifecycle = (command_uuid: string, state: string) => ({
  ...{ type: 'command_lifecycle', command_uuid, state },
});

test('A turn that says something once a minute, or nothing for an hour, is ended by no clock (P15)', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  const { flow, events, sent, hear, ended } = flowOf();
  const opened = Date.now();
  assert.equal(flow.lastTurnStart, opened);
  t.mock.timers.tick(1_000);
  flow.submit({ id: 'p', text: 'a long job' });
  await settled();
  assert.deepEqual(sent, ['wire-1']);
  hear(lifecycle('wire-1', 'started'));
  for (let minute = 0; minute < 10; minute += 1) {
    t.mock.timers.tick(60_000);
    hear({ type: 'tool_progress', tool_use_id: 't' });
  }
  t.mock.timers.tick(60 * 60_000);
  assert.equal(flow.isRunning, true);
  // While a turn runs, the one before it is the last; at first there was none.
  assert.equal(flow.lastTurnStart, opened);
  assert.equal(ended(), 0);
  assert.ok(events.every(({ type }) => type !== 'failed' && type !== 'cliExited'));
  hear({ type: 'result', subtype: 'success', result: 'done' });
  assert.equal(flow.isRunning, false);
  assert.equal(flow.lastTurnStart, opened + 1_000);
});

test('a prompt for the running turn goes over what waits, and is said once the CLI has taken it up', async () => {
  const { flow, events, sent, hear } = flowOf();
  flow.submit({ id: 'a', text: 'one' });
  await settled();
  hear(lifecycle('wire-1', 'started'));
  flow.submit({ id: 'b', text: 'later' });
  flow.submit({ id: 'c', text: 'at once', steers: true });
  await settled();
  assert.deepEqual(sent, ['wire-1', 'wire-2']);
  assert.deepEqual(
    flow.unfinished.queue.map(({ id }) => id),
    ['b'],
  );
  assert.ok(events.some((one) => one.type === 'promptSubmitted' && one.waits === true));
  hear(lifecycle('wire-2', 'queued'));
  assert.ok(!events.some(({ type }) => type === 'promptTaken'));
  hear(lifecycle('wire-2', 'started'));
  hear(lifecycle('wire-2', 'completed'));
  assert.deepEqual(
    events.filter(({ type }) => type === 'promptTaken'),
    [{ type: 'promptTaken', id: 'c' }],
  );
});

test('a prompt for a turn that the CLI does not have yet is the next one', async () => {
  const { flow, sent, hear } = flowOf();
  flow.submit({ id: 'a', text: 'one' });
  flow.submit({ id: 'b', text: 'later' });
  flow.submit({ id: 'c', text: 'at once', steers: true });
  await settled();
  assert.deepEqual(sent, ['wire-1']);
  assert.deepEqual(
    flow.unfinished.queue.map(({ id }) => id),
    ['c', 'b'],
  );
  hear(lifecycle('wire-1', 'started'));
  hear({ type: 'result', subtype: 'success', result: 'done' });
  await settled();
  assert.equal(sent.length, 2);
});

test('with no turn to go into it is sent as any other', async () => {
  const { flow, events, sent } = flowOf();
  flow.submit({ id: 'a', text: 'one', steers: true });
  await settled();
  assert.deepEqual(sent, ['wire-1']);
  assert.ok(!events.some((one) => one.type === 'promptSubmitted' && one.waits === true));
});

test('the order of what waits is told, kept, and sent', async () => {
  const { flow, events, hear } = flowOf();
  for (const id of ['a', 'b', 'c', 'd']) flow.submit({ id, text: id });
  await settled();
  hear(lifecycle('wire-1', 'started'));
  flow.queueAction('d', 'moveUp');
  flow.queueAction('b', 'moveDown');
  flow.queueAction('b', 'moveDown');
  const ids = flow.unfinished.queue.map(({ id }) => id);
  assert.deepEqual(ids, ['d', 'c', 'b']);
  const before = events.length;
  flow.queueAction('b', 'moveDown');
  assert.equal(events.length, before);
  const told = events.findLast((one) => one.type === 'queueChanged');
  assert.deepEqual(
    told?.queue.map(({ id }) => id),
    ids,
  );
  hear({ type: 'result', subtype: 'success', result: 'done' });
  assert.deepEqual(
    flow.unfinished.queue.map(({ id }) => id),
    ['c', 'b'],
  );
});

for (const [how, end] of [
  [
    'the process dies',
    ({ flow }) => flow.exited({ kind: 'crashed', code: 1, signal: null, stderrTail: '' }, false),
  ],
  ['the agent takes them back', ({ hear }) => hearCancelled(hear, [2, 3, 4])],
  ['it takes them back in another order', ({ hear }) => hearCancelled(hear, [4, 2, 3])],
] as const satisfies readonly (readonly [string, (made: ReturnType<typeof flowOf>) => void])[]) {
  test(`prompts for the running turn wait again in the order in which they were said: ${how}`, async () => {
    const made = flowOf();
    const { flow, hear } = made;
    flow.submit({ id: 'a', text: 'one' });
    await settled();
    hear(lifecycle('wire-1', 'started'));
    flow.submit({ id: 'later', text: 'later' });
    for (const id of 'bcd') flow.submit({ id, text: id, steers: true });
    await settled();
    end(made);
    assert.deepEqual(
      flow.unfinished.queue.map(({ id }) => id),
      ['b', 'c', 'd', 'later'],
    );
  });
}

function hearCancelled(hear: (value: object) => void, wires: readonly number[]): void {
  for (const n of wires) hear(lifecycle(`wire-${n}`, 'cancelled'));
}

test('prompts for a turn that the CLI does not have yet are the next ones, in their order', () => {
  const { flow } = flowOf();
  for (const id of 'abcd') flow.submit({ id, text: id, steers: true });
  assert.deepEqual(
    flow.unfinished.queue.map(({ id }) => id),
    ['b', 'c', 'd'],
  );
});

test('what the agent was not told goes before one message, also where two are looked at at once', async () => {
  const { flow } = flowOf();
  flow.lead('use pnpm');
  const said: string[] = [];
  const answers: ((isAccepted: boolean) => void)[] = [];
  const submit = (whole: string) => {
    said.push(whole);
    return new Promise<SubmitOutcome>((resolve) => {
      answers.push((isAccepted) => {
        resolve(isAccepted ? { accepted: true } : { accepted: false, reason: 'no file' });
      });
    });
  };
  const first = flow.withLead('look at @a', submit);
  const second = flow.withLead('and go on', submit);
  assert.deepEqual(said, ['use pnpm\n\nlook at @a', 'and go on']);
  answers[0]?.(false);
  answers[1]?.(true);
  await Promise.all([first, second]);
  // The message that it went with was refused: it goes before the next one.
  await flow.withLead('look at @b', (whole) => {
    said.push(whole);
    return { accepted: true };
  });
  assert.equal(said.at(-1), 'use pnpm\n\nlook at @b');
  assert.deepEqual(flow.unfinished.queue, []);
});
