import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { toDisposable } from '../../../src/base/disposable';
import { Emitter, type Event } from '../../../src/base/event';
import { type Logger, silentLogger } from '../../../src/base/logger';
import type { ExternalServer } from '../../../src/cli/collectServers';
import { type ServersOptions, openServers } from '../../../src/host/conversationServers';
import type { ConversationServer } from '../../../src/host/patchbayApi';
import { defineTool } from '../../../src/mcp/defineTool';
import type { ListKind } from '../../../src/mcp/listKind';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createRouter } from '../../../src/mcp/router';
import { type OfferedServers, SwitchedServers } from '../../../src/mcp/switchedServers';
import { ToolSwitches } from '../../../src/mcp/toolSwitches';

/** The servers of a window, `own` and one of others, and how often they are listened to. */
function window(log: Logger = silentLogger) {
  const all = new ServerRegistry();
  const switches = new ToolSwitches();
  const switched = new SwitchedServers(all, switches);
  const listeners = { count: 0 };
  const counted =
    <T>(event: Event<T>): Event<T> =>
    (listener) => {
      listeners.count += 1;
      const listening = event(listener);
      return toDisposable(() => {
        listeners.count -= 1;
        listening.dispose();
      });
    };
  const registry: OfferedServers = {
    find: (name) => switched.find(name),
    get: (name) => switched.get(name),
    all: () => switched.all(),
    list: () => switched.list(),
    onDidChange: counted(switched.onDidChange),
  };
  all.add({
    ...{ kind: 'foreign', name: 'theirs', version: '1' },
    onDidChange: counted(new Emitter<ListKind>().event),
    open: () => assert.fail('nobody calls it'),
  });
  const collect = (): Promise<ExternalServer[]> => Promise.resolve([]);
  const open = (
    mcpServers: Readonly<Record<string, ConversationServer>> = {},
    more: Partial<ServersOptions> = {},
  ) => {
    const external = { collect, onDidChange: new Emitter<void>().event };
    const base = { registry, log, externalServers: external, hostEnvironment: {} };
    return openServers(base, { source: 'acme.x', cwd: '/w', mcpServers, ...more });
  };
  return { all, switches, open, listeners, own: all.add(server('own')) };
}

function server(name: string, run: () => unknown = () => 'RAN') {
  const made = createServer({ name });
  made.registerTool(defineTool({ name: 'go', description: 'x', input: {}, run }));
  return made;
}

function ofSdk() {
  const made = new McpServer({ name: 'x', version: '1' });
  made.registerTool('ping', {}, () => ({ content: [{ type: 'text', text: 'pong' }] }));
  return made;
}

const namesOf = (registry: Pick<ServerRegistry, 'all'>): string[] =>
  registry.all().flatMap(({ name }) => (name === 'theirs' ? [] : [name]));

test('A conversation has the servers of the window as they come and go, and its own beside them', async () => {
  const { all, switches, open, own } = window();
  const mine = ofSdk();
  const opened = await open({ mine: { server: mine } });
  const { registry } = opened;
  const told: string[] = [];
  registry.onDidChange(({ kind, server: name }) => told.push(`${kind} ${name}`));
  const names = () => namesOf(registry);
  assert.deepEqual(names(), ['own', 'mine']);
  switches.switchServer('own', false);
  assert.deepEqual(names(), ['mine']);
  switches.switchServer('own', true);
  assert.deepEqual(names(), ['mine', 'own']);
  const later = server('later');
  all.add(later);
  assert.deepEqual(names(), ['mine', 'own', 'later']);
  later.stop();
  own.dispose();
  assert.deepEqual(names(), ['mine']);
  all.add(server('own'));
  assert.equal(registry.find('own'), all.find('own'), 'the new one');
  assert.deepEqual(told, [
    'removed own',
    'added own',
    'added later',
    'removed later',
    'removed own',
    'added own',
  ]);
  assert.ok(mine.isConnected());
  opened.dispose();
  assert.ok(!mine.isConnected());
});

