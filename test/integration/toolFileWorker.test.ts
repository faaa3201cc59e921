import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Emitter } from '../../src/base/event';
import type { ConversationReset } from '../../src/mcp/conversationFacts';
import type { McpServerDefinition } from '../../src/mcp/mcpServer';
import { createToolContext, type ToolContext } from '../../src/mcp/toolContext';
import type { ToolFileFault } from '../../src/workspaceTools/toolFile';
import { ToolFileError } from '../../src/workspaceTools/toolFileHost';
import { createWorkerBench } from '../harness/toolWorker/workerBench';
import { createBench, textOf } from '../unit/mcp/routerFixture';

const bench = await createWorkerBench({ patienceMs: 500 });
after(() => {
  bench.dispose();
});

/** A tool file whose tool takes anything and does what `body` says. */
function fileWith(body: string, options = ''): Record<string, string> {
  return {
    'tools/probe.tool.ts': `
import { defineTool, definePrompt, defineResource, z } from 'patchbay';
export default defineTool({
  isolation: 'worker',
  description: 'Does it.',
  input: { type: 'object' },
  ${options}
  ${body}
});
`,
  };
}

async function textFrom(
  server: McpServerDefinition,
  input: object = {},
  ctx: ToolContext = createToolContext(),
): Promise<string> {
  const { content } = await server.execute('probe', input, ctx);
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('|');
}

