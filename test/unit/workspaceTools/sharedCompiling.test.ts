import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { BroadcastChannel } from 'node:worker_threads';
import { builtProgram } from '../../harness/toolWorker/builtProgram';
import { Compiler, SourceError, type SourceText } from '../../../src/workspaceTools/compiler';
import {
  type CompileShare,
  createSharedCompiling,
  type SharedCompiling,
} from '../../../src/workspaceTools/sharedCompiling';
import { createToolRoom, listLogger, says, tempFolder, type ToolRoom } from './toolRoom';

/** One of each kind that is compiled in its own way, by the names below `.patchbay/tools/`. */
const KINDS: Readonly<Record<string, string>> = {
  'await.tool.ts': says(
    'await',
    "const later: string = await Promise.resolve('later'); void later;",
  ),
  'common.tool.cjs': `const { defineTool } = require('patchbay');
module.exports = defineTool({ description: 'd', run: () => 'common' });
`,
  'deep.tool.ts': says('deep', `const deep = ${'('.repeat(20_000)}1${')'.repeat(20_000)};`),
  'empty.tool.ts': '',
  'enums.tool.ts': says(
    'enums',
    'enum Colour { Red = 1, Green }\nexport const best = Colour.Green;',
  ),
  'imports.tool.ts': `import { defineTool, type InputOf } from 'patchbay';
import type { Missing } from './not-there';
import { word } from '../lib/word';
import path, { sep } from 'node:path';
const { late } = await import('../lib/late.js');
export default defineTool({ description: 'd', run: () => [word, late, path.sep === sep] });
`,
  'large.tool.ts': says('large', `// ${'x'.repeat(1_000_000)}`),
  'mark.tool.ts': `\ufeff${says('mark')}`,
  'markBroken.tool.ts': '\ufeffconst = 1;\n',
  'module.tool.mjs': says('module'),
  'plain.tool.ts': says('plain'),
  'syntax.tool.ts': `${says('syntax')}\nfunction broken() {\n  return one two;\n}\n`,
  'worker.tool.ts': says('worker').replace('defineTool({', "defineTool({ isolation: 'worker',"),
};
/** What a thread with a smaller stack, and without our words, leaves to the caller. */
const LEFT = ['deep.tool.ts', 'large.tool.ts'];
const LIBRARY: Readonly<Record<string, string>> = {
  'lib/word.ts': "export const word: string = 'word';\n",
  'lib/late.ts': 'export const late = 1;\n',
};

const SOURCES: readonly SourceText[] = Object.entries(KINDS).map(([name, text]) => ({
  file: path.resolve('/work/.patchbay/tools', name),
  text,
}));

/** Begins a program of a test's own: what stands in it runs after the last source was begun with. */
function program(channel: string, body: string): string {
  return `import { BroadcastChannel, workerData } from 'node:worker_threads';
const { begun } = workerData;
Atomics.exchange(begun, begun.length - 1, 1);
const channel = new BroadcastChannel(${JSON.stringify(channel)});
channel.postMessage('begun');
channel.close();
${body}
`;
}

async function programFile(t: TestContext, text: string): Promise<string> {
  const file = path.join(await tempFolder(t), 'program.mjs');
  await writeFile(file, text);
  return file;
}

function shared(file: string, log: string[] = []): SharedCompiling {
  return createSharedCompiling({ programFile: file, log: listLogger(log), memoryMb: 512 });
}

function outcome(compiler: Compiler, { file, text }: SourceText): object {
  try {
    return compiler.compile(file, text);
  } catch (error) {
    assert.ok(error instanceof SourceError);
    const { name, message, line, column } = error;
    return { name, message, line, column };
  }
}

/** Lists that were started, each with the thread it got. */
function watched(
  compiling: SharedCompiling,
  change: (share: CompileShare) => CompileShare = (share) => share,
): SharedCompiling & { readonly shares: (CompileShare | undefined)[] } {
  const shares: (CompileShare | undefined)[] = [];
  return {
    shares,
    start: (sources) => {
      const share = compiling.start(sources);
      shares.push(share);
      return share === undefined ? undefined : change(share);
    },
  };
}

/** A share of which the thread does all that it can before the caller begins. */
function threadFirst(share: CompileShare): CompileShare {
  return {
    ended: share.ended,
    made: async (source) => {
      await share.ended;
      return share.made(source);
    },
    dispose: () => share.dispose(),
  };
}

