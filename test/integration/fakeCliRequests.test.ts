import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeferred } from '../../src/base/deferred';
import { withFakeCli } from '../harness/fakeCli/cliHarness';

const uuid = 'aaaaaaaa-0000-4000-8000-000000000001';
const prompt = { uuid, content: 'hello' };

const manifest = {
  initializeResult: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'editor', version: '1.0.0' },
  },
  toolsListResult: { tools: [] },
};

/** A router made small: it answers with the method it was asked for, and the id as it came. */
const echoRouter = {
  mcp_message: ({ server_name, message }: { server_name: string; message: unknown }) => {
    const { id, method } = message as { id?: unknown; method: string };
    return { mcp_response: { jsonrpc: '2.0', id: id ?? 0, result: { server_name, method } } };
  },
};

for (const wire of ['mcp_message', 'sdk_mcp_request'] as const) {
  for (const serverKey of ['server_name', 'serverName'] as const) {
    test(`The handshake works on the wire ${wire} with the key ${serverKey}`, () =>
      withFakeCli(
        { wire, serverKey, manifests: false },
        async ({ session, results, fake }) => {
          await session.initialize({ sdkMcpServers: ['editor'] });
          await session.sendPrompt(prompt);
          await results(1);
          const steps = await fake.records('handshake');
          assert.deepEqual(
            steps.map(({ method, response }) => [method, response.response?.mcp_response]),
            ['initialize', 'notifications/initialized', 'tools/list'].map((method, i) => [
              method,
              {
                jsonrpc: '2.0',
                id: [0, 0, 1][i],
                result: { server_name: 'editor', method },
              },
            ]),
          );
        },
        { handlers: echoRouter },
      ));
  }
}

test('With complete manifests no server is asked before the first turn', () =>
  withFakeCli(
    {},
    async ({ session, results, fake }) => {
      const answer = await session.initialize({
        sdkMcpServers: ['editor'],
        sdkMcpServerManifests: { editor: manifest },
      });
      assert.deepEqual(answer.sdk_mcp_manifests_parked, { editor: 'parked' });
      await session.sendPrompt(prompt);
      await results(1);
      assert.deepEqual(await fake.records('handshake'), []);
    },
    { handlers: echoRouter },
  ));

test('Two servers may use the same JSON-RPC id at once and be answered out of order (T08)', () => {
  const first = createDeferred<undefined>();
  const order: string[] = [];
  const message = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
  const ask = (id: string, server: string, rpcId: unknown) => ({
    id,
    ask: { subtype: 'mcp_message', server_name: server, message: message(rpcId) },
  });
  return withFakeCli(
    {
      atStart: [
        ask('r1', 'editor', 0),
        ask('r2', 'project', 0),
        ask('r3', 'project', '0'),
        ask('r4', 'project', ''),
        ask('r5', 'project', -1),
        {
          raw: '{"type":"control_request","request_id":"r6","request":{"subtype":"mcp_message","server_name":"project","message":{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call"}}}\n',
        },
        { answerTo: 'r5' },
        { result: {} },
      ],
      turns: [[{ answerTo: 'r1' }, { result: {} }]],
    },
    async ({ session, results, fake }) => {
      await results(1);
      first.resolve(undefined);
      await session.sendPrompt(prompt);
      await results(2);
      const answers = await fake.records('answer');
      assert.equal(answers.at(-1)?.id, 'r1');
      const ids = new Map(
        answers.map(({ id, response }) => [
          id,
          [response.request_id, (response.response?.mcp_response as { id: unknown }).id],
        ]),
      );
      assert.deepEqual(ids.get('r1'), ['r1', 0]);
      assert.deepEqual(ids.get('r2'), ['r2', 0]);
      assert.deepEqual(ids.get('r3'), ['r3', '0']);
      assert.deepEqual(ids.get('r4'), ['r4', '']);
      assert.deepEqual(ids.get('r5'), ['r5', -1]);
      const lines = (await fake.records('line')).map(({ line }) => line);
      assert.equal(lines.filter((line) => line.includes('"request_id":"r6"')).length, 1);
      assert.equal(order[0], 'editor');
    },
    {
      handlers: {
        mcp_message: async (request) => {
          order.push(request.server_name);
          if (request.server_name === 'editor') await first.promise;
          return echoRouter.mcp_message(request);
        },
      },
    },
  );
});

test('Requests from the future are refused at once and by their own id (T10)', () =>
  withFakeCli(
    {
      atStart: [
        { id: 'q1', ask: { subtype: 'zz_ask', payload: {} } },
        { id: 'q2', ask: {} },
        { id: 'q3', ask: { subtype: 'can_use_tool' } },
        { cancel: 'none' },
        { answerTo: 'q1' },
        { answerTo: 'q2' },
        { answerTo: 'q3' },
        { result: {} },
      ],
    },
    async ({ results, fake, log }) => {
      await results(1);
      const answers = new Map((await fake.records('answer')).map((entry) => [entry.id, entry]));
      assert.equal(
        answers.get('q1')?.response.error,
        'Unsupported control request subtype: zz_ask',
      );
      assert.equal(
        answers.get('q2')?.response.error,
        'Unsupported control request subtype: undefined',
      );
      assert.match(answers.get('q3')?.response.error ?? '', /tool_name/);
      assert.ok(log.some((line) => line.includes('Cancel of an unknown request none')));
    },
  ));

test('A permission request that the CLI takes back aborts its handler and is not answered', () => {
  const late = createDeferred<undefined>();
  const aborted = createDeferred<string>();
  return withFakeCli(
    {
      turns: [
        [
          {
            id: 'p1',
            ask: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'x' } },
          },
          { wait: 50 },
          { cancel: 'p1' },
          { result: {} },
        ],
      ],
    },
    async ({ session, results, fake }) => {
      await session.initialize({});
      await session.sendPrompt(prompt);
      assert.equal(await aborted.promise, 'p1');
      await results(1);
      late.resolve(undefined);
      await session.sendPrompt({ ...prompt, uuid: 'next' });
      await results(2);
      const lines = (await fake.records('line')).map(({ line }) => line);
      assert.ok(!lines.some((line) => line.includes('control_response')));
    },
    {
      handlers: {
        can_use_tool: async (request, { requestId, signal }) => {
          signal.addEventListener('abort', () => aborted.resolve(requestId));
          await late.promise;
          return { behavior: 'allow', updatedInput: request.input };
        },
      },
    },
  );
});

test('Five thousand calls at once are each answered once', () =>
  withFakeCli(
    { turns: [[{ calls: 5000, atOnce: true }, { result: {} }]] },
    async ({ session, results, fake }) => {
      await session.initialize({});
      await session.sendPrompt(prompt);
      await results(1);
      assert.deepEqual(await fake.records('calls'), [{ kind: 'calls', number: 5000 }]);
    },
    { handlers: echoRouter },
  ));
