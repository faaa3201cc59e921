import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { z } from 'zod';
import { createDeferred } from '../../../src/base/deferred';
import { DefinitionError } from '../../../src/mcp/definitionError';
import { definePrompt } from '../../../src/mcp/definePrompt';
import { defineResource } from '../../../src/mcp/defineResource';
import { RpcError } from '../../../src/mcp/jsonRpc';
import { manifestOf } from '../../../src/mcp/manifest';
import { createServer, type ServerOptions, type SessionInfo } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import type { ServerCapabilities } from '../../../src/mcp/wire';
import { type Bench, createBench, serverWith, simpleTool, textOf, until } from './routerFixture';

const hello = { clientInfo: { name: 'claude-code', version: '2' } };
const frame = (id: unknown, method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

function withHooks(hooks: Pick<ServerOptions, 'onInitialize' | 'onTerminate'>) {
  return createServer({
    name: 'x',
    ...hooks,
    tools: [simpleTool('a', (_, { state }) => [...state.keys()])],
  });
}

test('onInitialize runs once a conversation, may add capabilities, and shares its state with the handlers', async () => {
  const seen: SessionInfo[] = [];
  const server = withHooks({
    onInitialize: (session) => {
      seen.push(session);
      session.state.set('ready', true);
      return { experimental: { depth: {} } };
    },
  });
  const one = createBench([server]);
  for (let i = 0; i < 3; i += 1) {
    const { result } = await one.send('x', frame(0, 'initialize', hello));
    assert.deepEqual(result?.capabilities, {
      tools: { listChanged: true },
      experimental: { depth: {} },
    });
  }
  assert.equal(textOf(await one.call('x', 'a')), '["ready"]');
  assert.equal(seen.length, 1);
  assert.deepEqual([seen[0]?.conversation.id, seen[0]?.clientInfo?.name], ['c1', 'claude-code']);
  const two = createBench([server]);
  assert.equal(textOf(await two.call('x', 'a')), '["ready"]', 'also before any handshake');
  assert.equal(seen.length, 2);
  assert.notEqual(seen[0]?.state, seen[1]?.state);
  assert.equal(manifestOf(server), undefined, 'the CLI must shake hands with it');
});

test('what an author declares is added, and nothing of it makes the CLI refuse the server', async () => {
  const loop: Record<string, unknown> = { logging: {} };
  loop.self = loop;
  const cases: readonly (readonly [unknown, object])[] = [
    [
      { tools: {}, resources: { subscribe: false } },
      { resources: { subscribe: false, listChanged: true } },
    ],
    [{ tools: undefined, resources: null, logging: true }, { logging: {} }],
    [{ tools: { listChanged: 'yes' }, prompts: 'some' }, {}],
    [
      { experimental: { depth: { most: 5n }, name: 'x' } },
      { experimental: { depth: { most: '5' } } },
    ],
    [loop, {}],
    ['text', {}],
    [[1], {}],
    [5, {}],
  ];
  const declared = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
  };
  const resources = [defineResource({ uri: 'a:b', read: () => '' })];
  for (const [given, more] of cases) {
    const capabilities = given as ServerCapabilities;
    for (const server of [
      createServer({ name: 'x', resources, onInitialize: () => capabilities }),
      createServer({ name: 'x', resources, onInitialize: () => Promise.resolve(capabilities) }),
      createServer({ name: 'x', resources, capabilities }),
    ]) {
      const { result } = await createBench([server]).send('x', frame(1, 'initialize', hello));
      assert.deepEqual(result?.capabilities, { ...declared, ...more });
    }
  }
});

for (const way of ['at once', 'later'] as const) {
  test(`a notification of the server’s own is served after onInitialize has ended ${way}, too`, async () => {
    const seen: string[] = [];
    const opened = createDeferred<undefined>();
    const server = createServer({
      name: 'x',
      onInitialize: async () => {
        if (way === 'later') await opened.promise;
        seen.push('opened');
      },
      onTerminate: () => seen.push('closed'),
    });
    server.handle('notifications/note', { text: z.string() }, ({ text }) => void seen.push(text));
    const { send, router } = createBench([server]);
    await send('x', { method: 'notifications/note', params: { text: 'noted' } });
    opened.resolve(undefined);
    await until(() => seen.length === 2);
    router.dispose();
    assert.deepEqual(seen, ['opened', 'noted', 'closed']);
  });
}

