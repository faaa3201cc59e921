import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePrompt } from '../../../src/mcp/definePrompt';
import { defineResource } from '../../../src/mcp/defineResource';
import { createServer } from '../../../src/mcp/mcpServer';
import { createBench, simpleTool, until } from './routerFixture';

test('a client gets the messages of the level that it asked for, and before that none', async () => {
  const sent: { params: { level: string; logger: string; data: unknown } }[] = [];
  const server = createServer({
    name: 'x',
    capabilities: { logging: {} },
    tools: [
      simpleTool('talk', (_, { log }) => {
        log('debug', 'low');
        log('error', { high: new Error('x').message }, 'part');
        log('emergency', new Error('worst'));
        log('odd' as 'info', 1n);
      }),
    ],
  });
  const { send, call, logged } = createBench([server], {
    notify: (_, message) => sent.push(message as (typeof sent)[number]),
  });
  const level = (value: unknown) =>
    send('x', { id: 1, method: 'logging/setLevel', params: { level: value } });
  assert.deepEqual((await send('x', { id: 1, method: 'initialize' })).result?.capabilities, {
    tools: { listChanged: true },
    logging: {},
  });
  await call('x', 'talk');
  assert.equal(sent.length, 0);
  assert.deepEqual((await level('error')).result, {});
  await call('x', 'talk');
  assert.deepEqual(
    sent.map(({ params }) => params),
    [
      { level: 'error', logger: 'part', data: { high: 'x' } },
      { level: 'emergency', logger: 'talk', data: 'worst' },
    ],
  );
  assert.equal((await level('debug')).error, undefined);
  await call('x', 'talk');
  assert.equal(sent.length, 6);
  assert.equal((await level('loud')).error?.code, -32602);
  assert.ok(logged.includes('[x/talk/part] {"high":"x"}'));
});

test('reading and rendering can be cancelled, and end by themselves at their deadline', async () => {
  const seen: AbortSignal[] = [];
  const server = createServer({
    name: 'x',
    resources: [
      defineResource({
        uri: 'a:b',
        read: (_, { signal }) => {
          seen.push(signal);
          return new Promise(() => undefined);
        },
      }),
    ],
    prompts: [definePrompt({ name: 'p', timeout: 5, run: () => new Promise(() => undefined) })],
  });
  const { send, router } = createBench([server]);
  const reading = send('x', { id: 4, method: 'resources/read', params: { uri: 'a:b' } });
  await until(() => seen.length === 1);
  await send('x', {
    method: 'notifications/cancelled',
    params: { requestId: 4, reason: 'enough' },
  });
  assert.deepEqual((await reading).error, { code: -32603, message: 'Cancelled: enough' });
  assert.equal(seen[0]?.aborted, true);
  const late = await send('x', { id: 5, method: 'prompts/get', params: { name: 'p' } });
  assert.match(late.error?.message ?? '', /^prompts\/get did not finish within 0\.005 s/);
  assert.equal(router.openCalls, 0);
});
