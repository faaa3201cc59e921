import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createDeferred } from '../../src/base/deferred';
import { startServerProcess } from '../../src/cli/serverProcess';
import type { AttachedEntry } from '../../src/doors/attachedEntry';
import { AttachedServers } from '../../src/doors/attachedServers';
import { ServerRegistry } from '../../src/mcp/registry';
import { createRouter } from '../../src/mcp/router';
import { startHttpServer } from '../harness/mcpServers/httpServer';
import { listen } from '../harness/mcpServers/lossyServer';
import { startMoodyServer } from '../harness/mcpServers/moodyServer';
import { startSessionServer } from '../harness/mcpServers/sessionServer';
import { startSseServer } from '../harness/mcpServers/sseServer';
import { message, say, toolUse } from '../harness/model/script';
import { inRoot } from '../harness/paths';
import { isRunning, processesWith, untilGone, untilNone } from '../harness/processes';
import { createAttachedRoom, until } from './attachedRoom';
import { createBench, isIdle, toolsOf } from './conversationBench';

const { base, ends, lines, log, attach } = await createAttachedRoom('attached');

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

for (const refusal of [404, 400]) {
  test(`A server that has forgotten the session, as after its restart, is connected to anew: ${refusal}`, async () => {
    const web = await startSessionServer(refusal, ['old', 'both']);
    ends.push(() => web.close());
    const peer = await attach(`web${refusal}`, { type: 'http', url: web.url });
    const registry = new ServerRegistry();
    registry.add(peer);
    const router = createRouter({ registry, log, conversation: { id: 'c', cwd: base } });
    let id = 0;
    const call = async (name: string): Promise<string> => {
      const params = { name, arguments: {} };
      const message = { jsonrpc: '2.0', id: (id += 1), method: 'tools/call', params };
      return JSON.stringify(await router.route(peer.name, message, { requestId: `r${id}` }));
    };
    const names = (): string =>
      peer
        .allTools?.()
        .map(({ name }) => name)
        .join() ?? '';
    assert.match(await call('old'), /"text":"old"/);
    const isRenewed = createDeferred<undefined>();
    peer.onDidChange(() => {
      if (names() === 'both,new') isRenewed.resolve(undefined);
    });
    web.restart(['both', 'new']);
    // At once, so that all of them meet the loss.
    const answers = await Promise.all(['both', 'both', 'both'].map(call));
    for (const answer of answers) assert.match(answer, /"text":"both"/);
    assert.equal(web.begun, 2);
    await isRenewed.promise;
    assert.match(await call('new'), /"text":"new"/);
    await web.close();
    assert.match(await call('new'), /fetch failed: \S/);
  });
}

test('All that a server has started ends with it, whatever it does to stay', async () => {
  const file = path.join(base, 'below.cjs');
  const stays = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
  await writeFile(
    file,
    `${stays} import(${JSON.stringify(inRoot('test/harness/mcpServers/stdioServer.mjs'))});
     require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stays)}], { detached: true, stdio: 'inherit' });`,
  );
  const mark = `MARK_OF_TEST=${base}`;
  // As `npx` does, the shell starts another program and waits for it.
  const entry: AttachedEntry = {
    type: 'stdio',
    command: '/bin/sh',
    args: ['-c', '"$0" "$1" below; true', process.execPath, file],
    env: { MARK_OF_TEST: base },
  };
  const server = await attach('below', entry);
  assert.ok(processesWith(mark).length >= 3);
  server.dispose();
  await untilNone(() => processesWith(mark));
  await attach('crashed', entry).then((crashed) => {
    const closed = createDeferred<undefined>();
    crashed.onDidClose(() => closed.resolve(undefined));
    const [shell] = processesWith(mark);
    process.kill(shell ?? 0, 'SIGKILL');
    return closed.promise;
  });
  await untilNone(() => processesWith(mark));
});

