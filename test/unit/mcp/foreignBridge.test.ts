import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as z from 'zod';
import { createDeferred } from '../../../src/base/deferred';
import type { Logger } from '../../../src/base/logger';
import {
  type BridgeTransport,
  type Connectable,
  ForeignBridge,
} from '../../../src/mcp/foreignBridge';
import { createPeerServer } from '../../../src/mcp/peerServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createRouter, type RouterOptions } from '../../../src/mcp/router';
import { isRecord } from '../../../src/mcp/wire';
import { listLogger } from '../../harness/fakeCli/cliHarness';
import { inRoot } from '../../harness/paths';
import type { Answer } from './routerFixture';

const lines: string[] = [];
const log: Logger = listLogger(lines);

async function offer(server: Connectable, name = 'theirs') {
  const bridge = await ForeignBridge.connect(server);
  return createPeerServer(bridge, { name, source: 'test', log, readyWithinMs: 5000 });
}

/** A conversation: its router, and what it would send to the CLI. */
function conversation(registry: ServerRegistry, more: Partial<RouterOptions> = {}) {
  const told: unknown[] = [];
  const router = createRouter({
    registry,
    log,
    conversation: { id: 'c', cwd: '/w' },
    notify: (_server, message) => told.push(message),
    ...more,
  });
  let count = 0;
  const send = async (method: string, params?: object, id = 1, requestId?: string) =>
    (await router.route(
      'theirs',
      { jsonrpc: '2.0', id, method, params },
      { requestId: requestId ?? `r${(count += 1)}` },
    )) as unknown as Answer;
  const call = (name: string, args: object = {}, id = 1, requestId?: string) =>
    send('tools/call', { name, arguments: args, _meta: { progressToken: id } }, id, requestId);
  return { router, told, send, call };
}

const textOf = (answer: Answer): string => answer.result?.content?.[0]?.text ?? '';

/** A server of the official SDK, with one of each kind. */
function sdkServer() {
  const server = new McpServer(
    { name: 'its-own-name', version: '3.2.1' },
    { instructions: 'Be kind.' },
  );
  const hint = { annotations: { readOnlyHint: true, destructiveHint: false, title: 'Say' } };
  server.registerTool(
    'say.it',
    { description: 'Says it', inputSchema: { text: z.string() }, ...hint },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  const waits = createDeferred<string>();
  server.registerTool(
    'wait',
    { description: 'Waits' },
    async ({ signal, sendNotification, _meta }) => {
      await sendNotification({
        method: 'notifications/progress',
        params: {
          progressToken: _meta?.progressToken ?? -1,
          progress: 1,
          total: 2,
          message: 'half',
        },
      });
      await new Promise((resolve) => {
        // The cancellation may have come before the notification was sent.
        if (signal.aborted) resolve(undefined);
        signal.addEventListener('abort', resolve);
      });
      waits.resolve(String(signal.reason));
      return { content: [] };
    },
  );
  server.registerTool('ask', { description: 'Asks' }, async () => {
    const answer = await server.server.elicitInput({
      message: 'How old?',
      requestedSchema: { type: 'object', properties: { age: { type: 'number' } } },
    });
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
  });
  server.registerResource('one', 'note://one', {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'first' }],
  }));
  server.registerResource(
    'any',
    new ResourceTemplate('note://{n}', { list: undefined }),
    {},
    (uri) => ({
      contents: [{ uri: uri.href, text: 'any' }],
    }),
  );
  server.registerPrompt('hello', { argsSchema: { name: z.string() } }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
  }));
  return { server, aborted: waits.promise };
}

