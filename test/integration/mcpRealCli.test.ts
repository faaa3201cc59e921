import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { createCalculator } from '../../docs/samples/calculator/calculator';
import { launchArguments } from '../../src/cli/launchArguments';
import { HookBook } from '../../src/conversation/hookBook';
import { ApiConsent } from '../../src/host/apiConsent';
import { ApiHub } from '../../src/host/apiHub';
import { defineResource } from '../../src/mcp/defineResource';
import { defineTool } from '../../src/mcp/defineTool';
import { manifestOf } from '../../src/mcp/manifest';
import { createServer, type McpServerDefinition } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { createPeerServer } from '../../src/mcp/peerServer';
import { createRouter, type Router } from '../../src/mcp/router';
import { listLogger, runCli, type RunningCli } from '../harness/fakeCli/cliHarness';
import { startModel, type ModelServer } from '../harness/model/modelServer';
import { createRealCliSandbox, type RealCliSandbox } from '../harness/model/realCli';
import { eventually } from '../harness/panelSandbox/eventually';
import {
  message,
  say,
  toolUse,
  type Reply,
  type ToolResult,
  type Turn,
} from '../harness/model/script';

/** What the model does after the prompt of that name, step by step; then it says that it is done. */
const plays: Readonly<Record<string, (turn: Turn) => readonly Reply[]>> = {
  list: () => [],
  run: () => [message([toolUse('mcp__lab__execute_me', { input: 'test123' })])],
  fail: () => [message([toolUse('mcp__lab__will_fail', {})])],
  wrong: () => [message([toolUse('mcp__lab__execute_me', { inputs: 5 })])],
  overlap: () => [message(['a', 'b', 'c'].map((who) => toolUse('mcp__lab__meet', { who })))],
  grow: () => [message([toolUse('mcp__lab__grow', {})]), message([toolUse('mcp__lab__grown', {})])],
  late: () => [message([toolUse('mcp__late__hello', {})])],
  resources: () => [
    message([toolUse('ListMcpResourcesTool', {})]),
    message([toolUse('ReadMcpResourceTool', { server: 'lab', uri: 'note://b' })]),
  ],
  noted: () => [
    message([toolUse('ReadMcpResourceTool', { server: 'acme_notes', uri: 'note://new' })]),
  ],
  hang: () => [message([toolUse('mcp__lab__hang', {})])],
  slow: () => [message([toolUse('mcp__lab__slow', {})])],
  large: () => [message([toolUse('mcp__lab__large', { characters: 100_000 })])],
  huge: () => [message([toolUse('mcp__lab__large', { characters: 5_000_000 })])],
  whole: () => [message([toolUse('mcp__lab__whole', { characters: 100_000 })])],
  live: () => [message([toolUse('mcp__live__mode', {})])],
  'What is 15 + 27?': () => [
    message([toolUse('mcp__calculator__add', { a: 15, b: 27 })]),
    say('15 + 27 is 42.'),
  ],
  'What is 1 / 0?': () => [message([toolUse('mcp__calculator__divide', { a: 1, b: 0 })])],
};
const play = (turn: Turn): Reply => plays[turn.prompt]?.(turn)[turn.step] ?? say('Done.');

let listings = 0;
const waiting: (() => void)[] = [];
const aborted: string[] = [];
const sized = { characters: z.int() };

