import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ToolCall } from '../../src/conversation/toolCallWatch';
import { STOP_PATIENCE_MS } from '../../src/conversation/turnFlow';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { TestClock } from '../unit/conversation/testClock';
import { type BenchOptions, createFakeBench, isIdle, toolsOf } from './conversationBench';

const benches: { dispose(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
});

async function bench(script: FakeScript, options: BenchOptions = {}) {
  const made = await createFakeBench(script, options);
  benches.push(made);
  return made;
}

const call = (id: string, method: string, params: unknown, rpcId: unknown = 0): FakeStep => ({
  id,
  ask: {
    subtype: 'mcp_message',
    server_name: 'probe',
    message: { jsonrpc: '2.0', id: rpcId, method, params },
  },
});
const tool = (id: string, name: string, value: unknown): FakeStep =>
  call(id, 'tools/call', { name, arguments: { value } });

test('the router answers what a CLI asks: list, execute, error, three at once, out of order', async () => {
  const asks = [
    call('list', 'tools/list', {}, 'a'),
    tool('meet1', 'meet', 'x'),
    tool('echo', 'echo', 'hi'),
    tool('meet2', 'meet', 'y'),
    tool('fail', 'fail', 'luck'),
    tool('bad', 'echo', 7),
    call('none', 'tools/call', { name: 'toString' }),
    call('what', 'no/such', {}),
    tool('meet3', 'meet', 'z'),
  ];
  const ids = ['list', 'meet1', 'echo', 'meet2', 'fail', 'bad', 'none', 'what', 'meet3'];
  const settled = ids.map((id) => ({ answerTo: id }));
  const made = await bench({ turns: [[...asks, ...settled, { deltas: 2 }, { result: {} }]] });
  await made.prompt('go');
  await made.until('the end', isIdle);
  const answers = await made.fake.records('answer');
  assert.deepEqual(answers.map((entry) => entry.id).sort(), [...ids].sort(), 'each answered once');
  const body = (id: string): Record<string, unknown> => {
    const answer = answers.find((entry) => entry.id === id)?.response;
    assert.equal(answer?.subtype, 'success', `${id} has a success envelope`);
    // The fake records what came over the wire.
    return answer.response?.mcp_response as Record<string, unknown>;
  };
  const names = (body('list').result as { tools: { name: string }[] }).tools.map((t) => t.name);
  assert.deepEqual(names, ['echo', 'store', 'fail', 'meet']);
  assert.equal(body('list').id, 'a');
  const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
  assert.deepEqual(body('echo').result, text('echo hi'));
  assert.deepEqual(body('meet1').result, text('met x y z'));
  assert.deepEqual(body('fail').result, { ...text('Tool error: no luck'), isError: true });
  assert.equal((body('bad').error as { code: number }).code, -32602);
  assert.deepEqual(body('none').error, { code: -32601, message: "Tool 'toString' not found" });
  assert.deepEqual(body('what').error, {
    code: -32601,
    message: "Method 'no/such' not supported",
  });
});

test('a CLI without manifests is started once more with type, name and version in its configuration', async () => {
  const made = await bench({ version: '2.1.0 (Claude Code)', manifests: false });
  await made.prompt('go');
  await made.until('the end', isIdle);
  const starts = await made.fake.records('start');
  assert.equal(starts.length, 2);
  const configs = await made.fake.records('mcpConfig');
  assert.deepEqual(configs.at(-1)?.config, {
    mcpServers: { probe: { type: 'sdk', name: 'probe', version: '1.0.0' } },
  });
  const methods = (await made.fake.records('handshake')).map((entry) => entry.method);
  assert.deepEqual(methods.slice(-3), ['initialize', 'notifications/initialized', 'tools/list']);
});

const deaths: readonly (readonly [title: string, script: FakeScript, details: RegExp])[] = [
  ['before initialize', { atStart: [{ stderr: 'no luck today\n' }, { exit: 3 }] }, /no luck today/],
  ['in mid-turn', { turns: [[{ stderr: 'out of paper\n' }, { exit: 5 }]] }, /out of paper/],
  [
    'with a megabyte of stderr',
    {
      turns: [
        [
          { stderr: `${'x'.repeat(99)}\n`, times: 10_486 },
          { stderr: 'the last word\n' },
          { exit: 5 },
        ],
      ],
    },
    /the last word/,
  ],
];

for (const [title, script, details] of deaths) {
  test(`a CLI that exits ${title} is told with its last words, and the prompt is kept`, async () => {
    const made = await bench(script);
    await made.prompt('precious words');
    await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
    const alert = made.view.items.at(-1);
    assert.ok(alert?.kind === 'error' && alert.kept && alert.next);
    assert.match(alert.details ?? '', details);
    assert.ok((alert.details ?? '').length < 100_000, 'bounded');
    assert.ok(alert.actions.includes('retry'));
    assert.equal(made.view.items[0]?.kind === 'user' && made.view.items[0].text, 'precious words');
    // The person is not stuck: the next try starts a new process.
    const starts = (await made.fake.records('start')).length;
    made.conversation.retry(alert.id);
    await made.until('the second alert', (view) => {
      const last = view.items.at(-1);
      return last?.kind === 'error' && last.id !== alert.id;
    });
    assert.equal((await made.fake.records('start')).length, starts + 1);
  });
}

