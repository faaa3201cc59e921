import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createDeferred } from '../../../src/base/deferred';
import { shaOf } from '../../../src/workspaceTools/snapshot';
import type { ToolFilesAnswer } from '../../../src/workspaceTools/toolFile';
import { createToolRoom, says } from './toolRoom';

const A = '.patchbay/tools/a.tool.ts';
const B = '.patchbay/tools/b.tool.ts';

test('nothing is read as code before it is approved, and the model is told so', async (t) => {
  const room = await createToolRoom(t);
  room.answer = () => undefined;
  await room.write(A, `globalThis.ranUnasked = true;\n${says('hi')}`);
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
  assert.equal(Reflect.get(globalThis, 'ranUnasked'), undefined);
  const answer = await room.call('a');
  assert.equal(answer.isError, true);
  assert.match(answer.text, /needs the person's approval/);
});

test('the question has all files of .patchbay, the packages they import, and says that it is the first', async (t) => {
  const room = await createToolRoom(t);
  room.answer = () => undefined;
  await room.write(
    A,
    says('hi', "import chalk from '@scope/chalk/sub'; import fs from 'node:fs'; import './lib';"),
  );
  await room.write(
    '.patchbay/tools/lib.ts',
    "import type { X } from 'types-only';\nimport 'left-pad';",
  );
  await room.write('.patchbay/notes.md', 'text');
  await room.write('.patchbay/picture.bin', new Uint8Array([0, 1, 2]));
  await room.look();
  const question = room.questions[0]!;
  assert.deepEqual(
    question.changes.map(({ relativePath, kind, before, bytes }) => [
      relativePath,
      kind,
      before,
      bytes > 0,
    ]),
    [
      ['.patchbay/notes.md', 'added', undefined, true],
      ['.patchbay/picture.bin', 'added', undefined, true],
      [A, 'added', undefined, true],
      ['.patchbay/tools/lib.ts', 'added', undefined, true],
    ],
  );
  assert.equal(question.changes[0]?.after, 'text');
  assert.equal(question.changes[1]?.after, undefined);
  assert.deepEqual(question.packages, ['@scope/chalk', 'left-pad']);
  assert.equal(question.isFirst, true);
  assert.equal(question.server, 'workspace');
});

test('a changed file asks with the text that was approved, while the others stay ready', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, says('one'));
  await room.write(B, says('two'));
  await room.look();
  room.answer = () => undefined;
  await room.write(A, says('three'));
  await room.look();
  assert.equal(room.questions.length, 2);
  assert.deepEqual(
    room.questions[1]?.changes.map(({ relativePath, kind, before, after }) => [
      relativePath,
      kind,
      before,
      after,
    ]),
    [[A, 'changed', says('one'), says('three')]],
  );
  assert.equal(room.questions[1].isFirst, false);
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
  assert.match((await room.call('a')).text, /has changed and needs the person's approval/);
  assert.equal((await room.call('b')).text, 'two');
});

test('a file whose import is not approved waits for it, over any number of steps', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, says('one', "import './step';"));
  await room.write('.patchbay/tools/step.ts', "export * from '../lib/deep.js';");
  await room.write('.patchbay/lib/deep.ts', 'export const deep = 1;');
  await room.write(B, says('two'));
  await room.look();
  assert.equal((await room.call('a')).text, 'one');
  room.answer = () => undefined;
  await room.write('.patchbay/lib/deep.ts', 'export const deep = 2;');
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
  assert.equal(room.file('b.tool.ts')?.state.kind, 'ready');
});

test('an answer counts only for what was shown: a change meanwhile takes the question away and puts another', async (t) => {
  const room = await createToolRoom(t);
  const first = createDeferred<ToolFilesAnswer>();
  room.answer = () => first.promise;
  await room.write(A, says('shown'));
  await room.look();
  const second = createDeferred<ToolFilesAnswer>();
  room.answer = () => second.promise;
  await room.write(A, says('slipped in'));
  await room.look();
  assert.equal(room.questions.length, 2);
  assert.equal(room.questions[0]?.signal.aborted, true);
  assert.notEqual(new Set(room.questions.map(({ id }) => id)).size, 1);
  first.resolve('approve');
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
  second.resolve('approve');
  await room.look();
  assert.equal((await room.call('a')).text, 'slipped in');
});

