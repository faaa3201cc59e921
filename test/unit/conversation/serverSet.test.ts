import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/logger';
import type { CliSession } from '../../../src/cli/cliSession';
import type { ExternalServer } from '../../../src/cli/collectServers';
import { ControlRequestError } from '../../../src/cli/outboundCalls';
import { WireSeat } from '../../../src/cli/wireSeat';
import type { ConversationPorts } from '../../../src/conversation/conversationPorts';
import { ServerSet } from '../../../src/conversation/serverSet';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';

const zap: ExternalServer = {
  ...{ name: 'zap', source: 'setting', state: 'on' },
  entry: { type: 'http', url: 'https://mcp.test/swordfish-1/mcp' },
  secrets: ['swordfish-1'],
};

interface Body {
  readonly servers?: object;
  readonly server_name?: string;
}

/** A CLI that answers each set as it is told to. */
function world(external: readonly ExternalServer[] = []) {
  const registry = new ServerRegistry();
  const changed = new Emitter<void>();
  const sent: string[] = [];
  const warned: string[] = [];
  const state = {
    fault: undefined as Error | undefined,
    /** Undefined where they cannot be read. */
    external: Promise.resolve(external) as Promise<readonly ExternalServer[]> | undefined,
  };
  const listed: string[] = [];
  let has: readonly string[] = [];
  const request = (subtype: string, body: Body): Promise<object> => {
    if (subtype === 'mcp_message') listed.push(body.server_name ?? '');
    if (subtype !== 'mcp_set_servers') return Promise.resolve({});
    const names = Object.keys(body.servers ?? {});
    sent.push(names.join());
    if (state.fault) return Promise.reject(state.fault);
    const added = names.filter((name) => !has.includes(name));
    has = names;
    return Promise.resolve({ added, errors: {} });
  };
  const wire = new WireSeat();
  const set = new ServerSet({
    // As much of both as is asked for here.
    ports: {
      registry,
      log: silentLogger,
      externalServers: {
        collect: () => state.external ?? Promise.reject(new Error('keyring is locked')),
        onDidChange: changed.event,
      },
    } as unknown as ConversationPorts,
    session: { request } as unknown as CliSession,
    ...{ env: {}, declared: [], external, inFile: true, wire },
    warn: (text) => warned.push(text),
  });
  return { registry, changed, sent, listed, warned, set, state, wire };
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const faults = ['refused', 'timedOut'] as const;
for (const kind of faults) {
  test(`A set that was not taken (${kind}) is sent again the next time, and one that was is not`, async () => {
    const { registry, sent, warned, set, state } = world();
    await set.sync();
    assert.deepEqual(sent, [], 'it has what it was started with');
    state.fault = new ControlRequestError(kind, 'No');
    registry.add(createServer({ name: 'late' }));
    await moment();
    await set.sync();
    assert.deepEqual([sent, warned.length], [['late', 'late'], 1], 'told once');
    state.fault = undefined;
    await set.sync();
    await set.sync();
    assert.deepEqual(sent, ['late', 'late', 'late']);
  });
}

test('Also a set that is again what the CLI had before is sent after one that failed: nobody knows what it has', async () => {
  const { registry, sent, set, state } = world();
  await set.sync();
  state.fault = new ControlRequestError('timedOut', 'No answer');
  const late = registry.add(createServer({ name: 'late' }));
  await moment();
  state.fault = undefined;
  late.dispose();
  await moment();
  assert.deepEqual(sent, ['late', '']);
});

test('Whoever looks at the wire knows the secrets of its servers, also of those that come later', async () => {
  const { wire, set, state, changed } = world([zap]);
  assert.deepEqual([...wire.secrets], ['swordfish-1']);
  state.external = Promise.resolve([{ ...zap, secrets: ['zebra-zebra'] }]);
  changed.fire();
  await moment();
  await set.sync();
  assert.deepEqual([...wire.secrets], ['swordfish-1', 'zebra-zebra']);
});

test('No secret is in what is said of a set that failed', async () => {
  const { warned, state, set, registry } = world([zap]);
  state.fault = new ControlRequestError('refused', `cannot fetch ${String(zap.entry?.url)}`);
  registry.add(createServer({ name: 'late' }));
  await moment();
  await set.sync();
  assert.match(warned.join(), /cannot fetch https:\/\/mcp\.test\/•••\/mcp/);
});

/** Takes one away and brings another one of the same name in the same moment. */
const swap = (registry: ServerRegistry, version: string, ...beside: string[]): void => {
  registry.remove('x');
  for (const name of beside) registry.add(createServer({ name }));
  registry.add(createServer({ name: 'x', version }));
};

test('Of a server that another one replaces in one moment the CLI lists the tools anew, whatever else changes', async () => {
  const { registry, sent, listed, set } = world();
  registry.add(createServer({ name: 'x', version: '1.0.0' }));
  await moment();
  await set.sync();
  assert.deepEqual([sent, listed], [['x'], []], 'it shakes hands with what is new to it');
  for (const [version, ...beside] of [['1.0.0'], ['2.0.0'], ['2.0.0', 'y'], ['3.0.0', 'z']]) {
    listed.length = 0;
    swap(registry, version ?? '', ...beside);
    await moment();
    await set.sync();
    assert.deepEqual(listed, ['x'], version);
  }
  assert.deepEqual(sent, ['x', 'x', 'y,x', 'y,z,x']);
  listed.length = 0;
  registry.remove('x');
  registry.add(createServer({ name: 'x' }));
  registry.remove('x');
  await moment();
  await set.sync();
  assert.deepEqual(listed, [], 'one that has gone is not told of');
});

test('A server that was replaced while the CLI took no set is listed anew with the next one', async () => {
  const { registry, listed, set, state } = world();
  registry.add(createServer({ name: 'x', version: '1.0.0' }));
  await moment();
  await set.sync();
  state.fault = new ControlRequestError('timedOut', 'No answer');
  swap(registry, '2.0.0');
  await moment();
  await set.sync();
  assert.deepEqual(listed, []);
  state.fault = undefined;
  await set.sync();
  assert.deepEqual(listed, ['x']);
});

test('Where the servers of others cannot be read those of before stay, and our own go on', async () => {
  const { registry, sent, set, state } = world([zap]);
  await set.sync();
  state.external = undefined;
  registry.add(createServer({ name: 'late' }));
  await moment();
  await set.sync();
  assert.deepEqual([sent, set.externalNames], [['zap,late'], ['zap']]);
});
