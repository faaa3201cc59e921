import { InitializeResultSchema } from '@modelcontextprotocol/sdk/types.js';
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createDeferred, type Deferred } from '../../../src/base/deferred';
import { Emitter } from '../../../src/base/event';
import {
  createPeerServer,
  type ForeignNotice,
  type ForeignPeer,
} from '../../../src/mcp/peerServer';
import { listLogger } from '../../harness/fakeCli/cliHarness';
import { until } from './routerFixture';

const HANDS = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'x', version: '1' },
};

/** A server whose lists are answered by the test, one after the other or not. */
function heldPeer(initialize: object = HANDS) {
  const noticed = new Emitter<ForeignNotice>();
  const lists: Deferred<object>[] = [];
  const peer: ForeignPeer = {
    request: (method) => {
      if (method === 'initialize') return Promise.resolve(initialize);
      const list = createDeferred<object>();
      lists.push(list);
      return list.promise;
    },
    notify: () => undefined,
    onDidNotify: noticed.event,
    onDidClose: new Emitter<void>().event,
    dispose: () => undefined,
  };
  const changed = (): void => {
    noticed.fire({ method: 'notifications/tools/list_changed', params: undefined });
  };
  const logged: string[] = [];
  const offer = (more: object = {}) =>
    createPeerServer(peer, { name: 'far', log: listLogger(logged), ...more });
  return { lists, changed, offer, logged };
}

const listOf = (...names: string[]) => ({
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
});
/** A test in which time passes only where it lets it pass. */
function timed(title: string, body: () => Promise<void>): void {
  test(title, async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      await body();
    } finally {
      mock.timers.reset();
    }
  });
}
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
async function pass(ms: number): Promise<void> {
  await turns();
  mock.timers.tick(ms);
  await turns();
}

/** A server with the tool `old`, and what it tells of changes. */
async function offered(more: object = {}) {
  const held = heldPeer();
  const making = held.offer(more);
  await until(() => held.lists.length === 1);
  held.lists[0]?.resolve(listOf('old'));
  const server = await making;
  let told = 0;
  server.onDidChange(() => (told += 1));
  const names = () => server.allTools?.().map(({ name }) => name);
  return { ...held, server, names, told: () => told };
}

timed(
  'However many changes come while a list is asked for, it is asked for once more, and the newest stays',
  async () => {
    const { lists, changed, names, told } = await offered();
    for (let i = 0; i < 5; i += 1) changed();
    await until(() => lists.length === 2);
    for (let i = 0; i < 5; i += 1) changed();
    await turns();
    assert.equal(lists.length, 2, 'one at a time');
    lists[1]?.resolve(listOf('middle'));
    await pass(1_000);
    assert.equal(lists.length, 3);
    lists[2]?.resolve(listOf('newest'));
    await until(() => told() === 2);
    await pass(1_000);
    assert.deepEqual([lists.length, names()], [3, ['newest']]);
    changed();
    await until(() => lists.length === 4);
    lists[3]?.resolve(listOf('later'));
    await until(() => told() === 3);
    assert.deepEqual(names(), ['later']);
  },
);

timed(
  'A change while the first list is on its way is not lost, and does not hold the start',
  async () => {
    const { lists, changed, offer } = heldPeer();
    const making = offer();
    await until(() => lists.length === 1);
    changed();
    changed();
    lists[0]?.resolve(listOf('old'));
    const server = await making;
    await until(() => lists.length === 2);
    lists[1]?.resolve(listOf('new'));
    await until(() => server.allTools?.()[0]?.name === 'new');
  },
);

timed('A server without tools is not asked for them, whatever it tells of', async () => {
  const { lists, changed, offer, logged } = heldPeer({ ...HANDS, capabilities: {} });
  const server = await offer();
  let told = 0;
  server.onDidChange(() => (told += 1));
  changed();
  await pass(1_000);
  assert.deepEqual([lists, server.allTools?.(), logged, told], [[], [], [], 0]);
});