async function writeKinds(room: ToolRoom): Promise<void> {
  for (const [name, text] of Object.entries(KINDS)) {
    await room.write(`.patchbay/tools/${name}`, text);
  }
  for (const [name, text] of Object.entries(LIBRARY)) await room.write(`.patchbay/${name}`, text);
}

/** All that can be seen of the folder's files, and what they answer. */
async function seen(room: ToolRoom): Promise<object> {
  const { folder } = room;
  const files = room.tools.folders().map(({ path: _path, ...rest }) => rest);
  const plain = JSON.stringify(files).replaceAll(JSON.stringify(folder).slice(1, -1), '');
  const answers: string[] = [];
  for (const name of room.names()) answers.push(`${name}: ${(await room.call(name)).text}`);
  return { files: JSON.parse(plain) as unknown, answers };
}

async function seenWith(t: TestContext, compiling?: SharedCompiling): Promise<object> {
  const room = await createToolRoom(t, { ports: { compiling } });
  await writeKinds(room);
  await room.look();
  return seen(room);
}

test('what the thread made of a source is what is made of it here, faults and their places included', async (t) => {
  const log: string[] = [];
  const share = shared(await builtProgram('compileProgram'), log).start(SOURCES);
  assert.ok(share !== undefined);
  t.after(() => share.dispose());
  await share.ended;
  const alone = await Compiler.create();
  const taking = await Compiler.create();
  const left: string[] = [];
  for (const source of SOURCES) {
    const made = await share.made(source);
    if (made === undefined) {
      left.push(path.basename(source.file));
      continue;
    }
    taking.take(source, made);
    assert.ok(taking.knows(source), source.file);
    assert.deepEqual(outcome(taking, source), outcome(alone, source), source.file);
  }
  assert.deepEqual(left, LEFT);
  assert.deepEqual(log, []);
});

test('tool files are the same with a thread and without, whoever of both compiles them', async (t) => {
  const alone = await seenWith(t);
  const compiling = shared(await builtProgram('compileProgram'));
  const racing = watched(compiling);
  assert.deepEqual(await seenWith(t, racing), alone);
  assert.ok(racing.shares[0] !== undefined, 'a thread was there');
  await racing.shares[0].ended;
  const first = watched(compiling, threadFirst);
  assert.deepEqual(await seenWith(t, first), alone);
  assert.ok(first.shares[0] !== undefined, 'a thread was there again');
});

test('no thread is left after loading, and a file that is saved then starts none', async (t) => {
  const compiling = watched(shared(await builtProgram('compileProgram')));
  const room = await createToolRoom(t, { ports: { compiling } });
  await writeKinds(room);
  await room.look();
  assert.equal(compiling.shares.filter((share) => share !== undefined).length, 1);
  await compiling.shares[0]?.ended;
  const text = says('new');
  room.tools.saved(await room.write('.patchbay/tools/plain.tool.ts', text), text);
  await room.look();
  assert.equal((await room.call('plain')).text, 'new');
  assert.equal(compiling.shares.filter((share) => share !== undefined).length, 1);
});

test('a thread that fails or does not start changes nothing, is logged once, and not tried again', async (t) => {
  const alone = await seenWith(t);
  const throwing = program('', "throw new Error('at once');");
  const programs = {
    throws: await programFile(t, throwing),
    exits: await programFile(t, program('', 'process.exit(3);')),
    'is no program': await programFile(t, 'const = 1;'),
    'is not there': path.join(await tempFolder(t), 'missing.mjs'),
    'is no absolute path': 'missing.mjs',
  };
  for (const [what, file] of Object.entries(programs)) {
    const log: string[] = [];
    const compiling = watched(shared(file, log));
    assert.deepEqual(await seenWith(t, compiling), alone, what);
    await compiling.shares[0]?.ended;
    assert.equal(compiling.start(SOURCES), undefined, what);
    assert.equal(log.length, 1, `${what}: ${log.join('\n')}`);
    assert.match(log[0] ?? '', /^debug Tool files are compiled without a second thread: /, what);
  }
});

