import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { createRouter } from '../../../src/mcp/router';
import { runTool } from '../../../src/mcp/runTool';
import { SwitchedServers } from '../../../src/mcp/switchedServers';
import { ToolSwitches } from '../../../src/mcp/toolSwitches';
import { ResultStore } from '../../../src/workspaceTools/resultStore';
import { createToolRoom, listLogger, says, tempFolder, type ToolRoom } from './toolRoom';

const A = '.patchbay/tools/a.tool.ts';

/** A file with one tool whose handler is this code. */
function runs(code: string, more = ''): string {
  return `import { defineTool, z } from 'patchbay';\nexport default defineTool({ description: 'd', ${more} run: ${code} });\n`;
}

async function roomWith(
  t: Parameters<typeof createToolRoom>[0],
  code: string,
  more = '',
): Promise<ToolRoom> {
  const room = await createToolRoom(t);
  await room.write(A, runs(code, more));
  await room.look();
  assert.deepEqual(room.file('a.tool.ts')?.faults, []);
  return room;
}

test('what a handler returns becomes one well-formed result (T16)', async (t) => {
  const room = await createToolRoom(t);
  const rows: readonly (readonly [string, RegExp, boolean])[] = [
    ["'text'", /^text$/, false],
    ['8', /^8$/, false],
    ['8n', /^8$/, false],
    ['true', /^true$/, false],
    ['null', /^null$/, false],
    ['undefined', /^$/, false],
    ['new Date(0)', /^1970-01-01T00:00:00\.000Z$/, false],
    ['new Map([["a", 1]])', /^\{"a":1\}$/, false],
    ['new Set([1, 2])', /^\[1,2\]$/, false],
    ['({ a: [1] })', /^\{"a":\[1\]\}$/, false],
    ["({ content: [{ type: 'text', text: 'x' }] })", /^x$/, false],
    ['({ content: [] })', /^$/, false],
    ["({ content: [{ type: 'film' }] })", /does not know/, true],
    ["new Error('returned')", /^returned$/, true],
    ["(() => { throw new Error('thrown'); })()", /^Tool error: thrown$/, true],
    ["Promise.reject(new Error('later'))", /^Tool error: later$/, true],
    ["(() => { throw 'x'; })()", /^Tool error: x$/, true],
    ['(() => { throw null; })()', /^Tool error: null$/, true],
    ['(() => { const o = {}; o.o = o; throw o; })()', /^Tool error: /, true],
    ['(() => { const o = {}; o.o = o; return o; })()', /cannot be written as JSON/, true],
    ['(() => 1)', /function, which cannot be sent/, true],
    ['"a\\ud83d"', /^a\ufffd$/, false],
    ['(async function* () { yield "half"; return "whole"; })()', /^whole$/, false],
    ['process.exit(1)', /^Tool error: process\.exit is not for tool files/, true],
  ];
  await room.write(
    A,
    `import { defineTool } from 'patchbay';\n${rows.map(([code], index) => `export const t${index} = defineTool({ description: 'd', run: () => ${code} });`).join('\n')}`,
  );
  await room.look();
  for (const [index, [code, text, isError]] of rows.entries()) {
    const answer = await room.call(`t${index}`);
    assert.match(answer.text, text, code);
    assert.equal(answer.isError, isError, code);
  }
});

test('an image goes out as one, and what fits the output schema as an object', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, runs("() => ({ data: new Uint8Array([1, 2]), mimeType: 'image/png' })"));
  await room.write(
    '.patchbay/tools/b.tool.ts',
    runs(
      "({ wrong }) => ({ count: wrong ? 'x' : 1 })",
      'input: { wrong: z.boolean().optional() }, output: z.object({ count: z.number() }),',
    ),
  );
  await room.look();
  assert.deepEqual((await room.call('a')).result.content, [
    { type: 'image', data: 'AQI=', mimeType: 'image/png' },
  ]);
  const good = await room.call('b');
  assert.deepEqual([good.result.structuredContent, good.text], [{ count: 1 }, '{"count":1}']);
  assert.match(
    (await room.call('b', { wrong: true })).text,
    /does not fit its output schema:\ncount: expected number/,
  );
});