test('A server that is switched off or taken away in the window runs nothing more, and what runs on it ends', async () => {
  const { all, switches, open } = window();
  const never = createDeferred<string>();
  const slow = all.add(server('slow', () => never.promise));
  const { registry } = await open();
  const router = createRouter({
    registry,
    log: silentLogger,
    conversation: { id: 'c', cwd: '/' },
  });
  let calls = 0;
  const call = async (name: string): Promise<string> => {
    const params = { name: 'go', arguments: {} };
    const frame = { jsonrpc: '2.0', id: (calls += 1), method: 'tools/call', params };
    return JSON.stringify(await router.route(name, frame, { requestId: String(calls) }));
  };
  assert.match(await call('own'), /RAN/);
  switches.switchServer('own', false);
  assert.doesNotMatch(await call('own'), /RAN/);
  switches.switchServer('own', true);
  assert.match(await call('own'), /RAN/);
  const running = call('slow');
  await new Promise(setImmediate);
  slow.dispose();
  assert.match(await running, /taken away/);
  assert.match(await call('slow'), /error/);
});

test('A name that the conversation gave away stays that of its own server', async () => {
  const lines: string[] = [];
  const { all, open } = window({ ...silentLogger, warn: (line) => void lines.push(line) });
  const { registry } = await open({ mine: { server: ofSdk() } });
  const mine = registry.find('mine');
  const other = all.add(server('mine'));
  assert.equal(registry.find('mine'), mine);
  assert.match(lines.join(), /mine/);
  other.dispose();
  assert.equal(registry.find('mine'), mine);
});

test('When it is over nobody listens to the window any more, nor does what comes there reach it', async () => {
  const { all, open, listeners } = window();
  const before = listeners.count;
  const opened = await open();
  assert.ok(listeners.count > before);
  opened.dispose();
  all.add(server('later'));
  assert.deepEqual([namesOf(opened.registry), listeners.count], [[], before]);
});

test('A server of the extension that goes away by itself is taken from its conversation', async () => {
  const { open } = window();
  const mine = ofSdk();
  const { registry } = await open({ mine: { server: mine } });
  await mine.close();
  assert.deepEqual(namesOf(registry), ['own']);
});

test('Those to connect to are read as the settings are', async () => {
  const { open } = window();
  const { external } = await open({ a: { command: 'x' }, b: { type: 'http', url: 'http://h' } });
  assert.deepEqual(
    external.map(({ name, entry }) => [name, entry?.type]),
    [
      ['a', 'stdio'],
      ['b', 'http'],
    ],
  );
});

/** What may come behind the first server, and be wrong. */
const wrong: readonly (readonly [string, string, ConversationServer, RegExp])[] = [
  ['an entry that is none', 'b', { command: '' }, /mcpServers\.b: command must be a text/],
  ['a name that is taken', 'own', { command: 'x' }, /mcpServers\.own: another server/],
  ['a name that is not legal', 'a b', { server: ofSdk() }, /may only have letters/],
  ['a name that the window has', 'own', { server: ofSdk() }, /would both be offered as 'own'/],
  [
    'a server that does not connect',
    'b',
    { server: { connect: () => Promise.reject(new Error('not today')) } },
    /not today/,
  ],
  [
    'a server that speaks something else',
    'b',
    { server: { connect: (transport) => answering(transport, { result: {} }) } },
    /not one of an MCP server/,
  ],
];

/** Answers each request so. */
function answering(transport: never, answer: object): Promise<void> {
  // As much of the SDK's interface as a server needs.
  const wire = transport as {
    onmessage?: (message: { readonly id?: number }) => void;
    send(message: object): Promise<void>;
  };
  wire.onmessage = ({ id }) => void wire.send({ jsonrpc: '2.0', id, ...answer });
  return Promise.resolve();
}

for (const [title, name, second, reason] of wrong) {
  test(`A start that fails at ${title} leaves nothing connected, so that it can be tried again`, async () => {
    const { open, listeners } = window();
    const first = ofSdk();
    const before = listeners.count;
    for (let time = 0; time < 2; time += 1) {
      await assert.rejects(open({ first: { server: first }, [name]: second }), reason);
      assert.ok(!first.isConnected());
      if ('server' in second && second.server instanceof McpServer) {
        assert.ok(!second.server.isConnected());
      }
      assert.equal(listeners.count, before);
    }
    const opened = await open({ first: { server: first } });
    assert.ok(first.isConnected());
    opened.dispose();
  });
}