test('what onInitialize gives may be a promise of another library', async () => {
  const later: PromiseLike<object> = {
    then: (done, failed) => Promise.resolve({ logging: {} }).then(done, failed),
  };
  const server = withHooks({ onInitialize: () => later as Promise<object> });
  const { result } = await createBench([server]).send('x', frame(0, 'initialize', hello));
  assert.deepEqual(result?.capabilities, { tools: { listChanged: true }, logging: {} });
});

test('a server that is slow to initialize is waited for, but never long', async () => {
  const gate = createDeferred<object>();
  const server = withHooks({ onInitialize: () => gate.promise });
  const { send, call } = createBench([server]);
  const answers = [send('x', frame(0, 'initialize', hello)), call('x', 'a')];
  gate.resolve({ logging: {} });
  const [initialized, called] = await Promise.all(answers);
  assert.deepEqual(initialized?.result?.capabilities, {
    tools: { listChanged: true },
    logging: {},
  });
  assert.equal(textOf(called!), '[]');

  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const never = withHooks({ onInitialize: () => new Promise<object>(() => undefined) });
    const bench = createBench([never]);
    const answer = bench.send('x', frame(0, 'initialize', hello));
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(5_000);
    assert.deepEqual((await answer).result?.capabilities, { tools: { listChanged: true } });
    assert.ok(bench.logged.some((line) => line.includes('slow to initialize')));
    assert.equal(textOf(await bench.call('x', 'a')), '[]');
  } finally {
    mock.timers.reset();
  }
});

const whileItStarts: Readonly<Record<string, (bench: Bench) => unknown>> = {
  'is cancelled': ({ send }) =>
    Promise.all(
      asked.map((_, id) =>
        send('x', { method: 'notifications/cancelled', params: { requestId: id } }),
      ),
    ),
  'goes with its server': ({ registry }) => registry.remove('x'),
  'goes with a server that is replaced': ({ registry }) => {
    registry.remove('x');
    registry.add(serverWith('x'));
  },
  'goes as the server is switched off': ({ router }) => router.cancelAll('it is off', 'x'),
  'goes with its conversation': ({ router }) => router.dispose(),
};
const asked: readonly (readonly [method: string, params: object])[] = [
  ['tools/call', { name: 'a' }],
  ['resources/read', { uri: 'x://a' }],
  ['prompts/get', { name: 'a' }],
  ['shop/price', {}],
];
for (const [what, end] of Object.entries(whileItStarts)) {
  test(`what ${what} while the server initializes is answered at once, and never runs`, async () => {
    const gate = createDeferred<undefined>();
    const ran: string[] = [];
    const run = (name: string) => () => String(ran.push(name));
    const server = createServer({
      name: 'x',
      onInitialize: () => gate.promise,
      tools: [simpleTool('a', run('tool'))],
      resources: [defineResource({ uri: 'x://a', read: run('resource') })],
      prompts: [definePrompt({ name: 'a', run: run('prompt') })],
    });
    server.handle('shop/price', {}, run('method'));
    const bench = createBench([server]);
    const answers = asked.map(([method, params], id) => bench.send('x', frame(id, method, params)));
    await until(() => bench.router.openCalls === asked.length);
    await end(bench);
    // None of them waits for the server.
    const [tool, ...others] = await Promise.all(answers);
    assert.equal(tool?.result?.isError, true);
    const word = /^Cancelled|taken away$/;
    assert.match(textOf(tool) ?? '', word);
    for (const { error } of others) assert.match(error?.message ?? '', word);
    gate.resolve(undefined);
    await new Promise(setImmediate);
    assert.deepEqual([ran, bench.router.openCalls], [[], 0]);
  });
}

