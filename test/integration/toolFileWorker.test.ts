import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Disposable } from '../../src/base/disposable';
import { Emitter } from '../../src/base/event';
import type { ConversationReset } from '../../src/mcp/conversationFacts';
import { createToolContext, type ToolContext } from '../../src/mcp/toolContext';
import { CallScope } from '../../src/workspaceTools/callScope';
import { inRoot } from '../harness/paths';
import { createWorkerBench, fileWith, textFrom } from '../harness/toolWorker/workerBench';
import { createBench, textOf } from '../unit/mcp/routerFixture';
import { createToolRoom } from '../unit/workspaceTools/toolRoom';

const bench = await createWorkerBench();
after(() => {
  bench.dispose();
});

test('a tool in a worker is listed and checked by its real schema, and has no vscode', async () => {
  const server = await bench.serve({
    'tools/sum.tool.ts': `
      import { defineTool, z } from 'patchbay';
      import { isMainThread } from 'node:worker_threads';
      import { half } from '../lib/half.ts';
      export default defineTool({
        isolation: 'worker',
        description: 'Adds.',
        input: { of: z.array(z.number()).min(1), day: z.string().transform((text) => new Date(text)) },
        annotations: { readOnlyHint: true },
        run({ of, day }, ctx) {
          const sum = half(of.reduce((a: number, b: number) => a + b, 0));
          const { workspaceFolder } = ctx;
          return [sum, isMainThread, day.getUTCFullYear(), 'vscode' in ctx, workspaceFolder.name];
        },
      });
    `,
    'lib/half.ts': 'export const half = (n: number): number => n / 2;',
  });
  const [tool] = server.listTools();
  assert.deepEqual(tool, {
    name: 'sum',
    description: 'Adds.',
    inputSchema: {
      type: 'object',
      properties: {
        of: { type: 'array', items: { type: 'number' }, minItems: 1 },
        day: { type: 'string' },
      },
      required: ['of', 'day'],
    },
    annotations: { readOnlyHint: true },
  });
  const call = (input: object) => server.execute('sum', input, createToolContext());
  assert.deepEqual(await call({ of: [1, 5], day: '2020-05-05' }), {
    content: [{ type: 'text', text: '[3,false,2020,false,"My Folder"]' }],
  });
  await assert.rejects(call({ of: ['x'], day: 1 }), (error: Error) => {
    assert.match(error.message, /of\[0\]: expected number/);
    assert.match(error.message, /day: expected string, received number 1/);
    return true;
  });
});

test('results of every kind come out of a worker as they do in the extension host', async () => {
  const server = await bench.serve(
    fileWith(`
      async *lines() { yield 'half way'; return 'all'; },
      run({ kind }, ctx) {
        switch (kind) {
          case 'text': return 'plain';
          case 'bigint': return 12n;
          case 'date': return new Date(0);
          case 'map': return new Map([['a', new Set([1])]]);
          case 'nothing': return undefined;
          case 'image': return { data: new Uint8Array([1, 2, 3]), mimeType: 'image/png' };
          case 'content': return { content: [{ type: 'text', text: 'as it is' }], isError: true };
          case 'returned': return new Error('told');
          case 'thrown': throw new Error('thrown');
          case 'function': return () => 1;
          case 'progress': return this.lines();
          default: { const ring = {}; ring.ring = ring; return ring; }
        }
      },`),
  );
  const of = async (kind: string) => server.execute('probe', { kind }, createToolContext());
  const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
  assert.deepEqual(await of('text'), text('plain'));
  assert.deepEqual(await of('bigint'), text('12'));
  assert.deepEqual(await of('date'), text('1970-01-01T00:00:00.000Z'));
  assert.deepEqual(await of('map'), text('{"a":[1]}'));
  assert.deepEqual(await of('nothing'), { content: [] });
  assert.deepEqual(await of('image'), {
    content: [{ type: 'image', data: 'AQID', mimeType: 'image/png' }],
  });
  assert.deepEqual(await of('content'), { ...text('as it is'), isError: true });
  assert.deepEqual(await of('returned'), { ...text('told'), isError: true });
  assert.deepEqual(await of('thrown'), { ...text('Tool error: thrown'), isError: true });
  assert.match(JSON.stringify(await of('function')), /returned a function/);
  assert.match(JSON.stringify(await of('ring')), /cannot be written as JSON/);
  const told: unknown[] = [];
  const ctx = createToolContext({ progress: (...step) => void told.push(step) });
  assert.deepEqual(await server.execute('probe', { kind: 'progress' }, ctx), text('all'));
  assert.deepEqual(told, [[1, undefined, 'half way']]);
});