test('the context has all of the call, taken out or not, with the editor and the folder', async (t) => {
  const room = await roomWith(
    t,
    `({}, { signal, progress, log, ask, state, conversation, ...rest }) => { return 0; }`,
  );
  await room.write(
    A,
    runs(`async (_input, ctx) => {
      const { signal, progress, log, tellFile, whilePersonDecides, ask } = ctx;
      progress(1, 2, 'half'); log('info', 'hello', 'part'); tellFile('/x');
      ctx.state.set('n', (ctx.state.get('n') ?? 0) + 1);
      const asked = await ask({ type: 'object', properties: {} }, 'q').catch((error) => error.message);
      return [signal.aborted, ctx.requestId, ctx.toolUseId, ctx.conversation.id, ctx.conversation.cwd, ctx.mode, ctx.state.get('n'), await whilePersonDecides(Promise.resolve(3)), ctx.workspaceFolder.name, ctx.vscode.version, asked, typeof ctx.onDidReset, ctx.meta];
    }`),
  );
  await room.look();
  await room.call('a');
  assert.deepEqual(JSON.parse((await room.call('a', {}, 'workspace', 'the-request')).text), [
    false,
    'the-request',
    null,
    'c1',
    room.folder,
    'default',
    2,
    3,
    'work',
    'test',
    'Nobody can be asked here',
    'function',
    null,
  ]);
  assert.ok(
    room.log.some((line) => line === 'info [workspace/a/part] hello'),
    room.log.join('\n'),
  );
});

test('what a generator yields is progress', async (t) => {
  const room = await roomWith(
    t,
    `async function* () { yield 'one'; yield { done: 2, total: 4, message: 'two' }; return 'end'; }`,
  );
  const steps: (string | undefined)[] = [];
  const router = createRouter({
    registry: room.registry,
    log: room.ports.log,
    conversation: { id: 'c2', cwd: room.folder },
    onProgress: ({ message, total }) => steps.push(`${message} of ${total}`),
  });
  await router.route(
    'workspace',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } },
    { requestId: 'r' },
  );
  router.dispose();
  assert.deepEqual(steps, ['one of undefined', 'two of 4']);
});

test('the stack of an error goes to the log only, with the lines of the file as it was written', async (t) => {
  const room = await createToolRoom(t);
  await room.write(
    A,
    `import { defineTool } from 'patchbay';\ninterface Long {\n  a: string;\n}\nenum E { A, B }\nexport default defineTool({\n  description: 'd',\n  run() {\n    throw new Error('deep');\n  },\n});\n`,
  );
  await room.look();
  assert.equal((await room.call('a')).text, 'Tool error: deep');
  const logged = room.log.find((line) => line.includes('deep'));
  assert.match(logged ?? '', /a\.tool\.ts:9:/);
});

test('a call ends at the time limit, which stands in the settings or with the tool', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const room = await createToolRoom(t);
  room.limits.timeout = 7_000;
  await room.write(A, runs('() => new Promise(() => undefined)'));
  await room.write(
    '.patchbay/tools/b.tool.ts',
    runs('() => new Promise(() => undefined)', 'timeout: 3000,'),
  );
  await room.look();
  const until = async <T>(promise: Promise<T>): Promise<T> => {
    const state = { isDone: false };
    void promise.finally(() => (state.isDone = true));
    while (!state.isDone) {
      t.mock.timers.tick(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return promise;
  };
  assert.match((await until(room.call('a'))).text, /did not finish within 7 s/);
  assert.match((await until(room.call('b'))).text, /did not finish within 3 s/);
  assert.equal(room.router.openCalls, 0);
});

test('a result that is too long is cut, and the model is told where the whole is', async (t) => {
  const room = await createToolRoom(t);
  room.limits.maxResultChars = 1_000;
  await room.write(A, runs("({ n }) => 'é'.repeat(n)", 'input: { n: z.number() },'));
  await room.write(
    '.patchbay/tools/b.tool.ts',
    runs("() => ({ all: 'x'.repeat(5000) })", 'output: { all: z.string() },'),
  );
  await room.write(
    '.patchbay/tools/c.tool.ts',
    runs("() => 'x'.repeat(5000)", 'maxResultChars: 6000,'),
  );
  await room.look();
  assert.equal((await room.call('a', { n: 1_000 })).text.length, 1_000);
  const { text } = await room.call('a', { n: 5_000 });
  assert.ok(text.length <= 1_000, String(text.length));
  const file = /The whole is in (.*)\]$/.exec(text)?.[1];
  assert.equal(await readFile(file!, 'utf8'), 'é'.repeat(5_000));
  const structured = await room.call('b');
  assert.equal(structured.result.structuredContent, undefined);
  const json = /The whole is in (.*\.json)\]$/.exec(structured.text)?.[1];
  assert.deepEqual(JSON.parse(await readFile(json!, 'utf8')), { all: 'x'.repeat(5_000) });
  assert.equal((await room.call('c')).text.length, 5_000);
});

