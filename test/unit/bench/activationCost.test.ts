import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { activationCost, heavyPackages, type Metafile } from '../../bench/activationCost';
import { root } from '../../harness/paths';

let built: Promise<Metafile> | undefined;

/** The metafile of a production build: that of `npm test` where it runs in one, else of its own. */
function metafile(): Promise<Metafile> {
  return (built ??= readMetafile());
}

async function readMetafile(): Promise<Metafile> {
  const given = process.env.PATCHBAY_META;
  // Written by esbuild.
  if (given !== undefined) return JSON.parse(await readFile(given, 'utf8')) as Metafile;
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-meta-'));
  try {
    const args = ['esbuild.mjs', '--production', `--dist=${folder}/dist`, `--out=${folder}`];
    await promisify(execFile)(process.execPath, args, { cwd: root });
    return JSON.parse(await readFile(path.join(folder, 'meta.json'), 'utf8')) as Metafile;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('all that activate loads is at most 64 KB and holds neither an SDK nor zod', async () => {
  const cost = activationCost(await metafile());
  assert.deepEqual(heavyPackages(cost), []);
  assert.ok(cost.bytes <= 64 * 1024, `${cost.bytes} bytes in ${cost.files.join(', ')}`);
  assert.ok(cost.bytes > 1024, 'the entry was found, and is not empty');
});

test('activate loads few files, and what it imports later brings the panel along only where that is it', async () => {
  const meta = await metafile();
  const { files } = activationCost(meta);
  assert.ok(files.length <= 5, files.join(', '));
  const later = files
    .flatMap((file) => meta.outputs[file]?.imports ?? [])
    .filter(({ kind }) => kind === 'dynamic-import');
  const withPanel = later.filter(({ path: file }) =>
    inputsOf(meta, file).includes('src/host/app.ts'),
  );
  assert.ok(later.length > 3);
  assert.deepEqual(
    withPanel.map(({ path: file }) => path.basename(file).replace(/-.*/, '')),
    ['app'],
  );
});

test('panel and conversation load of zod what they use, and neither its languages nor what authors use', async () => {
  const meta = await metafile();
  const names = Object.keys(meta.outputs);
  for (const chunk of [/chunks\/app-/, /chunks\/createConversation-/]) {
    const first = names.find((name) => chunk.test(name));
    assert.ok(first !== undefined, String(chunk));
    const zod = inputsOf(meta, first).filter((file) => file.includes('node_modules/zod/'));
    assert.ok(zod.length > 5, 'it is there');
    assert.deepEqual(
      zod.filter((file) => /locales|classic|v3/.test(file)),
      [],
    );
  }
});

/** All that is loaded with an output. */
function inputsOf({ outputs }: Metafile, first: string): string[] {
  const files = new Set([first]);
  for (const file of files) {
    for (const { path: next, kind, external } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) files.add(next);
    }
  }
  return [...files].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
}

test('activate loads no module of Node that a process does not have loaded already', async () => {
  const { externals } = activationCost(await metafile());
  // `fs` by both of its names: ours, and that of a library.
  assert.deepEqual(externals, ['fs', 'fs/promises', 'node:fs', 'vscode']);
});

test('what compiles tool files stands in a program of its own, and nowhere else', async () => {
  const { outputs } = await metafile();
  const holds = (part: string): string[] =>
    Object.entries(outputs)
      .filter(([, { inputs }]) => Object.keys(inputs).some((name) => name.includes(part)))
      .map(([name]) => path.basename(name));
  assert.deepEqual(holds('node_modules/jiti/'), ['sourceCompiler.cjs']);
  assert.deepEqual(holds('src/workspaceTools/scanProgram.ts'), ['sourceCompiler.cjs']);
});

test('what is imported statically is counted through any number of chunks, the rest is not', () => {
  const output = (bytes: number, inputs: readonly string[], imports: Record<string, string>) => ({
    bytes,
    inputs: Object.fromEntries(inputs.map((name) => [name, { bytesInOutput: 1 }])),
    imports: Object.entries(imports).map(([file, kind]) => ({
      path: file,
      kind,
      external: file === 'vscode',
    })),
  });
  const cost = activationCost({
    outputs: {
      'dist/extension.js': {
        ...output(100, ['src/extension.ts'], {
          'dist/a.js': 'import-statement',
          'dist/late.js': 'dynamic-import',
          vscode: 'import-statement',
        }),
        entryPoint: 'src/extension.ts',
      },
      'dist/a.js': output(20, ['node_modules/zod/index.js'], { 'dist/b.js': 'import-statement' }),
      'dist/b.js': output(3, ['node_modules/a/node_modules/@modelcontextprotocol/sdk/x.js'], {
        'dist/extension.js': 'import-statement',
      }),
      'dist/late.js': output(9000, ['node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs'], {}),
    },
  });
  assert.equal(cost.bytes, 123);
  assert.deepEqual(cost.externals, ['vscode']);
  assert.deepEqual(heavyPackages(cost), ['@modelcontextprotocol/sdk', 'zod']);
});