function lab(): McpServerDefinition {
  const arrived = new Set<string>();
  let meet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => (meet = resolve));
  const always = { description: 'Of the lab.', alwaysLoad: true };
  const server = createServer({
    name: 'lab',
    tools: [
      defineTool({
        ...always,
        name: 'execute_me',
        input: { input: z.string() },
        run: ({ input }) => `Result: ${input}`,
      }),
      defineTool({
        ...always,
        name: 'will_fail',
        input: {},
        run: () => new Error('Intentional error'),
      }),
      defineTool({
        ...always,
        name: 'meet',
        input: { who: z.string() },
        annotations: { readOnlyHint: true },
        run: async ({ who }) => {
          arrived.add(who);
          if (arrived.size === 3) meet();
          await met;
          return `met ${[...arrived].sort().join(' ')}`;
        },
      }),
      defineTool({
        ...always,
        name: 'grow',
        input: {},
        run: async () => {
          const listed = new Promise<void>((resolve) => waiting.push(resolve));
          server.registerTool(
            defineTool({ ...always, name: 'grown', input: {}, run: () => 'I am new' }),
          );
          await listed;
          return 'grown';
        },
      }),
      defineTool({
        ...always,
        name: 'hang',
        input: {},
        run: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => aborted.push(String(signal.reason)));
          }),
      }),
      defineTool({
        ...always,
        name: 'slow',
        input: {},
        timeout: 50,
        run: () => new Promise(() => undefined),
      }),
      defineTool({
        ...always,
        name: 'large',
        input: sized,
        run: ({ characters }) => textOf(characters),
      }),
      defineTool({
        ...always,
        name: 'whole',
        input: sized,
        maxResultChars: 500_000,
        run: ({ characters }) => textOf(characters),
      }),
    ],
    resources: [
      defineResource({
        uri: 'note://{id}',
        mimeType: 'text/plain',
        list: () => [{ uri: 'note://a' }, { uri: 'note://b', name: 'B' }],
        read: ({ id }) => `note ${id}`,
      }),
    ],
  });
  return server;
}

/** Lines, as a real result has them. */
function textOf(characters: number): string {
  return 'A line of sixty-four characters, as the output of a tool has it\n'
    .repeat(Math.ceil(characters / 64))
    .slice(0, characters);
}

/** The CLI shakes hands with it, since it wants to see that. */
function live(): McpServerDefinition {
  return createServer({
    name: 'live',
    onInitialize: ({ state, clientInfo }) => {
      state.set('client', clientInfo?.name);
    },
    tools: [
      defineTool({
        name: 'mode',
        description: 'Tells the client.',
        input: {},
        alwaysLoad: true,
        run: (_, { state, clientInfo }) =>
          `${String(state.get('client'))} ${clientInfo?.name ?? '-'}`,
      }),
    ],
  });
}

interface Bench extends RunningCli {
  readonly model: ModelServer;
  readonly sandbox: RealCliSandbox;
  readonly registry: ServerRegistry;
  readonly router: Router;
  readonly methods: string[];
}
let bench: Bench;

before(async () => {
  const model = await startModel({ script: play, chunkSize: 500 });
  const sandbox = await createRealCliSandbox({ modelUrl: model.url });
  const registry = new ServerRegistry();
  registry.add(lab());
  registry.add(live());
  registry.add(createCalculator());
  const methods: string[] = [];
  const router = createRouter({
    registry,
    log: listLogger([]),
    conversation: { id: 'c', cwd: sandbox.workspace },
    notify: (server, told) => {
      void bench.session.request('mcp_message', { server_name: server, message: { ...told } });
    },
  });
  const running = await runCli({
    command: sandbox.command,
    cwd: sandbox.workspace,
    env: sandbox.env,
    args: launchArguments({
      trusted: true,
      allowedTools: ['mcp__lab', 'mcp__late', 'mcp__live', 'mcp__calculator'],
    }),
    handlers: {
      mcp_message: async ({ server_name: server, message: frame }, { requestId }) => {
        const method = String((frame as { method?: unknown }).method);
        methods.push(`${server} ${method}`);
        const answer = await router.route(server, frame, { requestId });
        if (server === 'lab' && method === 'tools/list') {
          listings += 1;
          // After the answer is on its way.
          setImmediate(() => {
            for (const resolve of waiting.splice(0)) resolve();
          });
        }
        return { mcp_response: answer };
      },
    },
  });
  bench = { ...running, model, sandbox, registry, router, methods };
  const all = registry.list();
  await running.session.initialize({
    sdkMcpServers: all.map(({ name }) => name),
    sdkMcpServerManifests: Object.fromEntries(
      all.flatMap((server) => {
        const manifest = manifestOf(server);
        return manifest ? [[server.name, manifest] as const] : [];
      }),
    ),
  });
});

