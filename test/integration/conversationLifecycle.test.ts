import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { STOP_PATIENCE_MS } from '../../src/conversation/turnFlow';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { eventually } from '../harness/panelSandbox/eventually';
import { TestClock } from '../unit/conversation/testClock';
import { calculatorRegistry, createFakeBench, isIdle } from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: FakeScript) {
  const clock = new TestClock();
  const made = await createFakeBench(script, { clock });
  benches.push(made);
  return { ...made, clock };
}
type Bench = Awaited<ReturnType<typeof bench>>;

const isWorking = ({ status }: Bench['view']): boolean =>
  status.kind === 'waitingForModel' || status.kind === 'working';

async function sentPrompts(made: Bench): Promise<string[]> {
  const lines = await made.fake.records('line');
  return lines.flatMap(({ line }) => {
    // Written by the host in the shape of a prompt.
    const message = JSON.parse(line) as { type: string; message?: { content: string } };
    return message.type === 'user' ? [message.message?.content ?? ''] : [];
  });
}

type Kind = 'start' | 'stdinClosed' | 'answer';
async function recorded(made: Bench, kind: Kind, count: number): Promise<void> {
  await eventually(async () => (await made.fake.records(kind)).length >= count);
}

/** Waits until the CLI has read a line with these words. */
async function wasTold(made: Bench, words: string): Promise<void> {
  const lines = () => made.fake.records('line');
  await eventually(async () => (await lines()).some(({ line }) => line.includes(words)));
}

async function survivors(made: Bench): Promise<number[]> {
  const starts = await made.fake.records('start');
  return starts.map(({ pid }) => pid).filter((pid) => existsSync(`/proc/${pid}`));
}

test('a prompt sent right after a Stop during the start is answered by a process of its own', async () => {
  const made = await bench({ initialize: { gate: 'ready' } });
  await made.prompt('one');
  await recorded(made, 'start', 1);
  const stopped = made.conversation.stop();
  await made.prompt('two');
  await stopped;
  await made.fake.open('ready');
  await made.until('the answer', isIdle);
  assert.deepEqual(await sentPrompts(made), ['two']);
  assert.equal((await made.fake.records('start')).length, 2);
  assert.equal(made.view.items.filter((item) => item.kind === 'error').length, 0);
});

test('a prompt sent while an unresponsive process is ended reaches the next one, after the old is gone', async () => {
  const made = await bench({
    silentTo: ['interrupt'],
    ignoreStdinClose: true,
    turns: [[{ hang: true }]],
  });
  await made.prompt('one');
  await made.until('work', isWorking);
  const stopped = made.conversation.stop();
  await wasTold(made, '"interrupt"');
  made.clock.advance(STOP_PATIENCE_MS);
  await recorded(made, 'stdinClosed', 1);
  await made.until('the end', ({ status }) => status.kind === 'idle');
  await made.prompt('two');
  await stopped;
  await recorded(made, 'start', 2);
  const [old] = await made.fake.records('start');
  assert.ok(old && !existsSync(`/proc/${old.pid}`), 'one process at a time');
  await eventually(async () => (await sentPrompts(made)).length >= 2);
  assert.deepEqual(await sentPrompts(made), ['one', 'two']);
});

test('Stop before the prompt was written sends nothing and leaves the process running', async () => {
  const made = await bench({});
  await made.prompt('one');
  await made.until('the answer', isIdle);
  made.conversation.submit(randomUUID(), 'two');
  await made.conversation.stop();
  assert.equal(made.view.status.kind, 'idle');
  await made.prompt('three');
  await made.until('the answer', (view) => view.items.length === 4 && isIdle(view));
  assert.deepEqual(await sentPrompts(made), ['one', 'three']);
  assert.deepEqual(
    made.view.queue.map(({ text }) => text),
    ['two'],
    'what was stopped waits, and does not start by itself',
  );
  assert.equal((await made.fake.records('start')).length, 1);
});

const unasked: FakeStep[] = [
  { line: { type: 'system', subtype: 'init', session_id: 'fake' } },
  { result: { result: 'Background work is done.', origin: { kind: 'task-notification' } } },
];