test('the same content is not asked about twice while the question is open', async (t) => {
  const room = await createToolRoom(t);
  room.answer = () => new Promise(() => undefined);
  await room.write(A, says('one'));
  await room.look();
  await room.look();
  assert.equal(room.questions.length, 1);
  assert.equal(room.questions[0]?.signal.aborted, false);
});

test('refused content is remembered, in a new window too, until it changes', async (t) => {
  const room = await createToolRoom(t);
  room.answer = () => 'refuse';
  await room.write(A, says('one'));
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'refused');
  assert.match((await room.call('a')).text, /the person refused/);
  const later = await createToolRoom(t, { folder: room.folder, storage: room.storage });
  await later.look();
  assert.equal(later.questions.length, 0);
  assert.equal(later.file('a.tool.ts')?.state.kind, 'refused');
  await later.write(A, says('two'));
  await later.look();
  assert.equal((await later.call('a')).text, 'two');
});

test('what was refused or left open is asked again when the person wants it', async (t) => {
  const room = await createToolRoom(t);
  for (const before of ['refuse', undefined] as const) {
    room.answer = () => before;
    await room.write(A, says(`one ${String(before)}`));
    await room.look();
    const count = room.questions.length;
    await room.look();
    assert.equal(room.questions.length, count, 'not by itself');
    room.answer = () => 'approve';
    await room.tools.askAgain(room.folder);
    await room.look();
    assert.equal(room.questions.length, count + 1);
    assert.equal((await room.call('a')).text, `one ${String(before)}`);
  }
});

test('what is approved is still so in the next window, without a question', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, says('one'));
  await room.look();
  const later = await createToolRoom(t, { folder: room.folder, storage: room.storage });
  await later.look();
  assert.equal(later.questions.length, 0);
  assert.equal((await later.call('a')).text, 'one');
});

test('damaged approvals are none, and the next answer mends them', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, says('one'));
  await room.look();
  const home = path.join(room.storage, 'approvals');
  const [own] = await readdir(home);
  const file = path.join(home, own!, 'approvals.json');
  const good = await readFile(file, 'utf8');
  for (const bad of [
    '',
    '{',
    '[]',
    '{"version":2}',
    good.replace('"approved":[[', '"approved":[[1,'),
    good.replace(room.folder, '/other'),
  ]) {
    await writeFile(file, bad);
    const later = await createToolRoom(t, { folder: room.folder, storage: room.storage });
    later.answer = () => undefined;
    await later.look();
    assert.equal(later.questions.length, 1, bad);
    assert.equal(later.questions[0]?.isFirst, true);
    later.answer = () => 'approve';
    await later.tools.askAgain(later.folder);
    await later.look();
    assert.equal((await later.call('a')).text, 'one');
  }
});

test('an approved text that was damaged in the storage is not shown as what was approved', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, says('one'));
  await room.look();
  const home = path.join(room.storage, 'approvals');
  const [own] = await readdir(home);
  const texts = path.join(home, own!, 'texts');
  for (const sha of await readdir(texts)) await writeFile(path.join(texts, sha), 'damaged');
  const later = await createToolRoom(t, { folder: room.folder, storage: room.storage });
  await later.write(A, says('two'));
  await later.look();
  assert.equal(later.questions[0]?.changes[0]?.kind, 'changed');
  assert.equal(later.questions[0].changes[0].before, undefined);
});

