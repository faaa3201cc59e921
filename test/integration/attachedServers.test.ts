import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createDeferred } from '../../src/base/deferred';
import { type AttachedEntry, attachServer } from '../../src/doors/attachServer';
import { AttachedServers } from '../../src/doors/attachedServers';
import { ServerRegistry } from '../../src/mcp/registry';
import { createRouter } from '../../src/mcp/router';
import { listLogger } from '../harness/fakeCli/cliHarness';
import { startHttpServer } from '../harness/mcpServers/httpServer';
import { startSseServer } from '../harness/mcpServers/sseServer';
import { message, say, toolUse } from '../harness/model/script';
import { inRoot } from '../harness/paths';
import { isRunning, untilGone } from '../harness/processes';
import { createBench, isIdle, toolsOf } from './conversationBench';

const base = await mkdtemp(path.join(tmpdir(), 'patchbay-attached-'));
const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
  await rm(base, { recursive: true, force: true });
});

const lines: string[] = [];
const log = listLogger(lines);

async function attach(name: string, entry: AttachedEntry, readyWithinMs = 60_000) {
  // The tests give what the person's environment would.
  const env = { PATH: process.env.PATH ?? '', FROM_HOST: 'host' };
  const mask = (text: string): string => text.replaceAll('s3cret', '•••');
  const server = await attachServer({ name, entry, env, cwd: base, log, readyWithinMs, mask });
  ends.push(() => {
    server.dispose();
  });
  return server;
}

const stdio = (name: string, ...more: string[]): AttachedEntry => ({
  type: 'stdio',
  command: process.execPath,
  args: [inRoot('test/harness/mcpServers/stdioServer.mjs'), name, ...more],
  env: { TOKEN: 's3cret' },
});

test('Servers that this process reaches over stdio, HTTP and SSE are offered to the real CLI as ours', async () => {
  const http = await startHttpServer('web', 'token');
  const sse = await startSseServer();
  ends.push(
    () => http.close(),
    () => sse.close(),
  );
  const registry = new ServerRegistry();
  const headers = { Authorization: 'Bearer token' };
  for (const server of await Promise.all([
    attach('local', stdio('local')),
    attach('web', { type: 'http', url: http.url, headers }),
    attach('old', { type: 'sse', url: sse.url }),
  ])) {
    registry.add(server);
  }
  const tools = ['mcp__local__ping', 'mcp__local__env', 'mcp__web__ping', 'mcp__old__ping'];
  const made = await createBench({
    model: {
      script: ({ step }) =>
        step === 0
          ? message(tools.map((name) => toolUse(name, { name: 'FROM_HOST' })))
          : say('done'),
    },
    registry,
    settings: { allowedTools: tools },
  });
  ends.push(() => made.dispose());
  await made.prompt('go');
  await made.until('the end', isIdle);
  const told = toolsOf(made.view).map(({ name, state, result }) => [
    name,
    state,
    /pong \w+|=\w+/.exec(JSON.stringify(result))?.[0],
  ]);
  assert.deepEqual(told, [
    ['mcp__local__ping', 'done', 'pong local'],
    ['mcp__local__env', 'done', '=host'],
    ['mcp__web__ping', 'done', 'pong web'],
    ['mcp__old__ping', 'done', 'pong sse'],
  ]);
  const status = await made.conversation.serverStatus();
  assert.deepEqual(
    status.map(({ name, status: state }) => [name, state]).sort(),
    ['local', 'old', 'web'].map((name) => [name, 'connected']),
  );
});

test('A server that was started is ended with its offer, and one that ends by itself says so', async () => {
  const file = path.join(base, 'pids');
  const one = await attach('one', stdio('one', file));
  const two = await attach('two', stdio('two', file));
  const [first, second] = (await readFile(file, 'utf8')).trim().split('\n').map(Number);
  assert.ok(first !== undefined && second !== undefined && isRunning(first));
  const gone = createDeferred<unknown>();
  two.onDidClose(() => gone.resolve(undefined));
  process.kill(second, 'SIGKILL');
  await gone.promise;
  const registry = new ServerRegistry();
  registry.add(two);
  const router = createRouter({ registry, log, conversation: { id: 'c', cwd: base } });
  const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'ping' } };
  const answer = await router.route('two', call, { requestId: 'r' });
  assert.ok('error' in answer && answer.id === 3);
  assert.doesNotMatch(answer.error.message, /MCP error/);
  one.dispose();
  await untilGone([first]);
});