test('the end of a turn that nobody asked for does not end the turn of a waiting prompt', async () => {
  const made = await bench({
    turns: [[...unasked, { gate: 'go on' }, { deltas: 1 }, { result: {} }]],
  });
  await made.prompt('one');
  await made.prompt('two');
  await made.until('the other turn', (view) => view.items.length === 2);
  assert.equal(made.view.queue.length, 1, 'the second still waits');
  assert.ok(isWorking(made.view), made.view.status.kind);
  await made.fake.open('go on');
  await made.until('both answers', (view) => view.queue.length === 0 && isIdle(view));
  assert.deepEqual(await sentPrompts(made), ['one', 'two']);
});

test('Stop in a turn that nobody asked for interrupts it and leaves the process running', async () => {
  const made = await bench({
    turns: [[{ result: {} }, { line: { type: 'system', subtype: 'init' } }, { hang: true }]],
  });
  await made.prompt('one');
  await made.until('the unasked turn', (view) => view.items.length === 2 && isWorking(view));
  await made.conversation.stop();
  await made.until('idle', isIdle);
  await made.prompt('two');
  await made.until('the answer', (view) => view.items.length > 3 && isIdle(view));
  assert.equal((await made.fake.records('start')).length, 1);
});

test('a prompt that the CLI takes back when its turn has begun ends the turn as stopped', async () => {
  const cancelled = { type: 'command_lifecycle', command_uuid: '$UUID', state: 'cancelled' };
  const made = await bench({ turns: [[{ line: cancelled }, { hang: true }]] });
  await made.prompt('one');
  await made.until('idle', isIdle);
  assert.equal(made.view.items.at(-1)?.kind, 'notice');
});

test('a prompt that Stop takes back before its turn began waits again, until the person sends it', async () => {
  const made = await bench({ holdPrompts: 1 });
  await made.prompt('one');
  await made.until('work', isWorking);
  await made.prompt('two');
  await made.conversation.stop();
  await made.until('rest', ({ status }) => status.kind === 'idle');
  assert.deepEqual(made.view.items, []);
  assert.deepEqual(
    made.view.queue.map(({ text, held }) => [text, held === true]),
    [
      ['one', true],
      ['two', false],
    ],
  );
  await made.prompt('three');
  await made.until('both answers', (view) => view.items.length === 4 && isIdle(view));
  assert.deepEqual(await sentPrompts(made), ['one', 'three', 'two']);
  made.conversation.queueAction(made.view.queue[0]?.id ?? '', 'sendNow');
  await made.until('its answer', (view) => view.items.length === 6 && isIdle(view));
  assert.deepEqual(await sentPrompts(made), ['one', 'three', 'two', 'one']);
});

const failure: FakeStep = {
  result: { is_error: true, terminal_reason: 'api_error', result: 'no', api_error_status: 500 },
};

test('after a failed turn what waits stays, and Retry sends the prompt that failed', async () => {
  const made = await bench({ turns: [[{ wait: 50 }, failure]] });
  await made.prompt('one');
  await made.prompt('two');
  await made.until('the alert', ({ status }) => status.kind === 'failed');
  assert.deepEqual(
    made.view.queue.map(({ text }) => text),
    ['two'],
  );
  const alert = made.view.items.at(-1)?.id ?? '';
  made.conversation.retry(alert);
  made.conversation.retry(alert);
  await made.until('the answer', isIdle);
  assert.deepEqual(await sentPrompts(made), ['one', 'one']);
});

test('Retry of an alert above later prompts says its own prompt again, below them', async () => {
  const made = await bench({ turns: [[failure]] });
  await made.prompt('one');
  await made.until('the alert', ({ status }) => status.kind === 'failed');
  const alert = made.view.items.at(-1)?.id ?? '';
  await made.prompt('two');
  await made.until('the answer', isIdle);
  made.conversation.retry('no such alert');
  made.conversation.retry(made.view.items[0]?.id ?? '');
  assert.equal(made.view.items[0]?.kind, 'user', 'only an alert can be retried');
  made.conversation.retry(alert);
  await made.until('the answer', (view) => view.items.length > 4 && isIdle(view));
  assert.deepEqual(await sentPrompts(made), ['one', 'two', 'one']);
  assert.deepEqual(
    made.view.items.map((item) => (item.kind === 'user' ? item.text : item.kind)),
    ['one', 'two', 'assistant', 'one', 'assistant'],
  );
});