test('a save of the person counts as approved where the bytes before were, and no other change does', async (t) => {
  const room = await createToolRoom(t);
  const file = await room.write(A, says('one'));
  await room.look();
  room.answer = () => undefined;
  await room.write(A, says('two'));
  room.tools.saved(file, says('two'));
  await room.tools.settled();
  assert.equal((await room.call('a')).text, 'two');
  assert.equal(room.questions.length, 1);
  await room.write(A, says('by the agent'));
  room.tools.saved(file, undefined);
  await room.look();
  assert.equal(room.questions.length, 2);
  // On top of what was not approved.
  await room.write(A, says('by the agent, then the person'));
  room.tools.saved(file, says('by the agent, then the person'));
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
});

test('a save of the person does not cover what was written to the disk right after it', async (t) => {
  const room = await createToolRoom(t);
  const file = await room.write(A, says('one'));
  await room.look();
  room.answer = () => undefined;
  await room.write(A, says('slipped in'));
  room.tools.saved(file, says('two'));
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
});

test('a save of the person counts also where the watcher told of it before, and with a byte order mark', async (t) => {
  const room = await createToolRoom(t);
  const file = await room.write(A, says('one'));
  await room.look();
  room.answer = () => new Promise(() => undefined);
  await room.write(A, `\ufeff${says('two')}`);
  room.tools.changedOnDisk(file);
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
  room.tools.saved(file, says('two'));
  await room.look();
  assert.equal((await room.call('a')).text, 'two');
  assert.equal(room.questions.at(-1)?.signal.aborted, true);
});

test('what Patchbay wrote at the wish of the person counts as approved, in just these words', async (t) => {
  const room = await createToolRoom(t);
  room.answer = () => undefined;
  const file = await room.write(A, says('one'));
  await room.tools.refresh();
  await room.tools.wrote([{ path: file, text: says('one') }]);
  await room.look();
  assert.equal((await room.call('a')).text, 'one');
  await room.write(A, says('two'));
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
});

test('an approval that is taken back ends the tools and what runs, and is not asked for by itself', async (t) => {
  const room = await createToolRoom(t);
  await room.write(
    A,
    says('one').replace(
      '() => "one"',
      '(_i, ctx) => new Promise(() => { globalThis.seenSignal = ctx.signal; })',
    ),
  );
  await room.look();
  const running = room.call('a');
  await room.tools.withdraw(room.folder);
  assert.match((await running).text, /took back the approval/);
  assert.equal((Reflect.get(globalThis, 'seenSignal') as AbortSignal).aborted, true);
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
  await room.look();
  assert.equal(room.questions.length, 1);
  await room.tools.askAgain(room.folder);
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'ready');
});

test('a file that ran for ever loses its approval, says why, and can be approved again', async (t) => {
  const room = await createToolRoom(t);
  const file = await room.write(A, says('one'));
  await room.write(B, says('two'));
  await room.look();
  room.answer = () => undefined;
  await room.tools.looped(file);
  await room.look();
  assert.equal(room.file('a.tool.ts')?.faults[0]?.kind, 'looped');
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
  assert.equal((await room.call('b')).text, 'two');
  assert.deepEqual(
    room.questions.at(-1)?.changes.map(({ relativePath, hasLooped }) => [relativePath, hasLooped]),
    [[A, true]],
  );
  room.answer = () => 'approve';
  await room.tools.askAgain(room.folder);
  await room.look();
  assert.deepEqual(room.file('a.tool.ts')?.faults, []);
  assert.equal((await room.call('a')).text, 'one');
});

test('an untrusted or switched off folder is not even read; what ran ends', async (t) => {
  const room = await createToolRoom(t);
  room.isTrusted = false;
  await room.write(A, says('one'));
  await room.look();
  assert.deepEqual(room.tools.folders(), [
    { path: room.folder, server: 'workspace', hold: 'untrusted', files: [], faults: [] },
  ]);
  assert.equal(room.questions.length, 0);
  room.isTrusted = true;
  await room.look();
  assert.equal((await room.call('a')).text, 'one');
  room.isEnabled = false;
  await room.look();
  assert.equal(room.tools.folders()[0]?.hold, 'switchedOff');
  assert.match((await room.call('a')).text, /Server 'workspace' not found/);
  room.isEnabled = true;
  await room.look();
  assert.equal((await room.call('a')).text, 'one');
  assert.equal(room.questions.length, 1);
});