test('A message of any size is read, and what else a server prints is passed over', async () => {
  const text = `process.stdout.write('Listening…\\n{"a":\\n\\r\\n'); import(${JSON.stringify(inRoot('test/harness/mcpServers/stdioServer.mjs'))});`;
  const large = await attach('large', {
    type: 'stdio',
    command: process.execPath,
    args: ['-e', text, 'large'],
  });
  const registry = new ServerRegistry();
  registry.add(large);
  const router = createRouter({ registry, log, conversation: { id: 'c', cwd: base } });
  const params = { name: 'large', arguments: { characters: 12_000_000 } };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await router.route('large', call, { requestId: 'r' });
  assert.ok(JSON.stringify(answer).length > 12_000_000);
});

test('A server that does not come to its start is given up as soon as it is not wanted any more', async () => {
  const file = path.join(base, 'hanging');
  const text = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const hanging: AttachedEntry = { type: 'stdio', command: process.execPath, args: ['-e', text] };
  const failed: string[] = [];
  const registry = new ServerRegistry();
  const servers = new AttachedServers({
    ...{ registry, log, start: startServerProcess, mask: (told: string) => told },
    where: () => ({ env: { PATH: process.env.PATH ?? '' }, cwd: base }),
    onFailed: (name) => failed.push(name),
  });
  ends.push(() => servers.dispose());
  const began = performance.now();
  const first = servers.sync(new Map([['hanging', hanging]]));
  let pid = '';
  while (pid === '') {
    await new Promise((resolve) => setTimeout(resolve, 10));
    pid = await readFile(file, 'utf8').catch(() => '');
  }
  await servers.sync(new Map([['a', stdio('a')]]));
  assert.deepEqual([servers.names, servers.state('a')?.kind], [['a'], 'connected']);
  await first;
  await untilGone([Number(pid)]);
  // It has half a minute for its start.
  assert.ok(performance.now() - began < 25_000);
  assert.deepEqual(failed, []);
});

test('The next one is started when the one before it is gone, with what it holds', async () => {
  const lock = path.join(base, 'lock');
  // As a profile of a browser, or a port: whoever comes second fails.
  const text = `const fs = require('node:fs'); fs.mkdirSync(${JSON.stringify(lock)});
    process.stdin.on('end', () => setTimeout(() => { fs.rmdirSync(${JSON.stringify(lock)}); process.exit(); }, 300));
    if (process.env.MORE === 'hang') process.stdin.resume();
    else import(${JSON.stringify(inRoot('test/harness/mcpServers/stdioServer.mjs'))});`;
  const locked = (more: string): ReadonlyMap<string, AttachedEntry> =>
    new Map([
      [
        'l',
        { type: 'stdio', command: process.execPath, args: ['-e', text, 'l'], env: { MORE: more } },
      ],
    ]);
  const failed: string[] = [];
  const servers = new AttachedServers({
    ...{ registry: new ServerRegistry(), log, start: startServerProcess },
    ...{
      mask: (told: string) => told,
      onFailed: (_name: string, reason: string) => failed.push(reason),
    },
    where: () => ({ env: { PATH: process.env.PATH ?? '' }, cwd: base }),
  });
  ends.push(() => servers.dispose());
  // While the first one still connects.
  const first = servers.sync(locked('hang'));
  await until('it has begun', () => existsSync(lock));
  await Promise.all([first, servers.sync(locked('0'))]);
  await servers.sync(locked('1'));
  await servers.reconnect('l');
  await servers.sync(locked('2'));
  await Promise.all([servers.reconnect('l'), servers.reconnect('l')]);
  assert.deepEqual([failed, servers.state('l')], [[], { kind: 'connected' }]);
});

