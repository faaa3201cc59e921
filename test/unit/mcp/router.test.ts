import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { z } from 'zod';
import { createDeferred } from '../../../src/base/deferred';
import { defineTool } from '../../../src/mcp/defineTool';
import type { CallQuestion } from '../../../src/mcp/callDesk';
import type { ToolContext } from '../../../src/mcp/toolContext';
import { ownField } from '../../../src/mcp/wire';
import { createBench, serverWith, simpleTool, textOf, until } from './routerFixture';

const request = (id: unknown, method: string, params?: unknown): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

test('initialize echoes a known protocol version and else answers the newest, any number of times', async () => {
  const { send } = createBench([serverWith('x')]);
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const answer = await send('x', request(0, 'initialize', { protocolVersion: version }));
    assert.deepEqual(answer, {
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: version,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'x', version: '1.0.0' },
      },
    });
  }
  for (const odd of ['1999-01-01', 7, undefined, null, {}]) {
    const answer = await send('x', request(0, 'initialize', { protocolVersion: odd }));
    assert.equal(answer.result?.protocolVersion, '2025-11-25');
  }
  const bare = await send('x', request(0, 'initialize'));
  assert.equal(bare.result?.protocolVersion, '2025-11-25');
});

test('what is not there is told with -32601 and the exact words', async () => {
  const { send, call } = createBench([
    serverWith(
      'x',
      simpleTool('a', () => 'ok'),
    ),
  ]);
  const texts = [
    await send('q', request(1, 'tools/list')),
    await send('x', request(2, 'no/such')),
    await call('x', 'nope'),
    await call('x', 'toString'),
    await call('x', '__proto__'),
    await send('x', request(3, 'constructor')),
    await send('__proto__', request(4, 'ping')),
  ].map((answer) => answer.error);
  assert.deepEqual(texts, [
    { code: -32601, message: "Server 'q' not found" },
    { code: -32601, message: "Method 'no/such' not supported" },
    { code: -32601, message: "Tool 'nope' not found" },
    { code: -32601, message: "Tool 'toString' not found" },
    { code: -32601, message: "Tool '__proto__' not found" },
    { code: -32601, message: "Method 'constructor' not supported" },
    { code: -32601, message: "Server '__proto__' not found" },
  ]);
});

test('notifications and replies to our own requests are acknowledged', async () => {
  const { send } = createBench([serverWith('x')]);
  const frames = [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
    { jsonrpc: '2.0', method: 'experiment_gates', params: { gates: {} } },
    { jsonrpc: '2.0', id: 900, result: {} },
    { jsonrpc: '2.0', id: 903, error: { code: -32601, message: 'Method not found' } },
  ];
  for (const frame of frames) {
    assert.deepEqual(await send('x', frame), { jsonrpc: '2.0', result: {}, id: 0 });
  }
});

test('lists that a server does not have are empty, and ping is answered', async () => {
  const { send } = createBench([serverWith('x')]);
  const results = [];
  for (const method of ['resources/list', 'resources/templates/list', 'prompts/list', 'ping']) {
    results.push((await send('x', request('i', method))).result);
  }
  assert.deepEqual(results, [{ resources: [] }, { resourceTemplates: [] }, { prompts: [] }, {}]);
});

test('M18: each malformed message gets an error answer and the next call works', async () => {
  const { send, call } = createBench([
    serverWith(
      'x',
      simpleTool('a', () => 'ok'),
    ),
  ]);
  const bad = [
    null,
    undefined,
    'text',
    7,
    true,
    [],
    [request(1, 'ping')],
    {},
    { id: 5 },
    { id: {}, method: 'ping' },
    { id: 1, method: 5 },
  ];
  for (const message of bad) {
    const answer = await send('x', message);
    assert.equal(answer.error?.code, -32600, JSON.stringify(message));
    assert.match(answer.error.message, /^Invalid request: /);
  }
  assert.equal((await send('x', { id: 5 })).id, 5);
  assert.equal(textOf(await call('x', 'a')), 'ok');
});