test('trust that is taken back while files are read lets none of them run', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, says('one'));
  const looking = room.tools.refresh();
  room.isTrusted = false;
  await looking;
  await room.tools.settled();
  assert.equal(room.questions.length, 0);
  assert.deepEqual(room.names(), []);
});

test('a file that went and comes back as it was approved is not asked about', async (t) => {
  const room = await createToolRoom(t);
  await room.write(A, says('one'));
  await room.write(B, says('two'));
  await room.look();
  await room.remove(A);
  await room.look();
  assert.deepEqual(room.names(), ['b']);
  await room.write(A, says('one'));
  await room.look();
  assert.equal((await room.call('a')).text, 'one');
  assert.equal(room.questions.length, 1);
});

test('a storage that cannot be written keeps nothing, and the tools run all the same', async (t) => {
  const room = await createToolRoom(t);
  await mkdir(path.dirname(room.storage), { recursive: true });
  await writeFile(room.storage, 'a file where the folder should be');
  await room.write(A, says('one'));
  await room.look();
  assert.equal((await room.call('a')).text, 'one');
  assert.ok(room.log.some((line) => line.includes('could not be kept')));
});

test('what was approved is kept before any of it runs, so that what ends the process as it loads costs nobody theirs', async (t) => {
  const room = await createToolRoom(t);
  const loader = (word: string): string =>
    says(
      word,
      `import { readdirSync, readFileSync } from 'node:fs';
const home = ${JSON.stringify(path.join(room.storage, 'approvals'))};
globalThis.keptAtLoad = readdirSync(home).map((own) => readFileSync(home + '/' + own + '/approvals.json', 'utf8')).join();`,
    );
  t.after(() => Reflect.deleteProperty(globalThis, 'keptAtLoad'));
  const kept = (): string => String(Reflect.get(globalThis, 'keptAtLoad'));
  await room.write(B, says('two'));
  const file = await room.write(A, loader('one'));
  await room.look();
  assert.ok(kept().includes(shaOf(says('two'))), 'of the other file');
  assert.ok(kept().includes(shaOf(loader('one'))), 'its own');
  await room.write(A, loader('saved'));
  room.tools.saved(file, loader('saved'));
  await room.look();
  assert.ok(kept().includes(shaOf(loader('saved'))), 'of an own save');
});

test('sets of tools are not asked about as code is, unless a tool file imports them', async (t) => {
  const room = await createToolRoom(t);
  const sets = '.patchbay/toolsets.json';
  await room.write(sets, '{ "sets": {} }');
  await room.write(A, says('one'));
  await room.look();
  const asked = (): readonly string[] | undefined =>
    room.questions.at(-1)?.changes.map(({ relativePath }) => relativePath);
  assert.deepEqual(asked(), [A]);
  await room.write(sets, '{ "sets": { "x": { "tools": [] } } }');
  await room.look();
  assert.equal(room.questions.length, 1, 'a change of it alone asks nothing');
  const uses = says('x', "import data from '../toolsets.json';").replace(
    '() => "x"',
    '() => Object.keys(data.sets)',
  );
  await room.write(A, uses);
  await room.look();
  assert.deepEqual(asked(), [A, sets]);
  assert.equal((await room.call('a')).text, '["x"]');
  room.answer = () => undefined;
  await room.write(sets, '{ "sets": { "y": { "tools": [] } } }');
  await room.look();
  assert.deepEqual(asked(), [sets]);
  assert.equal(room.file('a.tool.ts')?.state.kind, 'needsApproval');
  await room.write(A, says('one'));
  await room.remove(sets);
  await room.look();
  assert.deepEqual(asked(), [A]);
});