test('an output schema is checked in the worker, and its object is sent as structured content', async () => {
  const server = await bench.serve(
    fileWith('run: ({ n }) => ({ n }),', 'output: z.object({ n: z.number() }),'),
  );
  assert.deepEqual(Object.keys(server.listTools()[0] ?? {}).includes('outputSchema'), true);
  assert.deepEqual(await server.execute('probe', { n: 1 }, createToolContext()), {
    content: [{ type: 'text', text: '{"n":1}' }],
    structuredContent: { n: 1 },
  });
  const bad = await server.execute('probe', { n: 'x' }, createToolContext());
  assert.equal(bad.isError, true);
  assert.match(JSON.stringify(bad), /n: expected number/);
});

test('no field of the context is lost on the way, in a worker or without one', async () => {
  // A field that is added is missing here, and then there.
  const full: Required<ToolContext> = {
    ...{ toolUseId: 't1', agent: 't0', progressToken: 1, meta: { x: 1 } },
    ...{ clientInfo: { name: 'c', version: '1' }, clientCapabilities: {} },
    ...{ turnStart: 2, lastTurnStart: 1 },
    ...createToolContext(),
  };
  const names = Object.keys(full).sort();
  assert.equal(new CallScope(full).agent, 't0');
  assert.deepEqual(
    names.filter((name) => Reflect.get(new CallScope(full), name) === undefined),
    [],
  );
  const server = await bench.serve(
    fileWith(`
      input: { names: z.array(z.string()) },
      run: ({ names }, ctx) => names.filter((name) => ctx[name] === undefined).concat(ctx.agent),`),
  );
  assert.equal(await textFrom(server, { names }, full), '["t0"]');
});

test('all of the context works over messages: facts, progress, log, files, questions and state', async () => {
  const server = await bench.serve(
    fileWith(`
      async run(input, ctx) {
        ctx.progress(1, 2, 'one');
        ctx.log('warning', { a: 1 }, 'part');
        ctx.tellFile('src/a.ts', 12);
        const answer = await ctx.ask({ when: z.string().transform((text) => text.length) }, 'When?');
        const held = await ctx.whilePersonDecides(Promise.resolve('held'));
        ctx.state.set('calls', (ctx.state.get('calls') ?? 0) + 1);
        const { requestId, toolUseId, conversation, mode, meta } = ctx;
        return { requestId, toolUseId, conversation, mode, meta, answer, held, calls: ctx.state.get('calls') };
      },`),
  );
  const told: unknown[] = [];
  const state = new Map<string, unknown>();
  const ctx = createToolContext({
    requestId: 'r1',
    toolUseId: 't1',
    conversation: { id: 'c1', cwd: '/work' },
    mode: 'plan',
    meta: { x: 1 },
    state,
    progress: (...step) => void told.push(['progress', ...step]),
    log: (...line) => void told.push(['log', ...line]),
    tellFile: (...file) => void told.push(['file', ...file]),
    ask: ((schema: unknown, message: string) => {
      told.push(['ask', JSON.stringify(schema), message]);
      return Promise.resolve({ action: 'accept', content: { when: '2020-01-01' } });
    }) as ToolContext['ask'],
    whilePersonDecides: async (work) => {
      told.push(['held']);
      return work;
    },
  });
  const answer = JSON.parse(await textFrom(server, {}, ctx)) as Record<string, unknown>;
  assert.deepEqual(answer, {
    requestId: 'r1',
    toolUseId: 't1',
    conversation: { id: 'c1', cwd: '/work' },
    mode: 'plan',
    meta: { x: 1 },
    answer: { action: 'accept', content: { when: 10 } },
    held: 'held',
    calls: 1,
  });
  assert.deepEqual(told, [
    ['progress', 1, 2, 'one'],
    ['log', 'warning', { a: 1 }, 'part'],
    ['file', 'src/a.ts', 12],
    [
      'ask',
      '{"type":"object","properties":{"when":{"type":"string"}},"required":["when"]}',
      'When?',
    ],
    ['held'],
  ]);
  const again = JSON.parse(await textFrom(server, {}, ctx)) as Record<string, unknown>;
  assert.equal(again.calls, 2, 'the same conversation');
  const other = createToolContext({ ...ctx, state: new Map() });
  assert.equal((JSON.parse(await textFrom(server, {}, other)) as { calls: number }).calls, 1);
});