test('A server of the SDK is offered with all that it has, by its own names and errors', async () => {
  const registry = new ServerRegistry();
  const peer = await offer(sdkServer().server);
  registry.add(peer);
  const { send, call } = conversation(registry);
  const manifest = peer.manifest?.();
  const hello = await send('initialize', { protocolVersion: '2025-11-25' });
  const known: readonly unknown[] = [manifest?.initializeResult, manifest?.toolsListResult];
  assert.deepEqual(hello.result, known[0]);
  assert.deepEqual(hello.result?.serverInfo, { name: 'its-own-name', version: '3.2.1' });
  assert.equal(hello.result.instructions, 'Be kind.');
  const list = (await send('tools/list')).result;
  assert.deepEqual(list, known[1]);
  const tools = Array.isArray(list?.tools) ? (list.tools as unknown[]) : [];
  const say = tools.find((tool) => isRecord(tool) && tool.name === 'say.it');
  assert.ok(isRecord(say));
  assert.deepEqual(say.annotations, { title: 'Say', destructiveHint: false }, 'no readOnlyHint');
  assert.deepEqual(say.inputSchema, {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  });
  assert.equal(textOf(await call('say.it', { text: 'north ⁂' }, 0)), 'north ⁂');
  const bad = await call('say.it', { text: 7 });
  assert.equal(bad.result?.isError, true);
  assert.match(textOf(bad), /Input validation error/);
  const read = await send('resources/read', { uri: 'note://one' });
  assert.deepEqual(read.result?.contents, [{ uri: 'note://one', text: 'first' }]);
  assert.equal((await send('resources/read', { uri: 'odd://x' })).error?.code, -32602);
  const prompt = await send('prompts/get', { name: 'hello', arguments: { name: 'Ann' } });
  assert.match(JSON.stringify(prompt.result), /Greet Ann/);
  assert.equal((await send('no/such')).error?.code, -32601);
});

test('Calls of two conversations with equal ids overlap and get each their own answer (M11)', async () => {
  const registry = new ServerRegistry();
  registry.add(await offer(sdkServer().server));
  const one = conversation(registry);
  const two = conversation(registry);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => [one, two][n % 2]!.call('say.it', { text: `t${n}` }, 1)),
  );
  assert.deepEqual(
    answers.map((answer) => [answer.id, textOf(answer)]),
    Array.from({ length: 20 }, (_, n) => [1, `t${n}`]),
  );
});

test('Progress reaches the card, a cancellation the handler, and neither another conversation', async () => {
  const { server, aborted } = sdkServer();
  const registry = new ServerRegistry();
  registry.add(await offer(server));
  const steps: unknown[] = [];
  const seen = createDeferred<unknown>();
  const one = conversation(registry, {
    onProgress: ({ done, total, message }) => {
      steps.push([done, total, message]);
      seen.resolve(undefined);
    },
  });
  const two = conversation(registry);
  const running = one.call('wait', {}, 7);
  await seen.promise;
  assert.deepEqual(steps, [[1, 2, 'half']]);
  await one.router.route(
    'theirs',
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'Stop' } },
    { requestId: 'x' },
  );
  assert.match(textOf(await running), /Cancelled: Stop/);
  assert.match(await aborted, /Stop/);
  assert.deepEqual(two.told, []);
  assert.equal(one.router.openCalls, 0);
});

test('What a server asks while it serves a call is asked of the person, and refused where nobody is', async () => {
  const registry = new ServerRegistry();
  registry.add(await offer(sdkServer().server));
  const asked: unknown[] = [];
  const { call } = conversation(registry, {
    ask: ({ message, schema }) => {
      asked.push([message, schema.properties]);
      return Promise.resolve({ action: 'accept', content: { age: 7 } });
    },
  });
  assert.deepEqual(JSON.parse(textOf(await call('ask'))), {
    action: 'accept',
    content: { age: 7 },
  });
  assert.deepEqual(asked, [['How old?', { age: { type: 'number' } }]]);
  const answer = await conversation(registry).call('ask');
  assert.equal(answer.result?.isError, true);
});

test('A question that a server takes back is closed, and its call goes on with its clock', async () => {
  const server = new McpServer({ name: 'theirs', version: '1' });
  server.registerTool('ask', { description: 'Asks' }, async ({ signal }) => {
    const form = { type: 'object' as const, properties: { a: { type: 'string' as const } } };
    const options = { timeout: 1 };
    const asked = server.server.elicitInput({ message: '?', requestedSchema: form }, options);
    await assert.rejects(asked, /timed out/);
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    return { content: [] };
  });
  const registry = new ServerRegistry();
  const bridge = await ForeignBridge.connect(server);
  registry.add(await createPeerServer(bridge, { name: 'theirs', log, timeout: 50 }));
  const withdrawn = createDeferred<'cancel'>();
  const { call, told } = conversation(registry, {
    ask: async ({ signal }) => {
      signal.addEventListener('abort', () => {
        withdrawn.resolve('cancel');
      });
      return { action: await withdrawn.promise };
    },
  });
  const answer = await call('ask');
  assert.equal(await withdrawn.promise, 'cancel');
  assert.match(textOf(answer), /did not finish within 0.05 s/);
  assert.deepEqual(told, [], 'it is no news for the CLI');
});