test('A server that throws as it is disconnected hides no other error, and keeps no other connected', async () => {
  const lines: string[] = [];
  const warn = (line: string): void => {
    if (line.includes('could not be let go of')) lines.push(line);
  };
  const { open } = window({ ...silentLogger, warn });
  const throws = ofSdk();
  throws.server.onclose = () => {
    throw new Error('not so fast');
  };
  const [first, last] = [ofSdk(), ofSdk()];
  const servers = { first: { server: first }, throws: { server: throws }, last: { server: last } };
  await assert.rejects(open({ ...servers, b: { command: '' } }), /mcpServers\.b/);
  assert.deepEqual([first.isConnected(), last.isConnected(), lines.length], [false, false, 1]);
  const opened = await open(servers);
  opened.dispose();
  assert.deepEqual([first.isConnected(), last.isConnected(), lines.length], [false, false, 2]);
});

test('A signal that fires ends the start at once, wherever it is, and leaves nothing connected', async () => {
  const { open } = window();
  const connecting = createDeferred<undefined>();
  const late = ofSdk();
  const never = new Promise<never>(() => undefined);
  const steps: Readonly<Record<string, Readonly<Record<string, ConversationServer>>>> = {
    connect: {
      late: {
        server: {
          connect: async (transport) => {
            await connecting.promise;
            await late.connect(transport);
          },
        },
      },
    },
    handshake: { mute: { server: { connect: () => Promise.resolve() } } },
  };
  for (const [step, servers] of Object.entries(steps)) {
    const stop = new AbortController();
    const first = ofSdk();
    const opening = open({ first: { server: first }, ...servers }, { signal: stop.signal });
    await new Promise(setImmediate);
    assert.ok(first.isConnected(), step);
    stop.abort(new Error(`stopped at ${step}`));
    await assert.rejects(opening, new RegExp(`stopped at ${step}`));
    assert.ok(!first.isConnected(), step);
  }
  connecting.resolve(undefined);
  await new Promise(setImmediate);
  assert.ok(!late.isConnected(), 'what connects later is let go of');
  const stop = new AbortController();
  const collecting = openServers(
    {
      ...{ registry: new ServerRegistry(), log: silentLogger, hostEnvironment: {} },
      externalServers: { collect: () => never, onDidChange: new Emitter<void>().event },
    },
    { source: 'x', cwd: '/w', mcpServers: { a: { command: 'x' } }, signal: stop.signal },
  );
  stop.abort(new Error('enough'));
  await assert.rejects(collecting, /enough/);
  const gone = { signal: AbortSignal.abort(new Error('gone')) };
  const untouched = { server: { connect: () => assert.fail('not connected to') } };
  await assert.rejects(open({ untouched }, gone), /gone/);
});

test('Whatever stands in mcpServers, what cannot be used is named, and nothing stays connected', async () => {
  const { open } = window();
  const odd: readonly unknown[] = [
    ...[null, undefined, 5, 'x', [], {}],
    ...[{ server: null }, { server: 5 }, { server: {} }],
    // It would be connected to by nobody.
    { command: 'x', runIn: 'editor' },
    { server: { connect: () => Promise.reject(new Error('no')) } },
    {
      server: {
        connect: () => {
          throw new Error('no');
        },
      },
    },
  ];
  for (const given of odd) {
    const first = ofSdk();
    // As plain JavaScript may give it.
    const servers = { first: { server: first }, odd: given as ConversationServer };
    await assert.rejects(open(servers), /^Error: mcpServers\.odd: ./, JSON.stringify(given));
    assert.equal(first.isConnected(), false);
  }
  const named = { 'a b': { server: ofSdk() } };
  await assert.rejects(open(named), /^Error: mcpServers\.a b: .*a b/);
  for (const all of [null, 5, 'x', []] as unknown[]) {
    await assert.rejects(
      open(all as Record<string, ConversationServer>),
      /mcpServers must be an object/,
    );
  }
});