timed(
  'A list that fails, or never comes, keeps the old one and stands in the way of none that follows',
  async () => {
    const { lists, changed, names, logged } = await offered({ readyWithinMs: 50 });
    changed();
    await until(() => lists.length === 2);
    changed();
    lists[1]?.reject(new Error('not now'));
    await pass(1_000);
    assert.equal(lists.length, 3);
    changed();
    await pass(50);
    await pass(1_000);
    assert.equal(lists.length, 4);
    assert.deepEqual(names(), ['old']);
    lists[3]?.resolve(listOf('new'));
    await until(() => names()?.[0] === 'new');
    lists[2]?.resolve(listOf('too late'));
    await turns();
    assert.deepEqual(names(), ['new']);
    assert.match(
      logged.join('\n'),
      /far could not be listed: not now\n.*did not list its tools within/,
    );
  },
);

timed(
  'A server that tells of a change with each list is asked about once a second, and the agent is told of what differs',
  async () => {
    const { lists, changed, names, told, server } = await offered();
    const answer = async (...tools: string[]) => {
      changed();
      changed();
      lists.at(-1)?.resolve(listOf(...tools));
      await turns();
    };
    changed();
    await until(() => lists.length === 2);
    for (let second = 0; second < 10; second += 1) {
      await answer('old');
      assert.equal(lists.length, 2 + second);
      await pass(999);
      assert.equal(lists.length, 2 + second, 'not before a second is over');
      await pass(1);
      assert.equal(lists.length, 3 + second);
    }
    assert.deepEqual([told(), names()], [0, ['old']], 'nothing has changed');
    await answer('old', 'new');
    assert.deepEqual([told(), names()], [1, ['old', 'new']]);
    server.dispose();
    await pass(10_000);
    assert.equal(lists.length, 12, 'one that is gone is not asked');
  },
);

test('Whatever a server answers to initialize, it is refused with what to do, or the CLI can take it', async () => {
  const odd = [undefined, null, 5, true, 'x', [], {}];
  const { capabilities, serverInfo } = HANDS;
  const answers: object[] = odd.flatMap((value) => [
    { ...HANDS, protocolVersion: value },
    { ...HANDS, instructions: value },
    { ...HANDS, serverInfo: value },
    { ...HANDS, capabilities: value },
    ...['name', 'version', 'title', 'icons', 'websiteUrl', 'description'].map((key) => ({
      ...HANDS,
      serverInfo: { ...serverInfo, [key]: value },
    })),
    ...['tools', 'resources', 'prompts', 'logging', 'completions', 'experimental', 'tasks'].flatMap(
      (key) => [
        { ...HANDS, capabilities: { [key]: value } },
        {
          ...HANDS,
          capabilities: { [key]: { listChanged: value, subscribe: value, list: value } },
        },
      ],
    ),
  ]);
  answers.push({ capabilities, serverInfo: {} }, { ...HANDS, protocolVersion: '2099-01-01' });
  let refused = 0;
  for (const answer of answers) {
    const held = heldPeer({ ...answer });
    const making = held.offer();
    void until(() => held.lists.length === 1).then(
      () => held.lists[0]?.resolve(listOf()),
      () => undefined,
    );
    const seen = JSON.stringify(answer);
    try {
      const given: unknown = (await making).manifest?.()?.initializeResult;
      const { success } = InitializeResultSchema.safeParse(given);
      assert.ok(success, `${seen} became ${JSON.stringify(given)}`);
    } catch (error) {
      assert.match(String(error), /it needs the objects|has to speak one of/, seen);
      refused += 1;
    }
  }
  assert.ok(refused > 0 && refused < 20, `${refused} of ${answers.length}`);
});

test('What a handshake lacks is filled in, and the log says what the server has to answer', async () => {
  const shown = async (answer: object) => {
    const { offer, lists, logged } = heldPeer(answer);
    const making = offer();
    void until(() => lists.length === 1).then(() => lists[0]?.resolve(listOf()));
    return [(await making).manifest?.()?.initializeResult, logged] as const;
  };
  const [filled, logged] = await shown({ capabilities: { tools: true }, serverInfo: {} });
  assert.deepEqual(filled, {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'far', version: '' },
  });
  assert.match(
    logged.join(),
    /lacks a text in protocolVersion, serverInfo\.name, serverInfo\.version/,
  );
  const [numbered] = await shown({ ...HANDS, serverInfo: { name: 'x', version: 5 } });
  assert.deepEqual(numbered?.serverInfo, { name: 'x', version: '5' });
  const [right, nothing] = await shown(HANDS);
  assert.deepEqual([right, nothing], [HANDS, []]);
});