test('what waits for a server that initializes runs once, however often it is sent, and nothing waits after', async () => {
  const gate = createDeferred<undefined>();
  let ran = 0;
  const tool = simpleTool('a', () => (ran += 1));
  const server = createServer({ name: 'x', onInitialize: () => gate.promise, tools: [tool] });
  const { router, send } = createBench([server]);
  const call = frame(1, 'tools/call', { name: 'a' });
  const answers = [send('x', call, 'same'), send('x', call, 'same')];
  gate.resolve(undefined);
  const texts = (await Promise.all(answers)).map(textOf);
  assert.deepEqual([texts, ran], [['1', '1'], 1]);
  const direct = router.route('x', call, { requestId: 'next' });
  assert.ok(!(direct instanceof Promise), 'the server is ready');
});

test('a server may refuse a client in its own words, and is asked again when that tries again', async () => {
  let tries = 0;
  for (const late of [false, true]) {
    tries = 0;
    const refuse = (): void => {
      tries += 1;
      if (tries === 1) throw new RpcError(-32000, 'Come back later');
      if (tries === 2) throw new Error('internal');
    };
    const server = withHooks({
      onInitialize: late ? () => Promise.resolve().then(refuse) : refuse,
    });
    const { send } = createBench([server]);
    const first = await send('x', frame(7, 'initialize', hello));
    assert.deepEqual([first.id, first.error], [7, { code: -32000, message: 'Come back later' }]);
    assert.equal((await send('x', frame(8, 'initialize', hello))).error?.code, -32603);
    assert.equal((await send('x', frame(9, 'initialize', hello))).error, undefined);
  }
});

test('onTerminate runs once, when the conversation ends, the server is removed, or it stops', async () => {
  const ended: string[] = [];
  const make = () =>
    withHooks({
      onTerminate: ({ conversation, state }) => {
        ended.push(`${conversation.id} ${[...state.keys()].join()}`);
        throw new Error('at the end');
      },
    });
  for (const end of ['dispose', 'remove', 'stop'] as const) {
    const server = make();
    const { call, router, registry, logged } = createBench([server]);
    await call('x', 'a');
    if (end === 'dispose') router.dispose();
    else if (end === 'remove') registry.remove('x');
    else server.stop();
    router.dispose();
    assert.equal(ended.length, 1, end);
    assert.ok(logged.some((line) => line.includes('failed at its end')));
    ended.length = 0;
  }
  const unused = createBench([make()]);
  unused.router.dispose();
  assert.deepEqual(ended, [], 'where it was never used there was no beginning');
});

test('a server that stops ends its calls in every conversation and cannot be offered again', async () => {
  const hang = simpleTool('hang', () => new Promise(() => undefined));
  const server = serverWith('x', hang);
  const benches = [createBench([server]), createBench([server])];
  const answers = benches.map(({ call }) => call('x', 'hang'));
  await until(() => benches.every(({ router }) => router.openCalls === 1));
  server.stop();
  server.stop();
  for (const answer of answers) assert.equal((await answer).result?.isError, true);
  const { send, registry } = benches[0]!;
  assert.equal((await send('x', frame(1, 'ping'))).error?.message, "Server 'x' not found");
  assert.throws(() => registry.add(server), DefinitionError);
  assert.equal(server.describe().stopped, true);
});

test('one server that is switched off ends only its own calls', async () => {
  const hang = simpleTool('hang', () => new Promise(() => undefined));
  const { call, router } = createBench([serverWith('x', hang), serverWith('y', hang)]);
  const answer = call('x', 'hang');
  void call('y', 'hang');
  await until(() => router.openCalls === 2);
  router.cancelAll('it was switched off', 'x');
  assert.equal(textOf(await answer), 'Cancelled: it was switched off');
  assert.equal(router.openCalls, 1);
  router.dispose();
});

test('a server under an old name starts with a state of its own', async () => {
  const count = () =>
    simpleTool('count', (_, { state }) => {
      const next = Number(state.get('n') ?? 0) + 1;
      state.set('n', next);
      return next;
    });
  const { call, registry } = createBench([serverWith('x', count())]);
  assert.equal(textOf(await call('x', 'count')), '1');
  assert.equal(textOf(await call('x', 'count')), '2');
  registry.remove('x');
  registry.add(serverWith('x', count()));
  assert.equal(textOf(await call('x', 'count')), '1');
});