test('T08: ids keep their value and type, answers go out in any order', async () => {
  const gates = { r1: createDeferred<string>(), r2: createDeferred<string>() };
  const wait = simpleTool('wait', (_, ctx) => gates[ctx.requestId as 'r1' | 'r2'].promise);
  const { send } = createBench([serverWith('editor', wait), serverWith('project', wait)]);
  const frame = request(0, 'tools/call', { name: 'wait' });
  const order: string[] = [];
  const first = send('editor', frame, 'r1').finally(() => order.push('r1'));
  const second = send('project', frame, 'r2').finally(() => order.push('r2'));
  gates.r2.resolve('two');
  assert.equal(textOf(await second), 'two');
  gates.r1.resolve('one');
  assert.equal(textOf(await first), 'one');
  assert.deepEqual(order, ['r2', 'r1']);
  assert.strictEqual((await first).id, 0);
  for (const id of ['0', '', -1, null, 1.5, JSON.parse('9007199254740993') as number]) {
    assert.strictEqual((await send('editor', request(id, 'ping'))).id, id);
    assert.strictEqual((await send('editor', request(id, 'no'))).id, id);
    assert.strictEqual((await send('editor', request(id, 'tools/call', {}))).id, id);
  }
});

test('twenty calls at once are each answered by their own request id, in reverse order', async () => {
  const gates = new Map<string, ReturnType<typeof createDeferred<string>>>();
  const wait = simpleTool('wait', (_, ctx) => {
    const gate = createDeferred<string>();
    gates.set(ctx.requestId, gate);
    return gate.promise;
  });
  const { send, router } = createBench([serverWith('x', wait)]);
  const names = Array.from({ length: 20 }, (_, index) => `q${index}`);
  const answers = names.map((name) => send('x', request(2, 'tools/call', { name: 'wait' }), name));
  await until(() => gates.size === 20);
  assert.equal(router.openCalls, 20);
  for (const name of [...names].reverse()) gates.get(name)?.resolve(name);
  assert.deepEqual((await Promise.all(answers)).map(textOf), names);
  assert.equal(router.openCalls, 0);
});

test('a duplicate of a running request runs the tool once and gets the same answer', async () => {
  let runs = 0;
  const gate = createDeferred<string>();
  const tool = simpleTool('once', () => {
    runs += 1;
    return gate.promise;
  });
  const { call, send } = createBench([serverWith('x', tool)]);
  const frame = request(4, 'tools/call', { name: 'once' });
  const both = [send('x', frame, 'same'), send('x', frame, 'same')];
  const other = await send('x', request(5, 'tools/call', { name: 'once' }), 'same');
  assert.equal(other.error?.code, -32600);
  gate.resolve('done');
  assert.deepEqual((await Promise.all(both)).map(textOf), ['done', 'done']);
  assert.equal(runs, 1);
  assert.equal(textOf(await call('x', 'once', {}, 'same')), 'done', 'the id is free again');
});

test('a cancellation aborts the oldest open call with that id on that server only', async () => {
  const contexts: ToolContext[] = [];
  const hang = simpleTool('hang', (_, ctx) => {
    contexts.push(ctx);
    return new Promise(() => undefined);
  });
  const { send, router } = createBench([serverWith('x', hang), serverWith('y', hang)]);
  const frame = request(2, 'tools/call', { name: 'hang' });
  const old = send('x', frame, 'r1');
  void send('x', frame, 'r2');
  void send('y', frame, 'r3');
  await until(() => contexts.length === 3);
  const cancel = (requestId: unknown): Promise<unknown> =>
    send('x', {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason: 'AbortError' },
    });
  await cancel('2');
  assert.equal(contexts.filter((ctx) => ctx.signal.aborted).length, 0, 'a text is another id');
  await cancel(2);
  const answer = await old;
  assert.equal(answer.result?.isError, true);
  assert.equal(textOf(answer), 'Cancelled: AbortError');
  assert.deepEqual(
    contexts.filter((ctx) => ctx.signal.aborted).map((ctx) => ctx.requestId),
    ['r1'],
  );
  await cancel(2);
  assert.equal(router.openCalls, 1);
  router.cancelAll('done');
  await until(() => router.openCalls === 0);
  assert.ok(contexts.every((ctx) => ctx.signal.aborted));
});