test('a question that cannot be put, and one that is declined, are told to the handler', async () => {
  const server = await bench.serve(
    fileWith(`run: async (_input, { ask }) => (await ask({ a: z.string() }, 'A?')).action,`),
  );
  assert.match(await textFrom(server), /^Tool error: Nobody can be asked here$/);
  const decline = (() => Promise.resolve({ action: 'decline' })) as ToolContext['ask'];
  assert.equal(await textFrom(server, {}, createToolContext({ ask: decline })), 'decline');
});

test("an answer that only the author's schema finds wrong brings the form back, with what was typed and why", async () => {
  const server = await bench.serve(
    fileWith(`
      run: (_input, { ask }) => ask(
        z.object({
          version: z.string().default('1.0').refine((text) => text === '2.0', 'must be the next one'),
          note: z.string().default('none').optional(),
          major: z.boolean(),
        }),
        'Which?',
      ),`),
  );
  const asked: { readonly first: unknown[]; readonly message: string }[] = [];
  const answering = (...versions: readonly string[]) =>
    createToolContext({
      ask: ((schema: { readonly properties: Record<string, object> }, message: string) => {
        const first = Object.values(schema.properties).map((field): unknown =>
          Reflect.get(field, 'default'),
        );
        asked.push({ first, message });
        const version = versions[asked.length - 1] ?? '2.0';
        return Promise.resolve({ action: 'accept', content: { version, major: true } });
      }) as ToolContext['ask'],
    });
  const right = '{"action":"accept","content":{"version":"2.0","note":"none","major":true}}';
  assert.equal(await textFrom(server, {}, answering('1.1', '1.2')), right);
  assert.deepEqual(
    asked.map(({ first }) => first),
    [
      ['1.0', 'none', undefined],
      ['1.1', undefined, true],
      ['1.2', undefined, true],
    ],
  );
  assert.equal(asked[0]?.message, 'Which?');
  for (const { message } of asked.slice(1)) {
    assert.match(message, /^Which\?\n\nversion: .*must be the next one/);
  }
  asked.length = 0;
  // A program that answers never thinks again.
  assert.match(
    await textFrom(server, {}, answering('1.1', '1.1')),
    /^Tool error: The answer does not fit the form:\nversion: /,
  );
  assert.equal(asked.length, 2);
});

test('a question that the call leaves open, or that comes after it, fails in the handler', async () => {
  const server = await bench.serve(
    fileWith(`
      async run(_input, { ask, state, log }) {
        const before = state.get('before');
        const later = () => ask({ a: z.string() }, 'A?').catch((error) => error.message);
        globalThis.left ??= { open: later(), later };
        if (before) return [await globalThis.left.open, await globalThis.left.later()];
        state.set('before', true);
        return 'asked';
      },`),
  );
  let asked = 0;
  const ask = (() => new Promise(() => (asked += 1))) as ToolContext['ask'];
  const ctx = createToolContext({ ask, state: new Map() });
  assert.equal(await textFrom(server, {}, ctx), 'asked');
  assert.equal(await textFrom(server, {}, ctx), '["The call has ended","The call has ended"]');
  assert.ok(asked <= 1, 'nobody is asked after the call');
});