test('A tool that comes later is told to each conversation and can be called', async () => {
  const { server } = sdkServer();
  const registry = new ServerRegistry();
  registry.add(await offer(server));
  const changed = createDeferred<object>();
  const one = conversation(registry, { notify: (_server, message) => changed.resolve(message) });
  await one.send('tools/list');
  server.registerTool('late', {}, () => ({ content: [{ type: 'text', text: 'here' }] }));
  const method = 'notifications/tools/list_changed';
  assert.deepEqual(await changed.promise, { jsonrpc: '2.0', method });
  assert.match(JSON.stringify((await one.send('tools/list')).result), /"late"/);
  assert.equal(textOf(await one.call('late')), 'here');
});

test('Disposing of the bridge disconnects the server, which is not closed and can be connected again', async () => {
  const { server } = sdkServer();
  let closed = 0;
  server.close = () => Promise.resolve(void (closed += 1));
  const registry = new ServerRegistry();
  const peer = await offer(server);
  registry.add(peer);
  const one = conversation(registry);
  const running = one.call('wait');
  registry.remove('theirs');
  assert.match(textOf(await running), /taken away/);
  peer.dispose();
  peer.dispose();
  assert.deepEqual([closed, server.isConnected()], [0, false]);
  assert.match((await one.call('say.it', { text: 'x' })).error?.message ?? '', /not found/);
  registry.add(await offer(server));
  assert.equal(textOf(await one.call('say.it', { text: 'again' })), 'again');
});

test('A server that goes away by itself answers what was open and what comes', async () => {
  const { server } = sdkServer();
  const peer = await offer(server);
  const registry = new ServerRegistry();
  registry.add(peer);
  let gone = 0;
  peer.onDidClose(() => (gone += 1));
  const one = conversation(registry);
  const running = one.call('wait');
  await new Promise(setImmediate);
  await server.close();
  assert.match((await running).error?.message ?? '', /has disconnected/);
  assert.match((await one.call('wait')).error?.message ?? '', /has disconnected/);
  assert.equal(gone, 1);
});

for (const by of ['us', 'the server'] as const) {
  test(`Nothing reaches a server after ${by} has closed the connection`, async () => {
    const received: unknown[] = [];
    let theirs: BridgeTransport | undefined;
    const bridge = await ForeignBridge.connect({
      connect: (transport) => {
        theirs = transport;
        transport.onmessage = (message) => void received.push(message);
        return Promise.resolve();
      },
    });
    bridge.notify('notifications/before');
    if (by === 'us') bridge.dispose();
    else await theirs?.close();
    bridge.notify('notifications/after');
    await assert.rejects(bridge.request('tools/list', {}), /has disconnected/);
    await theirs?.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await new Promise(setImmediate);
    assert.deepEqual(received, [{ jsonrpc: '2.0', method: 'notifications/before' }]);
  });
}

/** Anything with `connect(transport)`: answers by a table of results. */
function plainServer(results: Readonly<Record<string, unknown>>): Connectable {
  return {
    connect: async (transport: BridgeTransport) => {
      await transport.start();
      const receive = ({ id, method }: { id?: number; method: string }): void => {
        if (id === undefined || results[method] === undefined) return;
        void transport.send({ jsonrpc: '2.0', id, result: results[method] });
      };
      // The transport is the SDK's as far as both sides need it.
      transport.onmessage = receive;
    },
  };
}
const hands = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'x', version: '1' },
};