after(async () => {
  await bench.session.dispose();
  bench.router.dispose();
  await bench.sandbox.cleanup();
  await bench.model.close();
});

let turns = 0;
async function prompt(content: string): Promise<void> {
  await bench.session.sendPrompt({ uuid: randomUUID(), content });
}
/** Plays a prompt to its end and gives what the model was told by the tools. */
async function results(content: string): Promise<readonly ToolResult[]> {
  await prompt(content);
  turns += 1;
  await bench.results(turns);
  const last = bench.model.requests.filter(({ isSide }) => !isSide).at(-1);
  return last?.turn.results ?? [];
}

async function sendServers(): Promise<void> {
  const all = bench.registry.list();
  const servers = all.map(({ name, version }) => [name, { type: 'sdk', name, version }] as const);
  await bench.session.request('mcp_set_servers', { servers: Object.fromEntries(servers) });
}

test('what is known beforehand is listed without a question, the server that wants a handshake gets one', async () => {
  await results('list');
  const [first] = bench.model.requests.filter(({ isSide }) => !isSide);
  for (const name of ['mcp__lab__execute_me', 'mcp__lab__large', 'mcp__live__mode']) {
    assert.ok(first?.turn.tools.includes(name), name);
  }
  assert.deepEqual(bench.methods, [
    'live initialize',
    'live notifications/initialized',
    'live tools/list',
  ]);
  const [told] = await results('live');
  assert.equal(told?.text, 'claude-code claude-code');
});

test('a call runs, a failed one is an error, and wrong arguments are told by field', async () => {
  const [good] = await results('run');
  assert.deepEqual([good?.text, good?.isError], ['Result: test123', false]);
  const [failed] = await results('fail');
  assert.deepEqual([failed?.text, failed?.isError], ['Intentional error', true]);
  const [wrong] = await results('wrong');
  assert.equal(wrong?.isError, true);
  assert.equal(
    wrong.text,
    [
      "Invalid arguments for tool 'execute_me':",
      'inputs: expected one of the fields input, received number 5',
      'input: expected string, received nothing',
    ].join('\n'),
  );
});

test('the calculator of the samples is asked, answers, and the turn is counted', async () => {
  const [sum] = await results('What is 15 + 27?');
  assert.deepEqual([sum?.input, sum?.text], [{ a: 15, b: 27 }, '42']);
  const last = bench.messages.findLast((one) => one.type === 'result');
  assert.equal(last?.result, '15 + 27 is 42.');
  assert.equal(last.num_turns, 2);
  assert.ok((last.total_cost_usd ?? 0) > 0);
  const [divided] = await results('What is 1 / 0?');
  assert.deepEqual([divided?.text, divided?.isError], ['Error: Division by zero', true]);
});

test('three calls of one message overlap in time', async () => {
  const all = await results('overlap');
  assert.deepEqual(
    all.map(({ text }) => text),
    ['met a b c', 'met a b c', 'met a b c'],
  );
});

test('M09: a tool that comes in mid-turn is listed anew and used in the next step of the same turn', async () => {
  const before_ = listings;
  const all = await results('grow');
  assert.deepEqual(
    all.map(({ text, isError }) => [text, isError]),
    [
      ['grown', false],
      ['I am new', false],
    ],
  );
  assert.ok(listings > before_);
});

test('a server that is added in mid-conversation is used, and the state of the others stays', async () => {
  bench.registry.add(
    createServer({
      name: 'late',
      tools: [defineTool({ name: 'hello', description: 'Greets.', input: {}, run: () => 'hello' })],
    }),
  );
  await sendServers();
  const [hello] = await results('late');
  assert.deepEqual([hello?.text, hello?.isError], ['hello', false]);
  const [told] = await results('live');
  assert.equal(told?.text, 'claude-code claude-code');
});