test('a call that is stopped is told so by its signal', async () => {
  const server = await bench.serve(
    fileWith(`
      run: (_input, ctx) => new Promise((_resolve, reject) => {
        ctx.progress(1);
        ctx.signal.addEventListener('abort', () => reject(new Error('stopped: ' + ctx.signal.reason.message)));
      }),`),
  );
  const stop = new AbortController();
  const ctx = createToolContext({
    signal: stop.signal,
    progress: () => {
      stop.abort(new Error('by the person'));
    },
  });
  assert.equal(await textFrom(server, {}, ctx), 'Tool error: stopped: by the person');
});

test('that a conversation was compacted reaches those in a worker who subscribed', async () => {
  const server = await bench.serve(
    fileWith(`
      run(_input, ctx) {
        if (!ctx.state.has('resets')) {
          ctx.state.set('resets', []);
          ctx.onDidReset((how) => ctx.state.get('resets').push(how));
        }
        return ctx.state.get('resets');
      },`),
  );
  const reset = new Emitter<ConversationReset>();
  const ctx = createToolContext({ state: new Map(), onDidReset: reset.event });
  assert.equal(await textFrom(server, {}, ctx), '[]');
  reset.fire('compaction');
  assert.equal(await textFrom(server, {}, ctx), '["compaction"]');
});

test('prompts and resources of a worker are run, listed, completed and watched', async () => {
  const server = await bench.serve({
    'tools/notes.tool.ts': `
      import { definePrompt, defineResource, z } from 'patchbay';
      const notes = new Map([['milk', 'Buy milk'], ['tax', 'Pay taxes']]);
      export const plan = definePrompt({
        isolation: 'worker',
        description: 'Plans.',
        arguments: { id: z.enum(['milk', 'tax']), hours: z.coerce.number().default(8) },
        run: ({ id, hours }) => [{ role: 'user', text: notes.get(id) + ' in ' + hours }],
      });
      export const note = defineResource({
        isolation: 'worker',
        uri: 'note://{id}',
        list: (ctx) => [...notes.keys()].map((id) => ({ uri: 'note://' + id, name: id + ' ' + ctx.mode })),
        read: ({ id }) => notes.get(id),
        complete: { id: (value) => [...notes.keys()].filter((id) => id.startsWith(value)) },
        watch: (uri, changed) => { queueMicrotask(changed); return { dispose() {} }; },
      });
    `,
  });
  const ctx = createToolContext();
  const { messages } = await server.renderPrompt('plan', { id: 'milk', hours: '2' }, ctx);
  assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Buy milk in 2' } }]);
  await assert.rejects(server.renderPrompt('plan', { id: 'x' }, ctx), /id: expected/);
  assert.deepEqual(await server.readResource('note://tax', ctx), {
    contents: [{ uri: 'note://tax', text: 'Pay taxes' }],
  });
  await assert.rejects(server.readResource('note://gone', ctx), /not found/);
  const [resource] = server.resources();
  const [prompt] = server.prompts();
  assert.deepEqual(await resource?.list?.(ctx), [
    { uri: 'note://milk', name: 'milk default' },
    { uri: 'note://tax', name: 'tax default' },
  ]);
  assert.deepEqual(await resource?.complete.get('id')?.('m', {}, ctx), ['milk']);
  assert.deepEqual(await prompt?.complete.get('id')?.('t', {}, ctx), ['tax']);
  await new Promise<void>((resolve) => resource?.watch?.('note://milk', resolve));
});