test('whoever waits for a thread that dies compiles for itself', async (t) => {
  const name = 'patchbay dies';
  const channel = new BroadcastChannel(name);
  t.after(() => channel.close());
  // Dies as soon as the caller has begun with the first one.
  const dying =
    'while (Atomics.load(begun, 0) === 0) Atomics.wait(begun, 0, 0, 5);\nprocess.exit(1);';
  const share = shared(await programFile(t, program(name, dying))).start(SOURCES);
  assert.ok(share !== undefined);
  await messageOf(channel);
  const [first, last] = [SOURCES[0], SOURCES.at(-1)];
  assert.ok(first !== undefined && last !== undefined);
  const waiting = share.made(last);
  assert.equal(await share.made(first), undefined);
  assert.equal(await waiting, undefined);
  await share.ended;
});

test('a thread is ended when the tool files are let go of, in the middle of its work', async (t) => {
  const name = 'patchbay hangs';
  const channel = new BroadcastChannel(name);
  t.after(() => channel.close());
  const hanging = 'for (;;) Atomics.wait(begun, 0, 0, 1_000);';
  const log: string[] = [];
  let asked = 0;
  const compiling = watched(shared(await programFile(t, program(name, hanging)), log), (share) => ({
    ended: share.ended,
    made: (source) => {
      asked += 1;
      return share.made(source);
    },
    dispose: () => share.dispose(),
  }));
  const room = await createToolRoom(t, { ports: { compiling } });
  await writeKinds(room);
  const looking = room.tools.refresh();
  await messageOf(channel);
  const before = asked;
  room.tools.dispose();
  await compiling.shares[0]?.ended;
  await looking;
  assert.ok(asked <= before + 1, 'nor does this one go on with the rest');
  assert.deepEqual(room.names(), []);
  assert.deepEqual(room.questions, []);
  assert.deepEqual(log, []);
});

test('fewer files than are worth a thread start none, and there is one thread at a time', async (t) => {
  const compiling = shared(await builtProgram('compileProgram'));
  assert.equal(compiling.start(SOURCES.slice(0, 7)), undefined);
  const share = compiling.start(SOURCES.slice(0, 8));
  assert.ok(share !== undefined);
  t.after(() => share.dispose());
  assert.equal(compiling.start(SOURCES), undefined, 'one is at work');
  share.dispose();
  await share.ended;
  const next = compiling.start(SOURCES);
  assert.ok(next !== undefined, 'one that was ended makes room');
  next.dispose();
  await next.ended;
});

test('a source that has changed since the thread got it is compiled anew', async (t) => {
  const share = shared(await builtProgram('compileProgram')).start(SOURCES);
  assert.ok(share !== undefined);
  t.after(() => share.dispose());
  await share.ended;
  const source = SOURCES.find(({ file }) => file.endsWith('plain.tool.ts'));
  assert.ok(source !== undefined);
  assert.equal(await share.made({ ...source, text: says('other') }), undefined);
  assert.equal(await share.made({ ...source, file: `${source.file}x` }), undefined);
  assert.ok((await share.made(source)) !== undefined);
});

test('a file that changes while a thread compiles it is offered as it is then', async (t) => {
  const inner = shared(await builtProgram('compileProgram'));
  let change: (() => void) | undefined;
  const compiling = watched(inner, (share) => {
    change?.();
    change = undefined;
    return threadFirst(share);
  });
  const room = await createToolRoom(t, { ports: { compiling } });
  await writeKinds(room);
  const plain = path.join(room.folder, '.patchbay/tools/plain.tool.ts');
  change = () => {
    writeFileSync(plain, says('changed'));
    room.tools.changedOnDisk(plain);
  };
  await room.look();
  assert.equal((await room.call('plain')).text, 'changed');
  assert.equal((await room.call('await')).text, 'await');
});

test('what the process was started with is not loaded into the thread', async (t) => {
  const before = process.env.NODE_OPTIONS;
  const compiling = shared(await builtProgram('compileProgram'));
  let share: CompileShare | undefined;
  try {
    process.env.NODE_OPTIONS = '--require=/not/there.cjs';
    share = compiling.start(SOURCES);
  } finally {
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  }
  assert.ok(share !== undefined);
  t.after(() => share.dispose());
  await share.ended;
  const source = SOURCES.at(-1);
  assert.ok(source !== undefined);
  assert.ok((await share.made(source)) !== undefined);
});

async function messageOf(channel: BroadcastChannel): Promise<void> {
  await new Promise<void>((resolve) => {
    channel.onmessage = () => {
      resolve();
    };
  });
}
