import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { compileSource } from '../../../src/workspaceTools/sourceCompiler';
import { createToolRoom, says, tempFolder, type ToolRoom } from './toolRoom';

interface Window extends ToolRoom {
  /** Names of the files that it compiled, each with the mode. */
  readonly compiled: readonly string[];
  /** How often what compiles was loaded. */
  loads(): number;
}

interface Place {
  readonly folder: string;
  readonly storage: string;
}

async function place(t: TestContext): Promise<Place> {
  const home = await tempFolder(t);
  return { folder: path.join(home, 'work'), storage: path.join(home, 'storage') };
}

/** A window over the same folder and storage as others before it. */
async function open(t: TestContext, at: Place, version = '1'): Promise<Window> {
  const compiled: string[] = [];
  let loads = 0;
  const room = await createToolRoom(t, {
    ...at,
    ports: {
      compiler: {
        version: () => Promise.resolve(version),
        keep: () => Promise.resolve(),
        load: () => {
          loads += 1;
          return (file, text, mode) => {
            compiled.push(`${path.basename(file)} ${mode}`);
            return compileSource(file, text, mode);
          };
        },
      },
    },
  });
  return Object.assign(room, { compiled, loads: () => loads });
}

async function close(window: Window): Promise<void> {
  await window.tools.settled();
  window.tools.dispose();
}

