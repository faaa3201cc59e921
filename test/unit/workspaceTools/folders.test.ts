import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { ApprovalCards } from '../../../src/host/approvalCards';
import { createServer } from '../../../src/mcp/mcpServer';
import { createToolRoom, says, type ToolRoom } from './toolRoom';

async function addFolder(room: ToolRoom, name: string, at: string, text: string): Promise<string> {
  const folder = path.join(room.folder, at);
  await mkdir(path.join(folder, '.patchbay/tools'), { recursive: true });
  await writeFile(path.join(folder, '.patchbay/tools/a.tool.ts'), says(text));
  room.folders.push({ name, path: folder });
  return folder;
}

test('each folder has a server of its own, and the same tool in two of them is no clash', async (t) => {
  const room = await createToolRoom(t);
  room.folders.length = 0;
  await addFolder(room, 'one', 'one', '1');
  await addFolder(room, 'Zwei Größen', 'two', '2');
  await addFolder(room, 'Zwei-Größen', 'three', '3');
  await addFolder(room, 'Zwei_Gr__en', 'four', '4');
  await room.look();
  assert.deepEqual(
    room.tools.folders().map(({ server }) => server),
    ['workspace', 'workspace-Zwei_Gr__en', 'workspace-Zwei-Gr__en', 'workspace-Zwei_Gr__en-2'],
  );
  assert.equal(room.questions.length, 4);
  assert.equal((await room.call('a')).text, '1');
  assert.equal((await room.call('a', {}, 'workspace-Zwei_Gr__en')).text, '2');
  assert.equal((await room.call('a', {}, 'workspace-Zwei-Gr__en')).text, '3');
  assert.equal((await room.call('a', {}, 'workspace-Zwei_Gr__en-2')).text, '4');
});

test('two folders with the same files, as two checkouts of one repository, have a card each', async (t) => {
  const cards = new ApprovalCards();
  const room = await createToolRoom(t, { ports: { ask: (question) => cards.askFiles(question) } });
  room.folders.length = 0;
  await addFolder(room, 'one', 'one', 'same');
  await addFolder(room, 'two', 'two', 'same');
  await room.look();
  for (const left of [2, 1]) {
    const open = cards.of(undefined);
    assert.equal(open.length, left);
    cards.answer(open[0]?.id ?? '', 'approve');
    await room.look();
  }
  assert.deepEqual(
    room.tools.folders().flatMap(({ files }) => files.map(({ state }) => state.kind)),
    ['ready', 'ready'],
  );
});

test('folders that lie in one another each have their own files', async (t) => {
  const room = await createToolRoom(t);
  await room.write('.patchbay/tools/a.tool.ts', says('outer'));
  const inner = await addFolder(room, 'inner', 'packages/inner', 'inner');
  await room.look();
  assert.equal((await room.call('a')).text, 'outer');
  assert.equal((await room.call('a', {}, 'workspace-inner')).text, 'inner');
  const file = path.join(inner, '.patchbay/tools/a.tool.ts');
  await writeFile(file, says('changed'));
  room.tools.changedOnDisk(file);
  await room.look();
  assert.equal((await room.call('a', {}, 'workspace-inner')).text, 'changed');
  // Folders are read side by side, so that any of the two may be asked about first.
  assert.deepEqual(room.questions.map(({ folder }) => path.basename(folder)).sort(), [
    'inner',
    'inner',
    'work',
  ]);
});

test('a folder that is added comes with its tools, and one that goes ends what runs', async (t) => {
  const room = await createToolRoom(t);
  await room.write(
    '.patchbay/tools/a.tool.ts',
    says('x').replace('() => "x"', '() => new Promise(() => undefined)'),
  );
  await room.look();
  const running = room.call('a');
  await addFolder(room, 'second', 'second', '2');
  await room.look();
  assert.equal((await room.call('a', {}, 'workspace-second')).text, '2');
  room.folders.shift();
  await room.look();
  assert.match((await running).text, /not used any more|taken away/);
  assert.deepEqual(
    room.tools.folders().map(({ server }) => server),
    ['workspace'],
  );
  assert.equal((await room.call('a')).text, '2', 'now it is the first');
  assert.equal(room.questions.length, 2, 'what was approved stays so under another name');
});

test('a window without folders, and a folder without .patchbay, have no server', async (t) => {
  const room = await createToolRoom(t);
  await room.look();
  assert.deepEqual(room.registry.all(), []);
  room.folders.length = 0;
  await room.look();
  assert.deepEqual(room.tools.folders(), []);
});

test('a server of another that has the name keeps it; the files say so', async (t) => {
  const room = await createToolRoom(t);
  room.registry.add(createServer({ name: 'workspace', source: 'another extension' }));
  await room.write('.patchbay/tools/a.tool.ts', says('x'));
  await room.look();
  assert.equal(room.file('a.tool.ts')?.state.kind, 'failed');
  assert.match(room.file('a.tool.ts')?.faults[0]?.message ?? '', /another extension/);
});

test('after its end nothing of the room is left: no server, no listener, no question', async (t) => {
  const before = process.listenerCount('unhandledRejection');
  const room = await createToolRoom(t);
  await room.write('.patchbay/tools/a.tool.ts', says('x'));
  await room.look();
  room.answer = () => new Promise(() => undefined);
  const file = await room.write('.patchbay/tools/a.tool.ts', says('y'));
  await room.look();
  room.tools.changedOnDisk(file);
  room.tools.dispose();
  assert.deepEqual(room.registry.all(), []);
  assert.equal(room.questions.at(-1)?.signal.aborted, true);
  assert.equal(process.listenerCount('unhandledRejection'), before);
  await room.tools.refresh();
  assert.deepEqual(room.tools.folders(), []);
});