for (const [how, last] of [
  ['dies', { exit: 5 }],
  ['is ended with the conversation', { hang: true }],
] as const) {
  test(`of a call that runs as the CLI ${how} it is told that it failed`, async () => {
    const calls: ToolCall[] = [];
    const use = { type: 'tool_use', id: 't1', name: 'Read', input: {} };
    const line = { type: 'assistant', message: { role: 'assistant', content: [use] } };
    const onToolCall = (call: ToolCall) => calls.push(call);
    const made = await bench({ turns: [[{ line }, last]] }, { onToolCall });
    await made.prompt('go');
    await made.until('the call', (view) => toolsOf(view).length === 1);
    if (how === 'dies') await made.until('the end', ({ items }) => items.at(-1)?.kind === 'error');
    else await made.conversation.dispose();
    assert.deepEqual(
      calls.map(({ tool, outcome }) => [tool, outcome]),
      [['Read', 'error']],
    );
  });
}

test('an interrupt that nobody answers ends the process, and the next prompt starts a new one', async () => {
  const clock = new TestClock();
  const script: FakeScript = { silentTo: ['interrupt'], turns: [[{ deltas: 1 }, { hang: true }]] };
  const made = await bench(script, { clock });
  const stop = async (): Promise<void> => {
    await made.until('work', ({ status }) => status.kind === 'working');
    const stopped = made.conversation.stop();
    clock.advance(STOP_PATIENCE_MS - 1);
    assert.equal(made.conversation.snapshot().status.kind, 'stopping', 'not a moment too early');
    clock.advance(1);
    await stopped;
    await made.until('the end', (view) => view.items.at(-1)?.kind === 'notice');
  };
  await made.prompt('go');
  await stop();
  assert.equal((await made.fake.records('start')).length, 1);
  await made.prompt('again');
  await stop();
  assert.equal((await made.fake.records('start')).length, 2);
});

test('a doubled submit and an empty one send nothing more', async () => {
  const made = await bench({});
  assert.deepEqual(made.conversation.submit('p1', 'hello'), { accepted: true });
  assert.deepEqual(made.conversation.submit('p1', 'hello'), { accepted: true });
  assert.equal((await made.conversation.submit('p2', ' \n ')).accepted, false);
  await made.until('the end', isIdle);
  const prompts = (await made.fake.records('line')).filter(({ line }) =>
    line.includes('"type":"user"'),
  );
  assert.equal(prompts.length, 1);
  assert.match(prompts[0]?.line ?? '', /"uuid":"[0-9a-f]{8}-/);
});

const ends: readonly (readonly [
  title: string,
  script: FakeScript,
  says: RegExp,
  details: RegExp,
])[] = [
  [
    'it could not read a line of ours',
    {
      turns: [
        [
          { stderr: 'Error parsing streaming input line (type=unknown, 9 chars): SyntaxError\n' },
          { exit: 1 },
        ],
      ],
    },
    /could not read what Patchbay sent/,
    /parsing streaming input line/,
  ],
  [
    'its configuration is broken, told by a result alone',
    {
      atStart: [
        {
          result: {
            subtype: 'error_during_execution',
            is_error: true,
            startup_failure_reason: 'config_file_invalid',
            errors: ['Claude configuration file at /h/.claude.json is corrupted: x'],
          },
        },
        { exit: 1 },
      ],
    },
    /configuration file of the CLI is not valid JSON/,
    /\/h\/\.claude\.json/,
  ],
  [
    'rules of an organization',
    {
      atStart: [
        {
          result: {
            subtype: 'error_during_execution',
            is_error: true,
            startup_failure_reason: 'org_pin_mismatch',
            errors: ['This login belongs to another organization.'],
          },
        },
        { exit: 1 },
      ],
    },
    /rules of your organization/,
    /another organization/,
  ],
  ['a signal', { turns: [[{ kill: 'SIGKILL' }]] }, /ended by signal SIGKILL/, /^$/],
  ['nothing at all', { turns: [[{ exit: 0 }]] }, /ended without a word/, /^$/],
];

for (const [title, script, says, details] of ends) {
  test(`a CLI that ends has words of its own and keeps the prompt: ${title}`, async () => {
    const made = await bench(script);
    await made.prompt('precious words');
    await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
    const alert = made.view.items.at(-1);
    assert.ok(alert?.kind === 'error' && alert.kept && alert.next);
    assert.match(alert.message, says);
    assert.match(alert.details ?? '', details);
    assert.ok(alert.actions.includes('retry') && alert.actions.includes('showLog'));
    assert.equal(made.view.items[0]?.kind === 'user' && made.view.items[0].text, 'precious words');
  });
}

test('an end after a turn that failed is no crash, and the next message starts anew', async () => {
  const made = await bench({
    turns: [
      [
        { result: { is_error: true, terminal_reason: 'api_error', api_error_status: 529 } },
        { exit: 1 },
      ],
    ],
  });
  await made.prompt('go');
  await made.until('the process has ended', (view) => {
    return view.items.at(-1)?.kind === 'error' && view.status.kind === 'idle';
  });
  assert.deepEqual(
    made.view.items.map(({ kind }) => kind),
    ['user', 'error'],
    'the alert of the turn is the only one',
  );
  await made.prompt('again');
  await made.until('a new process', (view) => view.status.kind === 'waitingForModel');
  await made.conversation.stop();
  assert.equal((await made.fake.records('start')).length, 2);
});

test('silence is shown since when, ends nothing, and Stop is there', async () => {
  const made = await bench({ turns: [[{ hang: true }]] });
  const before = Date.now();
  await made.prompt('go');
  await made.until('the wait', (view) => view.status.kind === 'waitingForModel');
  const { since } = made.view.status;
  assert.ok(since !== undefined && since >= before && since <= Date.now());
  await made.conversation.stop();
  await made.until('the end', (view) => view.status.kind === 'idle');
  assert.equal((await made.fake.records('start')).length, 1, 'the same process');
});