async function keptFiles(at: Place): Promise<readonly string[]> {
  await mkdir(at.storage, { recursive: true });
  const all = await readdir(at.storage, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile() && path.basename(entry.parentPath) === 'compiled')
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const FILES: Readonly<Record<string, string>> = {
  'lib.ts': 'export enum Word { One = 1, Two }',
  'later.ts': "export const late = 'late';",
  'old.cjs': "exports.old = 'old ' + __filename.slice(-7);",
  'tools/good.tool.ts': `import { defineTool, z } from 'patchbay';
import { Word } from '../lib';

const { late } = await import(['..', 'later'].join('/'));
export default defineTool({
  description: 'Is good.',
  input: { word: z.enum(['One', 'Two']) },
  run: ({ word }) => [Word[word], late],
});
`,
  'tools/common.tool.cjs': `const { defineTool } = require('patchbay');
const { old } = require('../old.cjs');
module.exports = defineTool({ description: 'd', run: () => old });
`,
  'tools/throws.tool.ts': `import { defineTool } from 'patchbay';
interface Gone {
  readonly of: string;
}
export default defineTool({
  description: 'Throws.',
  run: (): Gone => {
    throw new Error('on line 8');
  },
});
`,
  'tools/fails.tool.ts': `type Gone = string;

throw new Error('while it loads');
`,
  'tools/lost.tool.ts': `import { defineTool } from 'patchbay';

import { nothing } from '../not-there';
export default defineTool({ description: nothing, run: () => '' });
`,
};

async function writeAll(window: Window): Promise<void> {
  for (const [file, text] of Object.entries(FILES)) await window.write(`.patchbay/${file}`, text);
}

/** What a person and the agent see of it. */
async function seen(window: Window): Promise<object> {
  window.log.length = 0;
  const answers: unknown[] = [
    (await window.call('good', { word: 'Two' })).text,
    (await window.call('good', { word: 'Three' })).text,
    (await window.call('common')).text,
    (await window.call('throws')).text,
  ];
  return {
    answers,
    places: window.log.join('\n').match(/throws\.tool\.ts:\d+:\d+/g),
    tools: window.registry.get('workspace')?.tools(),
    files: window.tools.folders().flatMap(({ files }) => files),
    faults: window.tools.folders().flatMap(({ files }) => files.flatMap(({ faults }) => faults)),
  };
}

test('a later window has the same tools, faults and places of errors, and compiles nothing', async (t) => {
  const at = await place(t);
  const first = await open(t, at);
  await writeAll(first);
  await first.look();
  const before = await seen(first);
  assert.equal(first.questions.length, 1);
  assert.deepEqual([...first.compiled].sort(), [
    ...['common.tool.cjs import', 'fails.tool.ts import', 'good.tool.ts import'],
    ...['later.ts import', 'lib.ts import', 'lost.tool.ts import'],
    ...['old.cjs import', 'old.cjs require', 'throws.tool.ts import'],
  ]);
  await close(first);
  const second = await open(t, at);
  await second.look();
  const after = await seen(second);
  assert.deepEqual(
    JSON.parse(JSON.stringify(after)),
    JSON.parse(JSON.stringify(before)),
    'all that is seen',
  );
  assert.deepEqual([second.loads(), second.compiled, second.questions], [0, [], []]);
  assert.match(JSON.stringify(before), /throws\.tool\.ts:8:11/);
  assert.deepEqual(
    second.tools
      .folders()
      .flatMap(({ files }) => files.flatMap(({ faults }) => faults))
      .map(({ kind, line }) => [kind, line]),
    [
      ['load', 3],
      ['import', 3],
    ],
  );
});

test('in a later window a change compiles just what has changed, and counts at once', async (t) => {
  const at = await place(t);
  const first = await open(t, at);
  await first.write('.patchbay/tools/a.tool.ts', says('old'));
  await first.write('.patchbay/tools/b.tool.ts', says('other'));
  await first.look();
  await close(first);
  const second = await open(t, at);
  await second.look();
  const file = await second.write('.patchbay/tools/a.tool.ts', says('new'));
  second.tools.saved(file, says('new'));
  await second.look();
  assert.equal((await second.call('a')).text, 'new');
  assert.equal((await second.call('b')).text, 'other');
  assert.deepEqual(second.compiled, ['a.tool.ts import']);
  await close(second);
  const third = await open(t, at);
  await third.look();
  assert.equal((await third.call('a')).text, 'new');
  assert.equal(third.loads(), 0);
});

test('in a later window what compiles is loaded once a tool file is being changed, before it is saved', async (t) => {
  const at = await place(t);
  const first = await open(t, at);
  const file = await first.write('.patchbay/tools/a.tool.ts', says('old'));
  const data = await first.write('.patchbay/data.json', '{}');
  await first.look();
  await close(first);
  const second = await open(t, at);
  second.tools.expectChange(file);
  await second.look();
  for (const other of [data, `${file}x`, path.join(at.folder, 'a.ts')]) {
    second.tools.expectChange(other);
  }
  assert.equal(second.loads(), 0);
  second.tools.expectChange(file);
  second.tools.expectChange(file);
  assert.deepEqual([second.loads(), second.compiled], [1, ['a.tool.ts import']]);
  assert.equal((await second.call('a')).text, 'old');
  await second.write('.patchbay/tools/a.tool.ts', says('new'));
  second.tools.saved(file, says('new'));
  await second.look();
  assert.equal((await second.call('a')).text, 'new');
  assert.equal(second.loads(), 1);
});

test('a source that was changed between two windows asks, and what runs is what was approved', async (t) => {
  const at = await place(t);
  const first = await open(t, at);
  const file = await first.write('.patchbay/tools/a.tool.ts', says('old'));
  await first.look();
  await close(first);
  await writeFile(file, says('new'));
  const second = await open(t, at);
  second.answer = () => undefined;
  await second.look();
  assert.equal(second.file('a.tool.ts')?.state.kind, 'needsApproval');
  assert.equal((await second.call('a')).isError, true);
  await close(second);
  const third = await open(t, at);
  await third.look();
  assert.equal((await third.call('a')).text, 'new');
  assert.deepEqual(third.compiled, ['a.tool.ts import']);
});

test('nothing is kept of what is not approved, and nothing of what is not approved any more', async (t) => {
  const at = await place(t);
  const window = await open(t, at);
  window.answer = () => undefined;
  await window.write('.patchbay/tools/a.tool.ts', says('one'));
  await window.look();
  assert.deepEqual(await keptFiles(at), []);
  window.answer = () => 'approve';
  await window.tools.askAgain(window.folder);
  await window.look();
  window.answer = () => undefined;
  await window.write('.patchbay/tools/b.tool.ts', says('two'));
  await window.look();
  assert.equal((await keptFiles(at)).length, 1);
  await window.tools.withdraw(window.folder);
  await window.look();
  assert.deepEqual(await keptFiles(at), []);
});

test('what is kept of a file goes with it, also with the last one and between two windows', async (t) => {
  const at = await place(t);
  const first = await open(t, at);
  await first.write('.patchbay/tools/a.tool.ts', says('one'));
  await first.write('.patchbay/tools/b.tool.ts', says('two'));
  await first.look();
  assert.equal((await keptFiles(at)).length, 2);
  await first.remove('.patchbay/tools/a.tool.ts');
  await first.look();
  assert.equal((await keptFiles(at)).length, 1);
  await close(first);
  await rm(path.join(at.folder, '.patchbay'), { recursive: true });
  const second = await open(t, at);
  await second.look();
  assert.deepEqual(await keptFiles(at), []);
  assert.equal(second.loads(), 0);
});

test('another version of the compiler makes all of it anew', async (t) => {
  const at = await place(t);
  const first = await open(t, at, '1');
  await first.write('.patchbay/tools/a.tool.ts', says('one'));
  await first.look();
  await close(first);
  const second = await open(t, at, '2');
  await second.look();
  assert.deepEqual(second.compiled, ['a.tool.ts import']);
  assert.equal((await second.call('a')).text, 'one');
  await close(second);
  const third = await open(t, at, '2');
  await third.look();
  assert.equal(third.loads(), 0);
});

test('a file that cannot be read as code is not kept, and tells its fault in every window', async (t) => {
  const at = await place(t);
  const first = await open(t, at);
  await first.write('.patchbay/tools/a.tool.ts', says('one'));
  await first.write('.patchbay/tools/bad.tool.ts', '\n\nlet = ;');
  await first.look();
  const faults = first.file('bad.tool.ts')?.faults;
  assert.deepEqual(
    faults?.map(({ kind, line }) => [kind, line]),
    [['syntax', 3]],
  );
  await close(first);
  const second = await open(t, at);
  await second.look();
  assert.deepEqual(second.file('bad.tool.ts')?.faults, faults);
  assert.equal((await second.call('a')).text, 'one');
  assert.deepEqual([...new Set(second.compiled)], ['bad.tool.ts import']);
});

test('what is kept of another folder is of no use to one with the same files', async (t) => {
  const at = await place(t);
  const text = says('x').replace('() => "x"', '() => import.meta.url');
  const first = await open(t, at);
  await first.write('.patchbay/tools/a.tool.ts', text);
  await first.look();
  await close(first);
  const other = { ...at, folder: `${at.folder} two` };
  await cp(at.folder, other.folder, { recursive: true });
  // As one would who copies the storage along.
  const [kept] = await keptFiles(at);
  assert.ok(kept !== undefined);
  const second = await open(t, other);
  await second.look();
  const copies = (await keptFiles(at)).filter((file) => file !== kept);
  assert.equal(copies.length, 1);
  await close(second);
  const home = path.dirname(copies[0] ?? '');
  await mkdir(home, { recursive: true });
  await writeFile(path.join(home, path.basename(kept)), await readFile(kept));
  const third = await open(t, other);
  await third.look();
  assert.match((await third.call('a')).text, /work(?: |%20)two/);
});
