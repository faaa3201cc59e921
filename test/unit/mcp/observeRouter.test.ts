import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { defineResource } from '../../../src/mcp/defineResource';
import { createServer } from '../../../src/mcp/mcpServer';
import { observeRouter } from '../../../src/mcp/observeRouter';
import { type NamedFile, type ServerEvent, spanLine } from '../../../src/mcp/serverEvent';
import { createBench, simpleTool } from './routerFixture';

function observed(onEvent: (event: ServerEvent) => void, isActive = () => true) {
  const server = createServer({
    name: 'x',
    tools: [
      simpleTool('echo', (input, { tellFile }) => {
        tellFile('src/a.ts', 7);
        return input;
      }),
      simpleTool('fail', () => Promise.reject(new Error('secret'))),
    ],
    resources: [defineResource({ uri: 'a:b', read: () => 'secret' })],
  });
  const files = new Map<string, NamedFile[]>();
  const { router } = createBench([server], {
    onFile: (requestId, file) => files.set(requestId, [...(files.get(requestId) ?? []), file]),
  });
  let time = 0;
  const seen = observeRouter(router, {
    conversationId: 'c1',
    now: () => (time += 5),
    log: silentLogger,
    isActive,
    takeFiles: (requestId) => files.get(requestId) ?? [],
    onEvent,
  });
  let id = 0;
  const send = async (method: string, params?: object) =>
    seen.route('x', { jsonrpc: '2.0', id: (id += 1), method, params }, { requestId: `r${id}` });
  return { seen, send, router };
}

test('each request has a start and an end, with names, times and sizes, and never what was in it', async () => {
  const events: ServerEvent[] = [];
  const { send, seen } = observed((event) => events.push(event));
  const meta = { 'claudecode/toolUseId': 'toolu_1' };
  await send('initialize', {});
  await send('tools/call', { name: 'echo', arguments: { word: 'secret ä' }, _meta: meta });
  await send('tools/call', { name: 'fail', arguments: {} });
  await send('tools/call', { name: 'nope', arguments: {} });
  await send('resources/read', { uri: 'a:b' });
  await send('no/such');
  await seen.route('x', { method: 'notifications/initialized' }, { requestId: 'n' });
  assert.deepEqual(
    events.map(({ work, phase, tool }) => [work, phase, tool]),
    [
      ['initialize', 'start', undefined],
      ['initialize', 'stop', undefined],
      ['call', 'start', 'echo'],
      ['call', 'stop', 'echo'],
      ['call', 'start', 'fail'],
      ['call', 'stop', 'fail'],
      ['call', 'start', 'nope'],
      ['call', 'exception', 'nope'],
      ['read', 'start', undefined],
      ['read', 'stop', undefined],
      ['other', 'start', undefined],
      ['other', 'exception', undefined],
    ],
  );
  assert.deepEqual(events[3], {
    work: 'call',
    phase: 'stop',
    server: 'x',
    method: 'tools/call',
    tool: 'echo',
    conversationId: 'c1',
    requestId: 'r2',
    toolUseId: 'toolu_1',
    durationMs: 5,
    bytesIn: 147,
    bytesOut: 97,
    files: [{ path: 'src/a.ts', bytes: 7 }],
    outcome: 'success',
  });
  assert.ok(!JSON.stringify(events).includes('secret'));
  const lines = events.map(spanLine).filter((line) => line?.includes('mcp.call'));
  assert.deepEqual(
    lines.map((line) => line?.replace(/(in|out) \d+/g, '$1 #')),
    [
      'span mcp.call x/echo c1 r2 5 ms, in #, out #: success; files src/a.ts (7)',
      'span mcp.call x/fail c1 r3 5 ms, in #, out #: error',
      'span mcp.call x/nope c1 r4 5 ms, in #, out #: exception -32601',
    ],
  );
});

test('a request that comes twice while it runs is told of once, with all its files', async () => {
  const events: ServerEvent[] = [];
  const { seen } = observed((event) => events.push(event));
  const message = { id: 1, method: 'tools/call', params: { name: 'fail', arguments: {} } };
  const twins = [1, 2].map(() => seen.route('x', message, { requestId: 'r' }));
  assert.deepEqual(await twins[0], await twins[1]);
  await seen.route('x', message, { requestId: 'r' });
  assert.deepEqual(
    events.map(({ phase }) => phase),
    ['start', 'stop', 'start', 'stop'],
  );
});

test('where nobody listens nothing is counted, and the answers are the same', async () => {
  const events: ServerEvent[] = [];
  let active = false;
  const { send } = observed(
    (event) => events.push(event),
    () => active,
  );
  assert.deepEqual(await send('ping'), { jsonrpc: '2.0', id: 1, result: {} });
  assert.deepEqual(events, []);
  active = true;
  await send('ping');
  assert.equal(events.length, 2);
});

test('a listener that throws changes no answer', async () => {
  const { send, seen, router } = observed(() => {
    throw new Error('listener');
  });
  assert.deepEqual(await send('ping'), { jsonrpc: '2.0', id: 1, result: {} });
  assert.equal(seen.openCalls, 0);
  seen.dispose();
  assert.equal(router.openCalls, 0);
});