test('a tool in a worker is listed and checked by its real schema, and has no vscode', async () => {
  const server = await bench.serve({
    'tools/sum.tool.ts': `
      import { defineTool, z } from 'patchbay';
      import { isMainThread } from 'node:worker_threads';
      import { half } from '../lib/half.ts';
      export default defineTool({
        isolation: 'worker',
        description: 'Adds.',
        input: { of: z.array(z.number()).min(1), day: z.iso.date().transform((text) => new Date(text)) },
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
        day: { type: 'string', format: 'date' },
      },
      required: ['of', 'day'],
    },
    annotations: { readOnlyHint: true },
  });
  const call = (input: object) => server.execute('sum', input, createToolContext());
  assert.deepEqual(await call({ of: [1, 5], day: '2020-05-05' }), {
    content: [{ type: 'text', text: '[3,false,2020,false,"My Folder"]' }],
  });
  await assert.rejects(call({ of: ['x'], day: 'now' }), (error: Error) => {
    assert.match(error.message, /of\[0\]: expected number/);
    assert.match(error.message, /day: /);
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

test('all of the context works over messages: facts, progress, log, files, questions and state', async () => {
  const server = await bench.serve(
    fileWith(`
      async run(input, ctx) {
        ctx.progress(1, 2, 'one');
        ctx.log('warning', { a: 1 }, 'part');
        ctx.tellFile('src/a.ts', 12);
        const answer = await ctx.ask({ when: z.iso.date().transform((text) => text.length) }, 'When?');
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
      '{"type":"object","properties":{"when":{"type":"string","format":"date"}},"required":["when"]}',
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

describe('What ends a worker', () => {
  const CALLS = `
    async run({ does }, ctx) {
      ctx.state.set('last', does);
      if (does === 'loop') for (;;);
      if (does === 'exit') process.exit(3);
      if (does === 'fail') setTimeout(() => { throw new Error('out of nowhere'); });
      if (does === 'reject') { void Promise.reject(new Error('unseen')); return 'goes on'; }
      if (does === 'fill') { const all = []; for (;;) all.push(new Array(100_000).fill(does)); }
      if (does !== 'answer') { ctx.progress(1); await new Promise(() => undefined); }
      return 'answered, before that ' + [...ctx.state.keys()];
    },`;

  test('a loop ends at its time-out, with a word to it and to the others, and the next call is served', async () => {
    const server = await bench.serve(fileWith(CALLS, 'timeout: 1_000,'));
    const progress: string[] = [];
    const { call } = createBench([server], {
      onProgress: ({ requestId }) => void progress.push(requestId),
    });
    const waiting = call('workspace', 'probe', { does: 'wait' }, 'waits');
    while (!progress.includes('waits')) await new Promise((resolve) => setImmediate(resolve));
    const looping = call('workspace', 'probe', { does: 'loop' });
    const looped = await looping;
    assert.equal(looped.result?.isError, true);
    assert.match(textOf(looped) ?? '', /did not finish within 1 s and was stopped/);
    const waited = await waiting;
    assert.equal(waited.result?.isError, true);
    assert.match(
      textOf(waited) ?? '',
      /did not finish within 1 s|ended, since code of it did not come to an end/,
    );
    const next = await call('workspace', 'probe', { does: 'answer' });
    assert.match(textOf(next) ?? '', /^answered/);
    assert.ok(bench.log.some((line) => line.includes('does not come to an end')));
  });

  for (const [does, word] of [
    ['exit', /ended itself \(process\.exit, code 3\).*starts anew with the next call/],
    ['fail', /failed: out of nowhere\. The file starts anew/],
  ] as const) {
    test(`"${does}" ends all calls of the file with a clear word, and no other file`, async () => {
      const server = await bench.serve(fileWith(CALLS));
      const other = await bench.serve(fileWith(CALLS));
      const started = new Promise<void>((resolve) => {
        void textFrom(other, { does: 'wait' }, createToolContext({ progress: () => resolve() }));
      });
      await started;
      const both = await Promise.all([
        textFrom(server, { does: 'wait' }),
        textFrom(server, { does }),
      ]);
      for (const text of both) assert.match(text, word);
      assert.match(await textFrom(server, { does: 'answer' }), /^answered/);
      assert.match(await textFrom(other, { does: 'answer' }), /^answered/);
    });
  }

  test('a promise that is rejected unseen is logged and ends nothing', async () => {
    const server = await bench.serve(fileWith(CALLS));
    assert.equal(await textFrom(server, { does: 'reject' }), 'goes on');
    assert.match(await textFrom(server, { does: 'answer' }), /^answered/);
    assert.ok(bench.log.some((line) => line.includes('Error: unseen')));
  });

  test('one that needs too much memory is told so, and the next call is served', async () => {
    const small = await createWorkerBench({ memoryMb: 64 });
    const server = await small.serve(fileWith(CALLS));
    assert.match(await textFrom(server, { does: 'fill' }), /needed more than 64 MB of memory/);
    assert.match(await textFrom(server, { does: 'answer' }), /^answered/);
    small.dispose();
  });

  test('what a conversation kept outlives the worker, from the last call that came to its end', async () => {
    const server = await bench.serve(
      fileWith(`
        run({ does }, ctx) {
          const before = ctx.state.get('count');
          ctx.state.set('count', (before ?? 0) + 1);
          ctx.state.set('odd', () => 1);
          if (does === 'exit') process.exit();
          return before;
        },`),
    );
    const ctx = createToolContext({ state: new Map() });
    assert.equal(await textFrom(server, {}, ctx), '');
    assert.equal(await textFrom(server, {}, ctx), '1');
    assert.match(await textFrom(server, { does: 'exit' }, ctx), /ended itself/);
    assert.equal(await textFrom(server, {}, ctx), '2');
  });

  test('a file that is replaced or removed ends its worker, and its calls say so', async () => {
    const file = await bench.load(fileWith(CALLS));
    const [loaded] = file.definitions;
    const { definition } = loaded ?? {};
    assert.equal(definition?.kind, 'tool');
    const begun = new Promise<Promise<unknown>>((resolve) => {
      const running: Promise<unknown> = Promise.resolve(
        definition.run({ does: 'wait' }, createToolContext({ progress: () => resolve(running) })),
      );
    });
    const outcome = assert.rejects(
      begun.then((running) => running),
      /changed or removed/,
    );
    void begun.then(() => file.dispose());
    await Promise.race([
      outcome,
      begun.then((running) => assert.rejects(running, /changed or removed/)),
    ]);
    await assert.rejects(
      Promise.resolve(definition.run({}, createToolContext())),
      /changed or removed/,
    );
  });
});

describe('A file that cannot be loaded in a worker', () => {
  async function faultOf(
    files: Readonly<Record<string, string>>,
    one = bench,
  ): Promise<ToolFileFault> {
    try {
      await one.load(files);
    } catch (error) {
      assert.ok(error instanceof ToolFileError);
      return error.fault;
    }
    throw new Error('it was loaded');
  }

  test('is told with its place', async () => {
    const thrown = await faultOf({ 'tools/a.tool.ts': `enum A { x }\n\nthrow new Error('no');` });
    assert.equal(thrown.kind, 'load');
    assert.equal(thrown.line, 3);
    assert.match(thrown.path, /\.patchbay\/tools\/a\.tool\.ts$/);
    assert.match(thrown.message, /failed while it was loaded: no$/);
    const syntax = await faultOf({ 'tools/a.tool.ts': 'const a = ;' });
    assert.deepEqual([syntax.kind, syntax.line], ['syntax', 1]);
    const editor = await faultOf({
      'tools/a.tool.ts': `\nimport * as vscode from 'vscode';\nvscode.window;`,
    });
    assert.deepEqual([editor.kind, editor.line], ['import', 2]);
    assert.match(editor.message, /In a worker there is no 'vscode'/);
  });

  test('is told when it ends itself or does not come to an end', async () => {
    const exit = await faultOf({ 'tools/a.tool.js': 'process.exit(0);' });
    assert.match(exit.message, /ended itself while it was loaded/);
    const quick = await createWorkerBench({ loadWithinMs: 1_000 });
    for (const text of ['for (;;);', 'await new Promise(() => {});']) {
      const loop = await faultOf({ 'tools/a.tool.mjs': text }, quick);
      assert.equal(loop.kind, 'load');
      assert.match(loop.message, /did not come to an end within 1 s/);
    }
  });

  test('keeps, of several exports, those that are right', async () => {
    const { definitions, faults } = await bench.load({
      'tools/a.tool.ts': `
import { defineTool, z } from 'patchbay';
export const good = defineTool({ isolation: 'worker', description: 'Good.', run: () => 1 });
export const bad = defineTool({ isolation: 'worker', description: 'Bad.', input: { day: z.date() }, run: () => 1 });
export const none = 1;
`,
    });
    assert.deepEqual(
      definitions.map(({ definition, line }) => [definition.kind, line]),
      [['tool', 3]],
    );
    assert.deepEqual(
      faults.map(({ kind, line }) => [kind, line]),
      [
        ['definition', 5],
        ['definition', 4],
      ],
    );
  });
});

test('no worker is left of files that were loaded and replaced many times', async () => {
  const { readdirSync } = await import('node:fs');
  const threads = (): number =>
    process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0;
  bench.dispose();
  const loadAndReplace = async (): Promise<void> => {
    const file = await bench.load(fileWith('run: () => 1,'));
    file.dispose();
  };
  await loadAndReplace();
  const before = threads();
  for (let count = 0; count < 10; count += 1) await loadAndReplace();
  // A thread that was ended needs a moment to go.
  while (threads() > before) await new Promise((resolve) => setImmediate(resolve));
});
