import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { createDeferred } from '../../src/base/deferred';
import { createToolContext } from '../../src/mcp/toolContext';
import type { ToolFileFault } from '../../src/workspaceTools/toolFile';
import { ToolFileError } from '../../src/workspaceTools/toolFileHost';
import { eventually } from '../harness/panelSandbox/eventually';
import { createWorkerBench, fileWith, textFrom } from '../harness/toolWorker/workerBench';
import { createBench, textOf } from '../unit/mcp/routerFixture';

const bench = await createWorkerBench({ patienceMs: 500 });
after(() => {
  bench.dispose();
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
    const { 'tools/probe.tool.ts': probe = '' } = fileWith(CALLS, 'timeout: 1_000,');
    // With more time: else its own might be up first, and end the file.
    const patient = `
export const patient = defineTool({
  isolation: 'worker',
  name: 'patient',
  description: 'Waits.',
  input: { type: 'object' },
  ${CALLS}
});`;
    const server = await bench.serve({ 'tools/probe.tool.ts': probe + patient });
    const progress: string[] = [];
    const { call } = createBench([server], {
      onProgress: ({ requestId }) => void progress.push(requestId),
    });
    const waiting = call('workspace', 'patient', { does: 'wait' }, 'waits');
    while (!progress.includes('waits')) await new Promise((resolve) => setImmediate(resolve));
    const looping = call('workspace', 'probe', { does: 'loop' });
    const looped = await looping;
    assert.equal(looped.result?.isError, true);
    assert.match(textOf(looped) ?? '', /did not finish within 1 s and was stopped/);
    const waited = await waiting;
    assert.equal(waited.result?.isError, true);
    assert.match(textOf(waited) ?? '', /ended, since code of it did not come to an end/);
    // The one with more time: a new worker may take longer than a second to start.
    const next = await call('workspace', 'patient', { does: 'answer' });
    assert.match(textOf(next) ?? '', /^answered/);
    assert.ok(bench.log.some((line) => line.includes('does not come to an end')));
  });

  test('what is watched is watched by the next worker too, and reported once, since it may have changed meanwhile', async () => {
    const server = await bench.serve({
      'tools/watched.tool.ts': `
        import { defineResource, defineTool } from 'patchbay';
        const all = new Map();
        export const note = defineResource({
          isolation: 'worker',
          uri: 'note://{id}',
          read: ({ id }) => id,
          watch: (uri, changed) => {
            all.set(uri, changed);
            return { dispose: () => all.delete(uri) };
          },
        });
        export const probe = defineTool({
          isolation: 'worker',
          name: 'probe',
          description: 'Ends, or changes what is watched.',
          input: { type: 'object' },
          run({ does }) {
            if (does === 'exit') process.exit(3);
            if (does === 'change') for (const changed of all.values()) changed();
            return [...all.keys()].join(' ');
          },
        });`,
    });
    const { call } = createBench([server]);
    const told: string[] = [];
    const [resource] = server.resources();
    const watch = (uri: string) => resource?.watch?.(uri, () => void told.push(uri));
    watch('note://milk');
    const tax = watch('note://tax');
    const given = watch('note://given up');
    const watched = async (does: string) => textOf(await call('workspace', 'probe', { does }));
    await eventually(
      async () => (await watched('look')) === 'note://milk note://tax note://given up',
    );
    given?.dispose();
    await watched('exit');
    assert.deepEqual(told, []);
    assert.equal(await watched('look'), 'note://milk note://tax');
    await eventually(() => told.length === 2);
    assert.deepEqual(told.splice(0), ['note://milk', 'note://tax']);
    tax?.dispose();
    assert.equal(await watched('change'), 'note://milk');
    await eventually(() => told.length === 1);
    assert.deepEqual(told, ['note://milk']);
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

  const FLOODS = {
    progress: 'run(_input, ctx) { for (let at = 0; ; at += 1) ctx.progress(at); }',
    'last reports': 'run(_input, ctx) { for (;;) ctx.progress(1, 1); }',
    files: "run(_input, ctx) { for (let at = 0; ; at += 1) ctx.tellFile('a' + at); }",
    yields: '*run() { for (;;) yield 1; }',
  };
  for (const [what, body] of Object.entries(FLOODS)) {
    test(`reports without end hold up no extension host, and end with their worker: ${what}`, async () => {
      const small = await createWorkerBench({ memoryMb: 64, patienceMs: 500 });
      const server = await small.serve(fileWith(body));
      const stop = new AbortController();
      let count = 0;
      const told = (): void => {
        count += 1;
        if (count === 50) stop.abort(new Error('late'));
      };
      const ctx = createToolContext({ signal: stop.signal, progress: told, tellFile: told });
      assert.match(await textFrom(server, {}, ctx), /not come to an end|more than 64 MB/);
      assert.ok(count < 5_000, String(count));
      small.dispose();
    });
  }

  test('all files are told before the answer, however many there are', async () => {
    const server = await bench.serve(
      fileWith(`
        run(_input, ctx) {
          for (let at = 0; at < 3_000; at += 1) ctx.tellFile('a' + at, at);
          throw new Error('failed');
        },`),
    );
    const told: string[] = [];
    const tellFile = (file: string, bytes?: number): void => void told.push(`${file} ${bytes}`);
    assert.match(await textFrom(server, {}, createToolContext({ tellFile })), /failed/);
    assert.deepEqual(
      told,
      Array.from({ length: 3_000 }, (_, at) => `a${at} ${at}`),
    );
  });

  test('a file that is replaced or removed ends its worker, and its calls say so', async () => {
    const file = await bench.load(fileWith(CALLS));
    const [loaded] = file.definitions;
    const { definition } = loaded ?? {};
    assert.equal(definition?.kind, 'tool');
    const progress = createDeferred<undefined>();
    const ctx = createToolContext({ progress: () => progress.resolve(undefined) });
    const outcome = assert.rejects(
      Promise.resolve(definition.run({ does: 'wait' }, ctx)),
      /changed or removed/,
    );
    await progress.promise;
    file.dispose();
    await outcome;
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
  await eventually(() => threads() <= before);
});