test('Of a list with bad tools the good ones are offered, the others are named in the log (S01)', async () => {
  const schema = { type: 'object' };
  const circular: Record<string, unknown> = { type: 'object' };
  circular.properties = { circular };
  const good = { name: 'a.b', inputSchema: schema };
  const tools = [
    ...[
      good,
      { name: 'a_b', inputSchema: schema },
      null,
      'x',
      {},
      { name: '', inputSchema: schema },
    ],
    ...[{ name: 'none' }, { name: 'array', inputSchema: { type: 'array' } }],
    ...[
      { name: 'circular', inputSchema: circular },
      { name: 'x'.repeat(120), inputSchema: schema },
    ],
    { name: 'odd', inputSchema: schema, description: 7, annotations: 'x', _meta: 'x' },
    { name: 'constructor', inputSchema: schema, annotations: { readOnlyHint: 'yes' } },
  ];
  lines.length = 0;
  const peer = await offer(plainServer({ initialize: hands, 'tools/list': { tools } }));
  const names = peer.manifest?.()?.toolsListResult.tools.map(({ name }) => name);
  assert.deepEqual(names, ['a.b', 'odd', 'constructor']);
  assert.equal(lines.length, 9);
  assert.match(
    lines[0] ?? '',
    /The tool 'a_b' of the server theirs is left out: 'a\.b' is offered/,
  );
});

test('A tool whose schema the CLI makes fit is offered as it is, and one with a bad output schema without that', async () => {
  const choice = [{ properties: { a: { type: 'string' } }, required: ['a'] }, { required: ['b'] }];
  const schema = { type: 'object', properties: { b: { type: 'string' } } };
  const root = { type: 'object', $ref: '#/$defs/N', $defs: { N: schema } };
  const inputs: Readonly<Record<string, object>> = {
    oneOf: { ...schema, oneOf: choice },
    anyOf: { type: 'object', properties: {}, anyOf: choice },
    allOf: { ...schema, allOf: choice },
    ref: root,
  };
  const outputs: readonly unknown[] = [
    ...[{ type: 'string' }, { type: 'object', properties: 5 }, { $ref: '#/none' }, 'none', null],
    ...[
      { type: 'object', anyOf: choice },
      { type: 'object', default: () => 1 },
    ],
  ];
  const tools = [
    ...Object.entries(inputs).map(([name, inputSchema]) => ({ name, inputSchema })),
    ...outputs.map((outputSchema, n) => ({ name: `out${n}`, inputSchema: schema, outputSchema })),
    { name: 'good', inputSchema: schema, outputSchema: root },
    { name: 'bad', inputSchema: { ...schema, not: {} } },
  ];
  lines.length = 0;
  const peer = await offer(plainServer({ initialize: hands, 'tools/list': { tools } }));
  const offered = peer.manifest?.()?.toolsListResult.tools ?? [];
  assert.deepEqual(
    offered.map(({ name }) => name),
    tools.map(({ name }) => name).filter((name) => name !== 'bad'),
  );
  for (const { name, inputSchema, outputSchema } of offered) {
    const given = inputs[name] ?? schema;
    assert.deepEqual(inputSchema, name === 'ref' ? schema : given, name);
    assert.deepEqual(outputSchema, name === 'good' ? schema : undefined, name);
  }
  assert.ok(ListToolsResultSchema.safeParse({ tools: offered }).success);
  const told = lines.filter((line) => line.includes('without its output schema'));
  assert.equal(told.length, outputs.length, lines.join('\n'));
  assert.equal(lines.length, outputs.length + 1);
});

test('A server that never answers or answers nonsense is refused in time, with the reason', async () => {
  const short = async (server: Connectable) =>
    createPeerServer(await ForeignBridge.connect(server), { name: 'x', log, readyWithinMs: 50 });
  await assert.rejects(short(plainServer({})), /did not shake hands within 0\.05 s/);
  await assert.rejects(short(plainServer({ initialize: hands })), /did not shake hands/);
  await assert.rejects(short(plainServer({ initialize: { a: 1 } })), /not one of an MCP server/);
  await assert.rejects(short(plainServer({ initialize: 7 })), /gave no result/);
  const throws = { connect: () => Promise.reject(new Error('no entry')) };
  await assert.rejects(short(throws), /no entry/);
  await assert.rejects(offer(sdkServer().server, 'my server'), /may only have/);
  const endless = plainServer({ initialize: hands, 'tools/list': { tools: [], nextCursor: 'x' } });
  assert.deepEqual((await offer(endless)).manifest?.()?.toolsListResult.tools, []);
});

test('The bridge is one file of at most 175 lines', () => {
  const text = readFileSync(inRoot('src/mcp/foreignBridge.ts'), 'utf8');
  assert.ok(text.trimEnd().split('\n').length <= 175);
});