test('a method of one’s own is served with checked params, late answers and cancellation', async () => {
  const server = createServer({ name: 'x' });
  const gates: string[] = [];
  server.handle('experiment_gates', { gates: z.record(z.string(), z.boolean()) }, (params) => {
    gates.push(...Object.keys(params.gates));
  });
  const handle = server.handle('shop/price', { item: z.string() }, async ({ item }, ctx) => {
    await Promise.resolve();
    if (item === 'none') throw new Error('sold out');
    if (item === 'wait') await new Promise(() => ctx.signal);
    return { price: item.length };
  });
  server.handle('shop/count', {}, () => 7);
  const { send, router } = createBench([server]);
  const price = (item: unknown, id: unknown = 1) => send('x', frame(id, 'shop/price', { item }));
  assert.deepEqual((await price('tea')).result, { price: 3 });
  const meta = { _meta: { progressToken: 1 } };
  const noted = await send('x', frame(1, 'shop/price', { item: 'tea', ...meta }));
  assert.deepEqual(noted.result, { price: 3 }, 'what the protocol puts beside is no field');
  const own = server.handle('shop/meta', { _meta: z.object({ a: z.int() }) }, (params) => params);
  const given = { _meta: { a: 1 } };
  assert.deepEqual((await send('x', frame(1, 'shop/meta', given))).result, given);
  own.dispose();
  assert.deepEqual((await send('x', frame(1, 'shop/count'))).result, { value: 7 });
  assert.deepEqual((await price(5)).error, {
    code: -32602,
    message: 'Invalid params for shop/price:\nitem: expected string, received number 5',
  });
  assert.deepEqual((await price('none')).error, {
    code: -32603,
    message: 'shop/price failed: sold out',
  });
  const waiting = price('wait', 44);
  await until(() => router.openCalls === 1);
  await send('x', { method: 'notifications/cancelled', params: { requestId: 44 } });
  assert.equal((await waiting).error?.message, 'Cancelled');
  const acknowledged = await send('x', {
    method: 'experiment_gates',
    params: { gates: { a: true } },
  });
  assert.deepEqual([acknowledged, gates], [{ jsonrpc: '2.0', result: {}, id: 0 }, ['a']]);
  const bad = await send('x', { method: 'experiment_gates', params: { gates: 5 } });
  assert.deepEqual(
    bad,
    { jsonrpc: '2.0', result: {}, id: 0 },
    'a bad notification is acknowledged too',
  );
  assert.deepEqual(server.describe().methods, ['experiment_gates', 'shop/price', 'shop/count']);
  handle.dispose();
  assert.equal((await price('tea')).error?.message, "Method 'shop/price' not supported");
});

test('methods of the protocol stay the protocol’s, and a bad schema is told to its author', () => {
  const server = createServer({ name: 'x' });
  for (const method of ['tools/call', 'initialize', 'notifications/cancelled', '']) {
    assert.throws(() => server.handle(method, {}, () => 1), DefinitionError);
  }
  assert.throws(() => server.handle('a/b', { type: 'array' } as never, () => 1), DefinitionError);
  server.handle('a/b', {}, () => 1);
  assert.throws(() => server.handle('a/b', {}, () => 2), /already serves the method 'a\/b'/);
});

test('describe tells all that is offered as plain data', () => {
  const server = createServer({
    name: 'x',
    version: '2.1.0',
    title: 'The X',
    instructions: 'Use it.',
    tools: [simpleTool('a', () => 1)],
  });
  const { tools, ...rest } = JSON.parse(JSON.stringify(server.describe())) as Record<
    string,
    unknown
  >;
  assert.deepEqual(rest, {
    name: 'x',
    version: '2.1.0',
    title: 'The X',
    instructions: 'Use it.',
    stopped: false,
    capabilities: { tools: { listChanged: true } },
    resources: [],
    prompts: [],
    methods: [],
    problems: [],
  });
  assert.deepEqual(tools, [
    {
      name: 'a',
      description: 'Does a',
      inputSchema: { type: 'object', properties: {} },
      wireName: 'mcp__x__a',
    },
  ]);
  const registry = new ServerRegistry();
  registry.add(server);
  assert.deepEqual(registry.all(), [server]);
});
