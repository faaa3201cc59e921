import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { after, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import type { ViewState } from '../../src/chat/viewStateProtocol';
import { SpareSeat } from '../../src/conversation/spareSeat';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { TestClock } from '../unit/conversation/testClock';
import {
  type BenchOptions,
  createFakeBench,
  isIdle,
  PARK_AFTER_MINUTES,
} from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

const PARK_AFTER_MS = PARK_AFTER_MINUTES * 60_000;

async function bench(script: FakeScript, options: BenchOptions = {}) {
  const clock = new TestClock();
  const made = await createFakeBench({ sessionFile: true, ...script }, { clock, ...options });
  benches.push(made);
  return { ...made, clock };
}
type Bench = Awaited<ReturnType<typeof bench>>;

async function pids(made: Bench): Promise<number[]> {
  return (await made.fake.records('start')).map(({ pid }) => pid);
}

async function living(made: Bench): Promise<number[]> {
  return (await pids(made)).filter((pid) => existsSync(`/proc/${pid}`));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await condition())) {
    assert.ok(performance.now() < end, 'waited a minute');
    await tick();
  }
}

const isParked = (made: Bench) => until(async () => (await living(made)).length === 0);
const starts = (made: Bench, count: number) =>
  until(async () => (await pids(made)).length === count);
const isReady = (made: Bench) => made.until('ready', (view) => view.models.length > 0);

/** Long enough for the look at the disk that comes before the end. */
async function settle(made: Bench): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) {
    await tick();
    await stat(made.fake.folder);
  }
}

/**
 * Lets time pass once all that the CLI has written is in: a line that comes after the clock was set
 * counts as something that happened, and the while begins anew.
 */
async function pass(made: Bench, ms: number): Promise<void> {
  await made.conversation.serverStatus();
  made.clock.advance(ms);
}

const working = (view: ViewState): boolean => view.status.kind === 'working';

test('an idle CLI is ended unseen, and is there again at the focus, in the same session', async () => {
  const made = await bench({});
  await made.prompt('one');
  await made.until('the answer', isIdle);
  const before = made.conversation.snapshot();
  await pass(made, PARK_AFTER_MS - 1);
  await settle(made);
  assert.equal((await living(made)).length, 1, 'not a moment too early');
  await pass(made, 1);
  await isParked(made);
  assert.deepEqual(made.conversation.snapshot(), before);
  assert.deepEqual(made.view, before);

  made.conversation.prewarm();
  await starts(made, 2);
  const [first, second] = await made.fake.records('start');
  assert.ok(
    second?.argv.some((arg) => arg.startsWith('--resume=')),
    second?.argv.join(' '),
  );
  assert.ok(!first?.argv.some((arg) => arg.startsWith('--resume')));
  await made.prompt('two');
  await made.until('the answer', (view) => view.items.length === 4 && isIdle(view));
  assert.ok(made.view.items.every(({ kind }) => kind === 'user' || kind === 'assistant'));
  assert.equal((await pids(made)).length, 2);
});

test('a prompt finds the parked conversation as well, and what happens keeps the CLI', async () => {
  const made = await bench({});
  await made.prompt('one');
  await made.until('the answer', isIdle);
  await pass(made, PARK_AFTER_MS / 2);
  await made.prompt('two');
  await made.until('the answer', (view) => view.items.length === 4 && isIdle(view));
  await pass(made, PARK_AFTER_MS - 1);
  await settle(made);
  assert.equal((await living(made)).length, 1);
  await pass(made, 1);
  await isParked(made);
  await made.prompt('three');
  await made.until('the answer', (view) => view.items.length === 6 && isIdle(view));
  assert.equal((await pids(made)).length, 2);
});

test('a failed turn still says so after it was parked and taken up again', async () => {
  const made = await bench({
    turns: [[{ result: { is_error: true, terminal_reason: 'api_error', result: 'no' } }]],
  });
  await made.prompt('one');
  await made.until('the alert', ({ status }) => status.kind === 'failed');
  await pass(made, PARK_AFTER_MS);
  await isParked(made);
  made.conversation.prewarm();
  await starts(made, 2);
  await settle(made);
  assert.equal(made.view.status.kind, 'failed');
  assert.equal(made.view.items.at(-1)?.kind, 'error');
});

const task = { task_id: 't1', task_type: 'local_bash', description: 'builds' };
const tasks = (list: unknown[]): FakeStep => ({
  line: { type: 'system', subtype: 'background_tasks_changed', tasks: list },
});
const call = (name: string): FakeStep => ({
  line: {
    type: 'assistant',
    message: {
      id: 'm',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'u', name, input: {} }],
    },
    parent_tool_use_id: null,
    uuid: 'a',
  },
});
const answered = (view: ViewState): boolean => view.items.length > 1 && isIdle(view);
const card: FakeStep = {
  id: 'c1',
  ask: {
    subtype: 'can_use_tool',
    tool_name: 'mcp__probe__store',
    input: { value: '1' },
    tool_use_id: 'u1',
  },
};
const init: FakeStep = { line: { type: 'system', subtype: 'init' } };
/** It waits for two more calls, which never come. */
const meet: FakeStep = {
  id: 'meet',
  ask: {
    subtype: 'mcp_message',
    server_name: 'probe',
    message: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'meet', arguments: { value: 'x' } },
    },
  },
};

interface BusyState {
  readonly turn: FakeStep[];
  readonly reached: (view: ViewState) => boolean;
  readonly second?: string;
  readonly script?: FakeScript;
  readonly options?: BenchOptions;
}

