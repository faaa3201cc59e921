import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { buildPatchbayLib } from '../../build/patchbayLib.mjs';
import { scaffoldTool } from '../../src/workspaceTools/scaffold';
import { ensureVscode } from '../harness/boot/vscodeInstall.mjs';
import { inRoot } from '../harness/paths';

const SAMPLES = inRoot('docs/samples/tools');
const TSC = inRoot('node_modules/typescript/bin/tsc');
const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

let home = '';
let folder = '';
before(async () => {
  // Outside of the project: nothing that is installed there must help.
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay new ü ')));
  folder = path.join(home, 'work');
  const dist = path.join(home, 'dist');
  await buildPatchbayLib({
    root: inRoot(),
    distDir: dist,
    production: true,
    requireBanner: REQUIRE,
  });
  for (const language of ['typescript', 'javascript'] as const) {
    const libFolder = path.join(dist, 'lib');
    await scaffoldTool({ folder, name: `count_${language}`, language, libFolder });
  }
});
after(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

/** As a person runs it, outside of our own test runner. */
function run(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined };
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

function checkTypes(): Promise<{ code: number; output: string }> {
  return run(process.execPath, [TSC, '-p', '.patchbay']);
}

/** One that runs TypeScript as it is: this one, or that of VS Code's server. */
async function nodeForTypeScript(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > 22 || (major === 22 && minor >= 18);
  return isNew ? process.execPath : (await ensureVscode()).node;
}

test('what New Tool File writes type-checks with nothing installed, the samples beside it as well', async () => {
  await mkdir(path.join(folder, '.patchbay/lib'), { recursive: true });
  for (const name of await readdir(path.join(SAMPLES, 'lib'))) {
    await cp(path.join(SAMPLES, 'lib', name), path.join(folder, '.patchbay/lib', name));
  }
  for (const name of (await readdir(SAMPLES)).filter((one) => one.endsWith('.tool.ts'))) {
    await cp(path.join(SAMPLES, name), path.join(folder, '.patchbay/tools', name));
  }
  assert.deepEqual(await checkTypes(), { code: 0, output: '' });
});

test('the types find what is wrong in a handler, and what is not there in a worker', async () => {
  const file = path.join(folder, '.patchbay/tools/wrong.tool.ts');
  await writeFile(
    file,
    `import { defineTool, z } from 'patchbay';
export const a = defineTool({
  description: 'd',
  input: { text: z.string() },
  run: ({ text }) => text.toFixed(),
});
export const b = defineTool({
  isolation: 'worker',
  description: 'd',
  run: (_input, ctx) => ctx.vscode.window,
});
`,
  );
  try {
    const { code, output } = await checkTypes();
    assert.notEqual(code, 0);
    assert.match(output, /wrong\.tool\.ts\(5,\d+\): error TS2\d+: .*toFixed/);
    assert.match(output, /wrong\.tool\.ts\(10,\d+\): error TS2\d+: .*vscode/);
    assert.equal(output.match(/error TS/g)?.length, 2, output);
  } finally {
    await rm(file);
  }
});

for (const [language, ending] of [
  ['typescript', 'ts'],
  ['javascript', 'js'],
] as const) {
  test(`the test that New Tool File writes in ${language} passes by the command in its first line, and fails with its tool`, async () => {
    const file = `.patchbay/tools/count_${language}.test.${ending}`;
    const [first = ''] = (await readFile(path.join(folder, file), 'utf8')).split('\n');
    assert.ok(first.endsWith(`node --test ${file}`), first);
    const node = language === 'typescript' ? await nodeForTypeScript() : process.execPath;
    const args = ['--test', '--test-reporter=tap', file];
    const passed = await run(node, args);
    assert.equal(passed.code, 0, passed.output);
    assert.match(passed.output, /# pass 3\n/);
    const tool = path.join(folder, `.patchbay/tools/count_${language}.tool.${ending}`);
    const text = await readFile(tool, 'utf8');
    await writeFile(tool, text.replace('parts.length - 1', 'parts.length'));
    try {
      const failed = await run(node, args);
      assert.notEqual(failed.code, 0);
      assert.match(failed.output, /not ok \d+ - counts what stands in the open file/);
    } finally {
      await writeFile(tool, text);
    }
  });
}