test('tools of others that have choices at the root of their schema reach the model', async () => {
  const branches = [
    { properties: { a: { type: 'string' } }, required: ['a'] },
    { properties: { b: { type: 'string' } }, required: ['b'] },
  ];
  const tools = ['oneOf', 'anyOf', 'allOf'].map((key) => ({
    name: key,
    description: `Has ${key}.`,
    inputSchema: { type: 'object', [key]: branches },
    _meta: { 'anthropic/alwaysLoad': true },
  }));
  const answers: Readonly<Record<string, object>> = {
    initialize: { capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } },
    'tools/list': { tools },
  };
  const peer = await createPeerServer(
    {
      request: (method) => Promise.resolve(answers[method] ?? {}),
      notify: () => undefined,
      onDidNotify: () => ({ dispose: () => undefined }),
      onDidClose: () => ({ dispose: () => undefined }),
      dispose: () => undefined,
    },
    { name: 'far', log: listLogger([]) },
  );
  bench.registry.add(peer);
  const servers = Object.fromEntries(
    bench.registry
      .all()
      .map(({ name, version }) => [name, { type: 'sdk', name, version } as const]),
  );
  await bench.session.request('mcp_set_servers', { servers });
  await results('list');
  const last = bench.model.requests.filter(({ isSide }) => !isSide).at(-1);
  for (const { name } of tools) assert.ok(last?.turn.tools.includes(`mcp__far__${name}`), name);
});

test('resources are listed and read by the two tools of the CLI', async () => {
  const [list, read] = await results('resources');
  assert.equal(list?.isError, false, list?.text);
  const rows = JSON.parse(list.text) as { uri: string; name: string; server: string }[];
  assert.deepEqual(
    rows.map(({ uri, name, server }) => [server, uri, name]),
    [
      ['lab', 'note://a', 'note://a'],
      ['lab', 'note://b', 'B'],
    ],
  );
  assert.match(read?.text ?? '', /"text":"note b"/);
});

test('Stop aborts the handler, and the next call works', async () => {
  await prompt('hang');
  turns += 1;
  await eventually(() => bench.router.openCalls > 0, 60_000);
  await bench.session.interrupt({ cancelQueued: true });
  await bench.results(turns);
  assert.equal(bench.router.openCalls, 0);
  assert.deepEqual(aborted, ['Error: Cancelled: AbortError: remote-cancel']);
  const [good] = await results('run');
  assert.equal(good?.text, 'Result: test123');
});

test('a call that takes longer than its time is ended, and the model is told', async () => {
  const [slow] = await results('slow');
  assert.deepEqual(
    [slow?.isError, slow?.text],
    [true, "Tool 'slow' did not finish within 0.05 s and was stopped; it may have run in part"],
  );
});

test('results of 100 KB and of 5 MB reach the model as a file with all of it, or whole where the tool says so', async () => {
  for (const [content, characters] of [
    ['large', 100_000],
    ['huge', 5_000_000],
  ] as const) {
    const [told] = await results(content);
    assert.ok((told?.text.length ?? 0) < 5_000);
    const file = /saved to:? (\/\S+\.(?:txt|json))/.exec(told?.text ?? '')?.[1];
    assert.ok(file, told?.text.slice(0, 500));
    const kept = await readFile(file, 'utf8');
    assert.ok(kept.length >= characters, `${kept.length}`);
  }
  const [whole] = await results('whole');
  assert.equal(whole?.text.length, 100_000);
});

test('the first resource that an extension registers in mid-conversation is read by the agent', async () => {
  const consent = new ApiConsent({
    memory: { get: () => ({ 'acme.notes': true }), set: () => undefined },
    ask: () => assert.fail('it is allowed already'),
  });
  const hub = new ApiHub({
    ...{ registry: bench.registry, consent, hooks: new HookBook(), log: listLogger([]) },
    startConversation: () => assert.fail('it starts none'),
  });
  const tool = { name: 't', description: 'x', input: {}, run: () => 'x' };
  await hub.settled(hub.offer('acme.notes', 'tool', tool));
  await sendServers();
  await results('list');
  const note = { uri: 'note://new', read: () => 'what is new' };
  await hub.settled(hub.offer('acme.notes', 'resource', note));
  const [read] = await results('noted');
  assert.match(read?.text ?? '', /what is new/);
});