const busy: Readonly<Record<string, BusyState>> = {
  'a turn runs': { turn: [{ deltas: 1 }, { hang: true }], reached: working },
  'a turn runs that nobody asked for': {
    turn: [{ deltas: 1 }, { result: {} }, init, { hang: true }],
    reached: ({ status, items }) => status.kind === 'waitingForModel' && items.length > 1,
  },
  'a task runs in the background': {
    turn: [tasks([task]), { deltas: 1 }, { result: {} }],
    reached: answered,
  },
  'a task was moved to the background': {
    turn: [
      { line: { type: 'system', subtype: 'task_started', ...task, is_backgrounded: true } },
      { deltas: 1 },
      { result: {} },
    ],
    reached: answered,
  },
  'a card is open': {
    turn: [{ deltas: 1 }, { result: {} }, card, { answerTo: 'c1' }],
    reached: ({ permissions }) => permissions.length === 1,
  },
  'a tool of ours still works': {
    turn: [meet, { deltas: 1 }, { result: {} }],
    reached: answered,
  },
  'a prompt waits': {
    turn: [{ wait: 50 }, { result: { is_error: true, terminal_reason: 'api_error' } }],
    second: 'waits',
    reached: ({ queue, status }) => queue.length === 1 && status.kind === 'failed',
  },
  'a clock was set in it': {
    turn: [call('CronCreate'), { deltas: 1 }, { result: {} }],
    reached: answered,
  },
  'a server of its own was used': {
    turn: [call('mcp__browser__click'), { deltas: 1 }, { result: {} }],
    reached: answered,
  },
  'the disk has lost part of it': {
    turn: [
      { line: { type: 'system', subtype: 'session_writes_lost' } },
      { deltas: 1 },
      { result: {} },
    ],
    reached: answered,
  },
  'its session is not on the disk': {
    turn: [{ deltas: 1 }, { result: {} }],
    script: { sessionFile: false },
    reached: answered,
  },
  'the setting says never': {
    turn: [{ deltas: 1 }, { result: {} }],
    options: { settings: { parkAfterMinutes: 0 } },
    reached: answered,
  },
};

for (const [state, { turn, reached, second, script, options }] of Object.entries(busy)) {
  test(`a CLI is not parked while ${state}`, async () => {
    const made = await bench({ turns: [turn], ...script }, options);
    await made.prompt('one');
    if (second !== undefined) await made.prompt(second);
    await made.until(state, reached);
    for (let hours = 0; hours < 3; hours += 1) {
      await settle(made);
      made.clock.advance(PARK_AFTER_MS * 6);
    }
    await settle(made);
    assert.equal((await living(made)).length, 1);
    assert.deepEqual(await made.fake.records('stdinClosed'), []);
  });
}

test('once the background task is over, the CLI is parked', async () => {
  const made = await bench({
    turns: [
      [tasks([task]), { deltas: 1 }, { result: {} }],
      [tasks([]), { deltas: 1 }, { result: {} }],
    ],
  });
  await made.prompt('one');
  await made.until('the answer', isIdle);
  await pass(made, PARK_AFTER_MS);
  await settle(made);
  assert.equal((await living(made)).length, 1);
  await made.prompt('two');
  await made.until('the answer', (view) => view.items.length === 4 && isIdle(view));
  await pass(made, PARK_AFTER_MS);
  await isParked(made);
});

test('one CLI waits ahead of a prompt in a window: the next panel takes its place', async () => {
  const spares = new SpareSeat();
  const one = await bench({}, { spares });
  const two = await bench({}, { spares });
  one.conversation.prewarm();
  one.conversation.prewarm();
  await isReady(one);
  two.conversation.prewarm();
  await isParked(one);
  await isReady(two);
  assert.equal((await living(two)).length, 1);
  one.conversation.prewarm();
  await isParked(two);
  await starts(one, 2);
  await one.prompt('hello');
  await one.until('the answer', isIdle);
  two.conversation.prewarm();
  await starts(two, 2);
  await settle(one);
  assert.equal((await living(one)).length, 1, 'one that is in use is no spare');
  assert.equal((await pids(one)).length, 2);
});

test('a start that a prompt has joined is not given up for another panel', async () => {
  const spares = new SpareSeat();
  const one = await bench({ initialize: { gate: 'ready' } }, { spares });
  const two = await bench({}, { spares });
  one.conversation.prewarm();
  await one.prompt('hello');
  two.conversation.prewarm();
  await isReady(two);
  await one.fake.open('ready');
  await one.until('the answer', isIdle);
  assert.equal((await pids(one)).length, 1);
});

for (const [when, script] of [
  ['runs', {}],
  ['is starting', { initialize: { never: true } }],
] as const) {
  test(`no CLI is left for a closed panel where it ${when} ahead of a prompt`, async () => {
    const made = await bench(script);
    made.conversation.prewarm();
    await starts(made, 1);
    if (when === 'runs') await isReady(made);
    made.conversation.releaseSpare();
    await isParked(made);
    await settle(made);
    assert.equal((await pids(made)).length, 1);
    assert.deepEqual(made.view.items, []);
    assert.equal(made.view.status.kind, 'idle');
  });
}

test('a panel that is closed at once starts no CLI for a conversation that is being read', async () => {
  const kept = { sessionId: undefined, queue: [], sent: [] };
  const made = await bench({}, { kept });
  made.conversation.prewarm();
  made.conversation.releaseSpare();
  await settle(made);
  assert.deepEqual(await pids(made), []);
});

test('a conversation that was used keeps its CLI when its panel is closed', async () => {
  const made = await bench({ turns: [[{ deltas: 1 }, { hang: true }]] });
  made.conversation.prewarm();
  await made.prompt('one');
  await made.until('work', working);
  made.conversation.releaseSpare();
  await settle(made);
  assert.equal((await living(made)).length, 1);
});