test('Stop while no turn runs refuses what an agent in the background asks', async () => {
  const made = await bench({ turns: [[{ result: {} }, card('c1'), { answerTo: 'c1' }]] });
  await made.prompt('one');
  await made.until('the card', (view) => view.permissions.length === 1 && view.items.length === 2);
  await made.conversation.stop();
  await made.until('idle', ({ status }) => status.kind === 'idle');
  await recorded(made, 'answer', 1);
  const [answer] = await made.fake.records('answer');
  assert.equal(answer?.response.response?.behavior, 'deny');
  await made.prompt('two');
  await made.until('the answer', (view) => view.items.length === 4 && isIdle(view));
});

for (const turns of [0, 1, 3, 10, 40]) {
  test(`a prompt sent ${turns} turns of the loop after the process was killed is answered or told once`, async () => {
    const made = await bench({});
    await made.prompt('one');
    await made.until('the answer', isIdle);
    const [start] = await made.fake.records('start');
    process.kill(start?.pid ?? 0, 'SIGKILL');
    for (let turn = 0; turn < turns; turn += 1) await tick();
    await made.prompt('two');
    const ofKind = (kind: string) => made.view.items.filter((item) => item.kind === kind).length;
    await made.until('an end', () => ofKind('assistant') === 2 || ofKind('error') > 0);
    if (ofKind('error') > 0) {
      assert.equal(ofKind('error'), 1);
      made.conversation.retry(made.view.items.findLast(({ kind }) => kind === 'error')?.id ?? '');
      await made.until('the answer', () => ofKind('assistant') === 2);
    }
    await made.until('rest', isIdle);
    assert.equal(ofKind('error'), 0);
    assert.equal(ofKind('user'), 2);
  });
}

test('Stop pressed twice interrupts once', async () => {
  const made = await bench({ turns: [[{ hang: true }]] });
  await made.prompt('one');
  await made.until('work', isWorking);
  await Promise.all([made.conversation.stop(), made.conversation.stop()]);
  const lines = await made.fake.records('line');
  assert.equal(lines.filter(({ line }) => line.includes('"interrupt"')).length, 1);
});

test('what the CLI says right behind its answer to initialize is not lost', async () => {
  const title = { type: 'system', subtype: 'session_title_changed', title: 'Named before' };
  const made = await bench({ afterInitialize: [{ line: title }] });
  made.conversation.prewarm();
  await made.until('the title', (view) => view.title === 'Named before');
});

test('a CLI that refuses to start is told in its own words, and Retry starts another', async () => {
  const made = await bench({ initialize: { error: 'This organisation is not allowed' } });
  await made.prompt('one');
  await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
  const alert = made.view.items.at(-1);
  assert.ok(alert?.kind === 'error');
  assert.match(alert.details ?? '', /This organisation is not allowed/);
  assert.deepEqual(await survivors(made), []);
  made.conversation.retry(alert.id);
  await recorded(made, 'start', 2);
});

test('a file that cannot be read does not hold its question', async () => {
  const input = { file_path: '/dev/zero', content: 'x' };
  const ask = { subtype: 'can_use_tool', tool_name: 'Write', input, tool_use_id: 'w' };
  const made = await bench({
    turns: [[{ id: 'w', ask }, { answerTo: 'w' }, { result: {} }]],
  });
  made.buffers.read = () => new Promise(() => undefined);
  await made.prompt('go');
  await made.until('the card', (view) => view.permissions.length === 1);
  made.conversation.answerPermission('w', 'deny');
  await made.until('the end', isIdle);
});

const states: readonly (readonly [
  state: string,
  script: FakeScript,
  reach: (made: Bench) => Promise<void>,
])[] = [
  ['that was never used', {}, () => Promise.resolve()],
  ['that starts', { initialize: { never: true } }, (made) => recorded(made, 'start', 1)],
  ['that waits for a prompt', {}, (made) => made.until('ready', (view) => view.models.length > 0)],
  [
    'in mid-turn with prompts that wait',
    { turns: [[{ hang: true }]] },
    async (made) => {
      await made.until('work', isWorking);
      await made.prompt('two');
      await made.prompt('three');
    },
  ],
  [
    'with an open card',
    { turns: [[card('c1'), { hang: true }]] },
    (made) => made.until('the card', (view) => view.permissions.length === 1),
  ],
  [
    'that does not react',
    { ignoreStdinClose: true, ignoreSigterm: true, turns: [[{ hang: true }]] },
    (made) => made.until('work', isWorking),
  ],
  ['that is frozen', { turns: [[{ kill: 'SIGSTOP' }]] }, (made) => made.until('work', isWorking)],
  [
    'while it is being ended',
    { initialize: { never: true }, ignoreStdinClose: true, ignoreSigterm: true, turns: [[]] },
    async (made) => {
      await recorded(made, 'start', 1);
      void made.conversation.stop();
      await recorded(made, 'stdinClosed', 1);
    },
  ],
];