test('What cannot be reached is refused with its reason, and nothing of it is left', async () => {
  const none: AttachedEntry = { type: 'stdio', command: path.join(base, 'none'), args: [] };
  await assert.rejects(attach('none', none), /ENOENT/);
  await assert.rejects(
    attach('dead', { type: 'http', url: 'http://127.0.0.1:9/' }),
    /fetch failed: \S/,
  );
  await assert.rejects(attach('odd', { type: 'http', url: 'not a url' }), /Invalid URL/);
  const file = path.join(base, 'silent');
  const text = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); console.error('my s3cret'); process.stdin.resume()`;
  const silent: AttachedEntry = { type: 'stdio', command: process.execPath, args: ['-e', text] };
  const hasSpoken = (): boolean => lines.includes('info: [silent] my •••');
  // On a busy machine it may not have begun when its time is over: then it gets more.
  for (let ms = 1000; !hasSpoken(); ms *= 2) {
    assert.ok(ms < 60_000, lines.join('\n'));
    await assert.rejects(attach('silent', silent, { readyWithinMs: ms }), /timed out/);
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
    start: startServerProcess,
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
  const timeout = (): unknown => Reflect.get(registry.find('a') ?? {}, 'timeout');
  assert.equal(timeout(), undefined);
  await servers.sync(new Map([['a', { ...stdio('a'), timeout: 300_000 }]]));
  assert.equal(timeout(), 300_000);
  await servers.sync(new Map([['a', stdio('a', file)]]));
  await servers.reconnect('a');
  await servers.reconnect('nobody');
  await servers.sync(new Map([['a', stdio('changed', file)]]));
  assert.deepEqual([await starts(), names()], [4, ['a']]);
  const going = servers.sync(new Map([['b', stdio('b', file)]]));
  servers.dispose();
  await going;
  assert.deepEqual([names(), servers.names], [[], []]);
});

test('A server of elsewhere that is not there yet is tried again until it is, unless it refuses', async () => {
  const registry = new ServerRegistry();
  const failed: string[] = [];
  let tried = 0;
  const servers = new AttachedServers({
    registry,
    log,
    where: () => ({ env: {}, cwd: base }),
    mask: (text) => text,
    onFailed: (name) => failed.push(name),
    onTriedAgain: () => (tried += 1),
    againMs: 20,
  });
  ends.push(() => servers.dispose());
  const web = await startMoodyServer('http', ['any']);
  ends.push(() => web.close());
  const refusing = await listen((_request, response) => {
    response.writeHead(401).end('Who are you?');
    return Promise.resolve();
  });
  ends.push(() => refusing.close());
  const none: AttachedEntry = { type: 'stdio', command: path.join(base, 'none'), args: [] };
  const here: AttachedEntry = { type: 'http', url: web.url };
  const entries = new Map<string, AttachedEntry>([
    ['here', here],
    ['sse', { type: 'sse', url: 'http://127.0.0.1:9/' }],
    ['refusing', { type: 'http', url: refusing.url }],
    ['odd', { type: 'http', url: 'no url' }],
    ['none', none],
  ]);
  const again = (name: string): unknown => {
    const state = servers.state(name);
    return state?.kind === 'failed' ? state.triesAgain === true : state?.kind;
  };
  web.mood = 'away';
  await servers.sync(entries);
  const all = [...entries.keys()];
  assert.deepEqual(all.map(again), [true, true, false, false, false]);
  await until('it was tried again', () => tried > 2);
  web.mood = 'well';
  await until('it is there', () => again('here') === 'connected');
  assert.ok(registry.find('here'));
  assert.deepEqual(failed.toSorted(), all.toSorted(), 'each is told once');
  await servers.sync(new Map([['here', here]]));
  assert.equal(servers.state('sse'), undefined);
  const last = tried;
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(tried, last, 'what is not wanted any more is not tried');
});

test('What never comes is given up after some tries', async () => {
  let tried = 0;
  const servers = new AttachedServers({
    registry: new ServerRegistry(),
    log,
    where: () => ({ env: {}, cwd: base }),
    mask: (text) => text,
    onFailed: () => undefined,
    onTriedAgain: () => (tried += 1),
    againMs: 0,
  });
  ends.push(() => servers.dispose());
  await servers.sync(new Map([['never', { type: 'http', url: 'http://127.0.0.1:9/' }]]));
  await until('it is given up', () => {
    const state = servers.state('never');
    return state?.kind === 'failed' && state.triesAgain !== true;
  });
  assert.equal(tried, 19);
});