/** One tool with a result that is cut. */
async function roomWithLong(t: Parameters<typeof createToolRoom>[0]): Promise<ToolRoom> {
  const room = await roomWith(t, "() => 'x'.repeat(2_000)");
  room.limits.maxResultChars = 1_000;
  return room;
}

const fileOf = (text: string): string => /The whole is in ([^\]]*)\]/.exec(text)?.[1] ?? 'no file';

/** Whatever has been set off by now has removed what it removes. */
async function removed(room: ToolRoom, id = 'c2'): Promise<void> {
  const router = createRouter({
    ...{ registry: room.registry, log: silentLogger, conversation: { id, cwd: room.folder } },
  });
  const params = { name: 'a', arguments: {} };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await router.route('workspace', call, { requestId: id });
  const file = fileOf(JSON.stringify(answer));
  room.tools.conversationEnded(id);
  while (existsSync(file)) await new Promise((resolve) => setImmediate(resolve));
  router.dispose();
}

test('the whole of a result stays as long as the conversation, whatever becomes of the server in it', async (t) => {
  const room = await roomWithLong(t);
  const switches = new ToolSwitches();
  const conversation = { id: 'c9', cwd: room.folder };
  const seen = new SwitchedServers(room.registry, switches);
  const router = createRouter({ registry: seen, log: silentLogger, conversation });
  const params = { name: 'a', arguments: {} };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await router.route('workspace', call, { requestId: 'r' });
  const file = fileOf(JSON.stringify(answer));
  switches.switchServer('workspace', false);
  switches.switchServer('workspace', true);
  await removed(room);
  assert.ok(existsSync(file), 'switched off and on');

  const other = path.join(path.dirname(room.folder), 'b');
  await room.write('../b/.patchbay/tools/s.tool.ts', says('x'));
  room.folders = [...room.folders, { name: 'b', path: other }];
  await room.look();
  const used = { ...call, params: { name: 's', arguments: {} } };
  await router.route('workspace-b', used, { requestId: 's' });
  room.folders = room.folders.slice(0, 1);
  await room.look();
  await removed(room);
  assert.ok(existsSync(file), 'another folder has gone');

  room.folders = [];
  await room.look();
  router.dispose();
  assert.ok(existsSync(file), 'its own folder has gone');
  room.tools.conversationEnded('c9');
  while (existsSync(file)) await new Promise((resolve) => setImmediate(resolve));
});

test('the whole of what the person ran is there when they read the result', async (t) => {
  const room = await roomWithLong(t);
  const outcome = await runTool({
    ...{ registry: room.registry, log: silentLogger, server: 'workspace', tool: 'a', input: {} },
    conversation: { id: 'run-tool', cwd: room.folder },
    ask: () => Promise.reject(new Error('not asked here')),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  const file = fileOf(JSON.stringify(outcome));
  await removed(room);
  assert.ok(existsSync(file), file);
});

test('after one result that could not be kept the next ones are kept', async (t) => {
  const room = await roomWithLong(t);
  await rm(room.storage, { recursive: true });
  // Nothing can be removed or made below a file.
  await writeFile(room.storage, '');
  assert.match((await room.call('a')).text, /the whole could not be kept/);
  await rm(room.storage);
  const file = fileOf((await room.call('a')).text);
  assert.equal(await readFile(file, 'utf8'), 'x'.repeat(2_000));
});

test('the whole of a result outlives a window that is loaded anew in the middle of its conversation', async (t) => {
  const room = await roomWithLong(t);
  const file = fileOf((await room.call('a')).text);
  room.tools.dispose();
  room.tools.conversationEnded('c1');
  const { folder, storage } = room;
  const next = await createToolRoom(t, { folder, storage });
  next.limits.maxResultChars = 1_000;
  await next.look();
  const context = { id: 'c2', cwd: folder };
  const router = createRouter({
    registry: next.registry,
    log: silentLogger,
    conversation: context,
  });
  const params = { name: 'a', arguments: {} };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const other = fileOf(JSON.stringify(await router.route('workspace', call, { requestId: 'r' })));
  assert.deepEqual([existsSync(file), existsSync(other)], [true, true]);
  router.dispose();
});

test('results that earlier windows left stay a week for who goes on with their conversation, within bounds', async (t) => {
  const folder = path.join(await tempFolder(t), 'results');
  const log = listLogger([]);
  const kept = async (store: ResultStore, conversation: string): Promise<string> =>
    (await store.keep(conversation, 'a', conversation, 'txt')) ?? '';
  const store = new ResultStore(folder, log);
  const [recent, old, large] = [
    await kept(store, 'recent'),
    await kept(store, 'old'),
    await kept(store, 'large'),
  ];
  // A file of nothing but a length takes no room.
  await truncate(large, 255_999_990);
  const age = async (file: string, days: number): Promise<void> => {
    const then = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    await utimes(path.dirname(file), then, then);
  };
  await age(old, 8);
  await age(recent, 6);
  await age(large, 5);
  const isThere = (file: string): Promise<boolean> =>
    stat(file).then(
      () => true,
      () => false,
    );
  await writeFile(path.join(folder, '.DS_Store'), '');
  const own = await kept(new ResultStore(folder, log), 'own');
  const all = [own, recent, old, large];
  assert.deepEqual(await Promise.all(all.map(isThere)), [true, true, false, true]);
  await truncate(large, 255_999_999);
  await kept(new ResultStore(folder, log), 'another');
  assert.deepEqual(await Promise.all(all.map(isThere)), [true, false, false, false]);
});

test('50 MB of text, of JSON and of an image are one short answer each', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, runs("() => 'x'.repeat(50_000_000)"));
  await room.write(
    '.patchbay/tools/b.tool.ts',
    runs("() => Array.from({ length: 500 }, () => 'y'.repeat(100_000))"),
  );
  await room.write(
    '.patchbay/tools/c.tool.ts',
    runs("() => ({ data: new Uint8Array(50_000_000), mimeType: 'image/png' })"),
  );
  await room.look();
  for (const name of ['a', 'b', 'c']) {
    const { text, result } = await room.call(name);
    assert.ok(text.length <= 50_000);
    assert.ok(JSON.stringify(result).length < 100_000);
    const file = /in (\/.*|[A-Z]:.*)\]$/.exec(text)?.[1];
    assert.ok((await stat(file!)).size >= 50_000_000, name);
  }
});