function card(id: string, toolUseId = id): FakeStep {
  const input = { value: '1' };
  return {
    id,
    ask: { subtype: 'can_use_tool', tool_name: 'mcp__probe__store', input, tool_use_id: toolUseId },
  };
}

for (const [state, script, reach] of states) {
  test(`dispose of a conversation ${state} leaves no process, and nothing starts one again`, async () => {
    const made = await bench(script);
    if (state !== 'that was never used') {
      if (script.turns) await made.prompt('one');
      else made.conversation.prewarm();
    }
    await reach(made);
    // Within which time, test/unit/cli/closeLimits.test.ts says.
    await made.conversation.dispose();
    assert.deepEqual(await survivors(made), []);
    const before = (await made.fake.records('start')).length;
    made.conversation.prewarm();
    assert.equal((await made.conversation.submit(randomUUID(), 'more')).accepted, false);
    await made.conversation.setMode('plan');
    await made.conversation.setModel('x');
    await made.conversation.stop();
    await made.conversation.dispose();
    assert.deepEqual(await survivors(made), []);
    assert.equal((await made.fake.records('start')).length, before);
  });
}

test('a mode or model that a dying CLI did not answer for is no refusal; the next one starts with it', async () => {
  const made = await bench({
    silentTo: ['set_permission_mode', 'set_model'],
    turns: [[{ gate: 'now' }, { kill: 'SIGKILL' }]],
  });
  await made.prompt('one');
  await made.until('work', isWorking);
  const both = [made.conversation.setMode('plan'), made.conversation.setModel('other')];
  for (const request of ['set_permission_mode', 'set_model']) await wasTold(made, request);
  await made.fake.open('now');
  await Promise.all(both);
  await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
  assert.equal(made.view.mode, 'plan');
  assert.ok(made.view.modes.every((mode) => mode.disabledReason === undefined));
  const notices = made.view.items.flatMap((item) => (item.kind === 'notice' ? item.text : []));
  assert.deepEqual(notices, ['The model is now other.'], 'the choice is told, and no refusal');
  await made.prompt('two');
  await recorded(made, 'start', 2);
  const argv = (await made.fake.records('start'))[1]?.argv ?? [];
  assert.ok(argv.includes('--permission-mode=plan') && argv.includes('--model=other'));
});

test('a conversation that is gone no longer listens to the servers that others share', async () => {
  const registry = calculatorRegistry();
  const { onDidChange } = registry;
  let listeners = 0;
  const counted: typeof onDidChange = (listener) => {
    listeners += 1;
    const subscription = onDidChange(listener);
    return {
      dispose: () => {
        listeners -= 1;
        subscription.dispose();
      },
    };
  };
  Object.defineProperty(registry, 'onDidChange', { value: counted });
  const made = await createFakeBench({}, { registry });
  benches.push(made);
  assert.ok(listeners > 0);
  await made.conversation.dispose();
  assert.equal(listeners, 0);
});

test('two hundred cards at once are each answered once, also those answered twice or withdrawn', async () => {
  const ids = Array.from({ length: 200 }, (_, at) => `card-${at}`);
  const withdrawn = ids.filter((_, at) => at % 10 === 0);
  const answered = ids.filter((_, at) => at % 10 !== 0);
  const made = await bench({
    turns: [
      [
        ...ids.map((id) => card(id)),
        { gate: 'seen' },
        ...withdrawn.map((id): FakeStep => ({ cancel: id })),
        ...answered.map((id): FakeStep => ({ answerTo: id })),
        { result: {} },
      ],
    ],
  });
  await made.prompt('go');
  await made.until('all cards', (view) => view.permissions.length === 200);
  await made.fake.open('seen');
  await made.until('those left', (view) => view.permissions.length === answered.length);
  for (const id of ids) made.conversation.answerPermission(id, 'allowOnce');
  for (const id of ids) made.conversation.answerPermission(id, 'deny', 'too late');
  await made.until('the end', isIdle);
  const answers = await made.fake.records('answer');
  assert.deepEqual(answers.map(({ id }) => id).sort(), [...answered].sort());
  assert.ok(answers.every(({ response }) => response.response?.behavior === 'allow'));
});