test('a result that comes after the cancellation is dropped without a word to anyone', async () => {
  const gate = createDeferred<string>();
  const slow = simpleTool('slow', () => gate.promise);
  const { send, router, logged } = createBench([serverWith('x', slow)]);
  const answer = send('x', request(1, 'tools/call', { name: 'slow' }), 'r1');
  router.cancelAll('stop');
  assert.equal(textOf(await answer), 'Cancelled: stop');
  gate.resolve('too late');
  await until(() => logged.includes('Late result of r1 dropped'));
});

test('a server that is taken away ends its calls and is then not found', async () => {
  const aborted = createDeferred<undefined>();
  const hang = simpleTool('hang', (_, ctx) => {
    ctx.signal.addEventListener('abort', () => aborted.resolve(undefined));
    return new Promise(() => undefined);
  });
  const { send, call, registry, router } = createBench([serverWith('x', hang)]);
  const answer = call('x', 'hang');
  await until(() => router.openCalls === 1);
  await new Promise((resolve) => setImmediate(resolve));
  registry.remove('x');
  await aborted.promise;
  assert.equal((await answer).result?.isError, true);
  assert.equal((await send('x', request(1, 'tools/list'))).error?.message, "Server 'x' not found");
});

test('a verdict that denies, or fails, keeps the tool from running; one that is pending can be cancelled', async () => {
  let runs = 0;
  const asked: CallQuestion[] = [];
  const tool = defineTool({
    name: 'write',
    description: '',
    input: { path: z.string().trim() },
    annotations: { destructiveHint: true },
    run: () => (runs += 1),
  });
  const answers = ['allow', { deny: 'Not here' }, new Error('broken'), undefined] as const;
  const { call, router } = createBench([serverWith('x', tool)], {
    verdict: (question) => {
      const answer = answers[asked.push(question) - 1];
      if (answer instanceof Error) throw answer;
      return answer ?? new Promise(() => undefined);
    },
  });
  assert.equal(textOf(await call('x', 'write', { path: ' a ' }, 'r1')), '1');
  const denied = await call('x', 'write', { path: 'b' });
  assert.deepEqual([denied.result?.isError, textOf(denied)], [true, 'Not here']);
  assert.match(textOf(await call('x', 'write', { path: 'c' })) ?? '', /^Not run, .*broken/);
  const pending = call('x', 'write', { path: 'd' });
  await until(() => asked.length === 4);
  router.cancelAll('stop');
  assert.equal((await pending).result?.isError, true);
  assert.equal(
    (await call('x', 'write', {})).error?.code,
    -32602,
    'bad arguments are not asked about',
  );
  assert.equal(asked.length, 4);
  assert.equal(runs, 1);
  assert.deepEqual(asked[0], {
    server: 'x',
    tool: 'write',
    definition: tool,
    input: { path: 'a' },
    requestId: 'r1',
    toolUseId: undefined,
  });
});

test('the deadline is the tool’s own, 60 s by default, and never overflows a timer', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const never = (): Promise<never> => new Promise(() => undefined);
    const server = serverWith(
      'x',
      simpleTool('usual', never),
      simpleTool('long', never, { timeout: 20 * 60_000 }),
      simpleTool('huge', never, { timeout: 2_147_483_648 }),
    );
    const { call } = createBench([server]);
    const ended: string[] = [];
    const answers = ['usual', 'long', 'huge'].map((name) =>
      call('x', name).then((answer) => {
        ended.push(name);
        return answer;
      }),
    );
    const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const pass = async (ms: number): Promise<string[]> => {
      await settle();
      mock.timers.tick(ms);
      await settle();
      return [...ended];
    };
    assert.deepEqual(await pass(59_999), []);
    assert.deepEqual(await pass(1), ['usual']);
    assert.deepEqual(await pass(600_000), ['usual'], 'a call of ten minutes goes on');
    assert.deepEqual(await pass(600_000), ['usual', 'long']);
    const [usual] = await Promise.all(answers.slice(0, 1));
    assert.equal(usual?.result?.isError, true);
    assert.match(textOf(usual) ?? '', /^Tool 'usual' did not finish within 60 s/);
  } finally {
    mock.timers.reset();
  }
});