test('floods of the log and of the console are bounded, and say how much is missing', async (t) => {
  const room = await roomWith(
    t,
    `async (_i, ctx) => {
      for (let i = 0; i < 5_000; i += 1) { ctx.log('info', 'logged ' + i); console.log('console %d', i, { a: [1] }); }
      console.error('x'.repeat(1_000_000));
      return 'ok';
    }`,
  );
  assert.equal((await room.call('a')).text, 'ok');
  assert.ok(room.log.length < 400, String(room.log.length));
  assert.ok(room.log.every((line) => line.length < 20_000));
  assert.ok(room.log.includes('info [.patchbay/tools/a.tool.ts] console 0 { a: [ 1 ] }'));
});

test('a rejected promise that nobody waits for is named in the log and ends nothing', async (t) => {
  const room = await roomWith(
    t,
    `() => { void Promise.reject(new Error('left behind')); return 'ok'; }`,
  );
  // Node's own test runner takes such an error as this test's fault.
  const others = process
    .listeners('unhandledRejection')
    .filter((one) => !one.name.includes('rejected'));
  for (const one of others) process.off('unhandledRejection', one);
  try {
    assert.equal((await room.call('a')).text, 'ok');
    while (!room.log.some((line) => line.includes('left behind')))
      await new Promise((resolve) => setImmediate(resolve));
  } finally {
    for (const one of others) process.on('unhandledRejection', one);
  }
  const line = room.log.find((one) => one.includes('left behind'));
  assert.match(line ?? '', /A tool file left a rejected promise.*a\.tool\.ts:2:/s);
});

test('Stop ends a call and tells the handler', async (t) => {
  const room = await roomWith(
    t,
    `(_i, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => { globalThis.stoppedBy = signal.reason.message; resolve(1); }))`,
  );
  const call = room.call('a');
  room.router.cancelAll('stopped by the person');
  assert.match((await call).text, /stopped by the person/);
  assert.match(String(Reflect.get(globalThis, 'stoppedBy')), /stopped by the person/);
});

test('who watches for loops is told when code of a file runs, and when it is done', async (t) => {
  const events: string[] = [];
  const running = (file: string): { dispose: () => void } => {
    events.push(`+${path.basename(file)}`);
    return { dispose: () => events.push(`-${path.basename(file)}`) };
  };
  const room = await createToolRoom(t, { ports: { running } });
  await room.write(
    A,
    runs(`async function* () { yield 1; globalThis.duringCall = true; return 2; }`),
  );
  await room.look();
  assert.deepEqual(events, ['+a.tool.ts', '-a.tool.ts']);
  events.length = 0;
  await room.call('a');
  assert.deepEqual(events, ['+a.tool.ts', '-a.tool.ts']);
  await room.write(
    A,
    says('x').replace('() =>', '() => { throw new Error("no"); }; const unused = () =>'),
  );
});