test('A question that a server takes back is closed while its call goes on', async () => {
  const asking: AttachedEntry = {
    type: 'stdio',
    command: process.execPath,
    args: [inRoot('test/harness/mcpServers/askingServer.mjs'), 'asking'],
  };
  const registry = new ServerRegistry();
  registry.add(await attach('asking', asking));
  const asked = createDeferred<AbortSignal>();
  const router = createRouter({
    registry,
    log,
    conversation: { id: 'c', cwd: base },
    ask: ({ signal }) => {
      asked.resolve(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('closed'));
        });
      });
    },
  });
  const call = (requestId: string, args: object) => {
    const params = { name: 'form', arguments: args };
    const frame = { jsonrpc: '2.0', id: requestId, method: 'tools/call', params };
    return router.route('asking', frame, { requestId });
  };
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const waiting = call('a', { schema });
  const signal = await asked.promise;
  const closed = createDeferred<undefined>();
  signal.addEventListener('abort', () => closed.resolve(undefined));
  await call('b', { takeBack: true });
  await closed.promise;
  assert.equal(router.openCalls, 1);
  router.dispose();
  await waiting;
});

test('What cannot be reached is refused with its reason, and nothing of it is left', async () => {
  const none: AttachedEntry = { type: 'stdio', command: path.join(base, 'none'), args: [] };
  await assert.rejects(attach('none', none), /ENOENT/);
  await assert.rejects(
    attach('dead', { type: 'http', url: 'http://127.0.0.1:9/' }),
    /fetch failed/,
  );
  await assert.rejects(attach('odd', { type: 'http', url: 'not a url' }), /Invalid URL/);
  const file = path.join(base, 'silent');
  const text = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); console.error('my s3cret'); process.stdin.resume()`;
  const silent: AttachedEntry = { type: 'stdio', command: process.execPath, args: ['-e', text] };
  const hasSpoken = (): boolean => lines.includes('info: [silent] my •••');
  // On a busy machine it may not have begun when its time is over: then it gets more.
  for (let ms = 1000; !hasSpoken(); ms *= 2) {
    assert.ok(ms < 60_000, lines.join('\n'));
    await assert.rejects(attach('silent', silent, ms), /timed out/);
  }
  await untilGone([Number(await readFile(file, 'utf8'))]);
});

test('A secret in the error output is not logged, be it torn, far back in its line, or the last word', async () => {
  const text = [
    'const { S } = process.env; const say = (t) => process.stderr.write(t);',
    "say('x'.repeat(490) + S + '\\n'); say('torn ' + S.slice(0, 4));",
    "setTimeout(() => { say(S.slice(4) + '\\nlast ' + S); process.exitCode = 1; }, 60);",
  ].join(' ');
  const entry: AttachedEntry = {
    type: 'stdio',
    command: process.execPath,
    args: ['-e', text],
    env: { S: 'such-a-s3cret' },
  };
  await assert.rejects(attach('leaky', entry));
  const isTold = (line: string): boolean => line.startsWith('info: [leaky] ');
  while (!lines.some((line) => isTold(line) && line.includes('last'))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(
    lines.filter(isTold).map((line) => line.slice('info: [leaky] '.length).replace(/^x+/, 'x')),
    ['xsuch-a-•••', 'torn such-a-•••', 'last such-a-•••'],
  );
});

test('The attached servers follow the settings: new, changed, failed, reconnected and gone', async () => {
  const file = path.join(base, 'followed');
  const registry = new ServerRegistry();
  const failed: string[] = [];
  const servers = new AttachedServers({
    registry,
    log,
    where: () => ({ env: { PATH: process.env.PATH ?? '' }, cwd: base }),
    mask: (text) => text,
    onFailed: (name, reason) => failed.push(`${name}: ${reason}`),
  });
  ends.push(() => {
    servers.dispose();
  });
  const names = (): string[] => registry.all().map(({ name }) => name);
  const starts = async (): Promise<number> =>
    (await readFile(file, 'utf8')).trim().split('\n').length;
  const none: AttachedEntry = { type: 'stdio', command: path.join(base, 'none'), args: [] };
  await servers.sync(
    new Map([
      ['a', stdio('a', file)],
      ['none', none],
    ]),
  );
  assert.deepEqual(
    [names(), servers.state('a')?.kind, servers.state('none')?.kind],
    [['a'], 'connected', 'failed'],
  );
  assert.match(failed.join(), /^none: .*ENOENT/);
  await servers.sync(new Map([['a', stdio('a', file)]]));
  assert.deepEqual([await starts(), servers.state('none')], [1, undefined]);
  await servers.reconnect('a');
  await servers.reconnect('nobody');
  await servers.sync(new Map([['a', stdio('changed', file)]]));
  assert.deepEqual([await starts(), names()], [3, ['a']]);
  const going = servers.sync(new Map([['b', stdio('b', file)]]));
  servers.dispose();
  await going;
  assert.deepEqual([names(), servers.names], [[], []]);
});