test('the handler knows its call: ids, client, place and a state that lasts per server', async () => {
  const seen: ToolContext[] = [];
  const look = simpleTool('look', (_, ctx) => {
    seen.push(ctx);
    const count = Number(ctx.state.get('count') ?? 0) + 1;
    ctx.state.set('count', count);
    ctx.log('warning', { odd: true });
    return count;
  });
  const { send, call, logged } = createBench([serverWith('x', look), serverWith('y', look)]);
  await send('x', request(0, 'initialize', { clientInfo: { name: 'claude-code', version: '2' } }));
  const params = {
    name: 'look',
    arguments: {},
    _meta: { 'claudecode/toolUseId': 'toolu_1', progressToken: 0 },
  };
  assert.equal(textOf(await send('x', request(2, 'tools/call', params), 'r9')), '1');
  assert.equal(textOf(await call('x', 'look')), '2');
  assert.equal(textOf(await call('y', 'look')), '1');
  const ctx = seen[0]!;
  assert.deepEqual(
    [ctx.requestId, ctx.toolUseId, ctx.progressToken, ctx.clientInfo, ctx.conversation],
    ['r9', 'toolu_1', 0, { name: 'claude-code', version: '2' }, { id: 'c1', cwd: '/work' }],
  );
  assert.ok(logged.includes('[x/look] {"odd":true}'));
});

test('progress reaches the card and the client, also from a generator, and ends with the call', async () => {
  const steps: unknown[] = [];
  const sent: unknown[] = [];
  let kept: ToolContext | undefined;
  const tool = simpleTool('steps', async function* (_, ctx) {
    kept = ctx;
    yield 'first';
    yield { done: 2, total: 3, message: 'second' };
    await Promise.resolve();
    return 'end';
  });
  const { send } = createBench([serverWith('x', tool)], {
    onProgress: ({ done, total, message }) => steps.push([done, total, message]),
    notify: (server, message) => sent.push([server, message]),
  });
  const params = { name: 'steps', _meta: { progressToken: 7 } };
  assert.equal(textOf(await send('x', request(1, 'tools/call', params))), 'end');
  kept?.progress(9);
  assert.deepEqual(steps, [
    [1, undefined, 'first'],
    [2, 3, 'second'],
  ]);
  assert.equal(sent.length, 2);
  assert.deepEqual(JSON.parse(JSON.stringify(sent[1])), [
    'x',
    {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 7, progress: 2, total: 3, message: 'second' },
    },
  ]);
});

test('a report that is none is not told, and one that is keeps what can be told of it', async () => {
  const told: unknown[] = [];
  const odd: readonly unknown[][] = [['x'], [5n], [Number.NaN], [undefined], [{}], []];
  const tool = simpleTool('steps', (_, ctx) => {
    // From plain JavaScript anything may come.
    const progress = ctx.progress as (...args: unknown[]) => void;
    for (const args of odd) progress(...args);
    progress(1, Infinity, { not: 'a text' });
    progress(2, 3, 'end');
  });
  const { send, logged } = createBench([serverWith('x', tool)], {
    onProgress: ({ done, total, message }) => told.push([done, total, message]),
    notify: (_server, message) =>
      told.push(ownField(JSON.parse(JSON.stringify(message)), 'params')),
  });
  await send('x', request(1, 'tools/call', { name: 'steps', _meta: { progressToken: 7 } }));
  assert.deepEqual(told, [
    [1, undefined, undefined],
    { progressToken: 7, progress: 1 },
    [2, 3, 'end'],
    { progressToken: 7, progress: 2, total: 3, message: 'end' },
  ]);
  assert.deepEqual(logged, []);
});

test('a disposed router has stopped its calls and no longer listens to the registry', async () => {
  const { router, call, registry } = createBench([
    serverWith(
      'x',
      simpleTool('h', () => new Promise(() => undefined)),
    ),
  ]);
  const answer = call('x', 'h');
  router.dispose();
  assert.equal((await answer).result?.isError, true);
  registry.remove('x');
  assert.equal(router.openCalls, 0);
});