test('however a watch ends, or fails to, its worker goes on with the calls that run', async () => {
  const server = await bench.serve({
    'tools/notes.tool.ts': `
      import { defineResource, defineTool } from 'patchbay';
      let ended = 0;
      let go;
      const kinds = {
        function: () => () => { ended += 1; },
        disposable: () => ({ dispose() { ended += 10; } }),
        thrower: () => ({ dispose() { throw new Error('boom'); } }),
        later: () => ({ dispose: () => Promise.reject(new Error('too late')) }),
        number: () => 5,
        promise: async () => ({ dispose() {} }),
        nothing: () => undefined,
      };
      export const note = defineResource({
        isolation: 'worker',
        uri: 'note://{kind}',
        read: () => 'x',
        watch: (uri, changed) => { queueMicrotask(changed); return kinds[uri.slice(7)](); },
      });
      const common = { isolation: 'worker', description: 'd' };
      export const wait = defineTool({ ...common, run: () => new Promise((done) => { go = done; }) });
      export const end = defineTool({ ...common, run: () => { go(String(ended)); return 'gone'; } });
    `,
  });
  const { call } = createBench([server]);
  const waiting = call('workspace', 'wait');
  const [resource] = server.resources();
  const kinds = ['function', 'disposable', 'thrower', 'later', 'number', 'promise', 'nothing'];
  for (const kind of kinds) {
    let watch: Disposable | undefined;
    await new Promise<void>((resolve) => {
      watch = resource?.watch?.(`note://${kind}`, resolve);
    });
    watch?.dispose();
  }
  assert.equal(textOf(await call('workspace', 'end')), 'gone');
  assert.equal(textOf(await waiting), '11');
  const told = bench.log
    .filter((line) => line.includes('watch of note'))
    .map((line) => /note:..(\w+)/.exec(line)?.[1]);
  assert.deepEqual(told, ['thrower', 'number', 'promise']);
});

test('what fails in a listener to a compaction ends no worker', async () => {
  const server = await bench.serve(
    fileWith(`
      run(_input, ctx) {
        if (!globalThis.first) {
          globalThis.first = 'the same worker';
          ctx.onDidReset(() => { throw new Error('lost'); });
        }
        return globalThis.first;
      },`),
  );
  const reset = new Emitter<ConversationReset>();
  const ctx = createToolContext({ state: new Map(), onDidReset: reset.event });
  await textFrom(server, {}, ctx);
  reset.fire('compaction');
  await textFrom(server, {}, ctx);
  assert.ok(
    bench.log.some((line) => line.includes('onDidReset failed: lost')),
    bench.log.join('\n'),
  );
});

test('a worker runs what is compiled already, and compiles only the rest', async (t) => {
  const compilerFile = inRoot('not-there', 'sourceCompiler.cjs');
  const blind = await createWorkerBench({ compilerFile });
  t.after(() => {
    blind.dispose();
  });
  const room = await createToolRoom(t, { ports: { worker: blind.host } });
  const file = '.patchbay/tools/a.tool.ts';
  const source = (body: string): string => `import { defineTool } from 'patchbay';
import { half } from '../half';
export default defineTool({ isolation: 'worker', description: 'd', run: ${body} });
`;
  await room.write('.patchbay/half.ts', 'export const half = (n: number): number => n / 2;');
  await room.write(file, source('() => half(5)'));
  await room.look();
  assert.deepEqual(room.file('a.tool.ts')?.faults, []);
  assert.equal((await room.call('a')).text, '2.5');
  // Its name is computed, so that it is not known before.
  await room.write(file, source("async () => (await import(['..', 'late'].join('/'))).late"));
  await room.write('.patchbay/late.ts', 'export const late: number = 7;');
  await room.look();
  assert.match((await room.call('a')).text, /Cannot find module .*sourceCompiler\.cjs/);
  const seeing = await createToolRoom(t, { folder: room.folder, ports: { worker: bench.host } });
  await seeing.look();
  assert.equal((await seeing.call('a')).text, '7');
});
