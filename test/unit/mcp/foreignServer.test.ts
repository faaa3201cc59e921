import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event';
import type { CallQuestion } from '../../../src/mcp/callDesk';
import type { ForeignCall, ForeignHost, ForeignServer } from '../../../src/mcp/foreignServer';
import { RpcError } from '../../../src/mcp/jsonRpc';
import type { ListKind } from '../../../src/mcp/listKind';
import { manifestOf } from '../../../src/mcp/manifest';
import { withHandClock } from './handClock';
import { createBench, serverWith, textOf, until } from './routerFixture';

type Answer = (method: string, params: unknown, call: ForeignCall) => Promise<object>;

function foreign(request: Answer, extra: Partial<ForeignServer> = {}) {
  const changed = new Emitter<ListKind>();
  const log: string[] = [];
  let host: ForeignHost | undefined;
  const server: ForeignServer = {
    kind: 'foreign',
    name: 'far',
    version: '1',
    onDidChange: changed.event,
    open: (given) => {
      host = given;
      log.push('open');
      return {
        request,
        notify: (method) => log.push(method),
        dispose: () => log.push('dispose'),
      };
    },
    ...extra,
  };
  return { server, changed, log, host: () => host };
}

const frame = (id: unknown, method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

test('requests go on to it as they are, and its answers and errors come back under the client’s own id', async () => {
  const seen: unknown[] = [];
  const { server, log } = foreign(async (method, params) => {
    await Promise.resolve();
    seen.push([method, params]);
    if (method === 'no/such') throw new RpcError(-32601, 'not here');
    if (method === 'broken') throw new Error('secret');
    return { method };
  });
  const { send, registry } = createBench([]);
  registry.add(server);
  assert.deepEqual(await send('far', frame('7', 'tools/list', { cursor: 'c' })), {
    jsonrpc: '2.0',
    id: '7',
    result: { method: 'tools/list' },
  });
  assert.deepEqual((await send('far', frame(0, 'no/such'))).error, {
    code: -32601,
    message: 'not here',
  });
  assert.deepEqual((await send('far', frame(0, 'broken'))).error, {
    code: -32603,
    message: 'Internal error',
  });
  await send('far', { method: 'notifications/initialized' });
  assert.deepEqual(seen[0], ['tools/list', { cursor: 'c' }]);
  assert.deepEqual(log, ['open', 'notifications/initialized']);
  registry.remove('far');
  assert.deepEqual(log.at(-1), 'dispose');
});

test('its calls are asked about, cancelled by signal, and end with removal', async () => {
  const asked: CallQuestion[] = [];
  const calls: ForeignCall[] = [];
  const { server } = foreign((_method, _params, call) => {
    calls.push(call);
    return new Promise(() => undefined);
  });
  const { send, registry, router } = createBench([], {
    verdict: (question) => {
      asked.push(question);
      return question.tool === 'bad' ? { deny: 'Not that one' } : 'allow';
    },
  });
  registry.add(server);
  const call = (id: number, name: unknown) =>
    send('far', frame(id, 'tools/call', { name, arguments: { a: 1 } }), `r${id}`);
  const denied = await call(1, 'bad');
  assert.deepEqual([denied.result?.isError, textOf(denied)], [true, 'Not that one']);
  assert.equal((await call(2, undefined)).error?.code, -32602);
  const cancelled = call(3, 'go');
  await until(() => calls.length === 1);
  await send('far', { method: 'notifications/cancelled', params: { requestId: 3 } });
  assert.equal(textOf(await cancelled), 'Cancelled');
  assert.equal(calls[0]?.signal.aborted, true);
  const removed = call(4, 'go');
  await until(() => calls.length === 2);
  registry.remove('far');
  assert.match(textOf(await removed) ?? '', /was taken away/);
  assert.equal(calls[1]?.signal.aborted, true);
  assert.deepEqual(asked[0], {
    server: 'far',
    tool: 'bad',
    definition: undefined,
    input: { a: 1 },
    requestId: 'r1',
    toolUseId: undefined,
  });
  assert.equal(router.openCalls, 0);
});

test('a list that it never gives holds nobody for long, a call has its own time', async () => {
  const { server } = foreign(() => new Promise(() => undefined), { timeout: 90_000 });
  await withHandClock(async (tick) => {
    const { send, registry } = createBench([]);
    registry.add(server);
    const ended: string[] = [];
    const ask = (method: string, params: unknown) =>
      send('far', frame(1, method, params)).then((answer) => {
        ended.push(method);
        return answer;
      });
    const list = ask('tools/list', {});
    void ask('tools/call', { name: 'a' });
    const pass = async (ms: number): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await pass(20_000);
    assert.deepEqual(ended, ['tools/list']);
    assert.match((await list).error?.message ?? '', /^tools\/list did not finish within 20 s/);
    await pass(69_999);
    assert.equal(ended.length, 1);
    await pass(1);
    assert.equal(ended.length, 2);
  });
});

test('it tells of progress and of changed lists, and sends notifications of its own', async () => {
  const sent: string[] = [];
  const steps: unknown[] = [];
  const { server, changed, host } = foreign((_method, _params, { progress }) => {
    progress(1, 2, 'half');
    return Promise.resolve({ content: [] });
  });
  const { send, registry } = createBench([], {
    notify: (name, message) => sent.push(`${name} ${JSON.stringify(message)}`),
    onProgress: ({ tool, done }) => steps.push([tool, done]),
  });
  registry.add(server);
  await send('far', frame(1, 'tools/call', { name: 'a', _meta: { progressToken: 't' } }));
  assert.deepEqual(steps, [['a', 1]]);
  host()?.notify('notifications/resources/updated', { uri: 'a:b' });
  changed.fire('tools');
  changed.fire('tools');
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(sent, [
    'far {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":2,"message":"half"}}',
    'far {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}}',
    'far {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
  ]);
});

test('it stands beside ours in one registry, with the same rules for names', () => {
  const { server } = foreign(() => Promise.resolve({}), { source: 'extension B' });
  const own = serverWith('near');
  const { registry } = createBench([own]);
  const added = registry.add(server);
  assert.deepEqual(registry.all(), [own, server]);
  assert.deepEqual(registry.list(), [own]);
  assert.equal(registry.get('far'), undefined);
  assert.equal(registry.find('far'), server);
  assert.throws(() => registry.add(serverWith('far')), /'far' \(from extension B\) and 'far'/);
  assert.equal(manifestOf(server), undefined);
  added.dispose();
  assert.deepEqual(registry.all(), [own]);
});
