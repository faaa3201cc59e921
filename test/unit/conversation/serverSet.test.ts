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

/** A CLI that answers each set as it is told to. */
function world(external: readonly ExternalServer[] = []) {
  const registry = new ServerRegistry();
  const changed = new Emitter<void>();
  const sent: string[] = [];
  const warned: string[] = [];
  const state = { fault: undefined as Error | undefined, external };
  const request = (subtype: string, body: { readonly servers?: object }): Promise<object> => {
    if (subtype !== 'mcp_set_servers') return Promise.resolve({});
    sent.push(Object.keys(body.servers ?? {}).join());
    return state.fault ? Promise.reject(state.fault) : Promise.resolve({ errors: {} });
  };
  const wire = new WireSeat();
  const set = new ServerSet({
    // As much of both as is asked for here.
    ports: {
      registry,
      log: silentLogger,
      externalServers: {
        collect: () => Promise.resolve(state.external),
        onDidChange: changed.event,
      },
    } as unknown as ConversationPorts,
    session: { request } as unknown as CliSession,
    ...{ env: {}, declared: [], external, inFile: true, wire },
    warn: (text) => warned.push(text),
  });
  return { registry, changed, sent, warned, set, state, wire };
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
  state.external = [{ ...zap, secrets: ['zebra-zebra'] }];
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
