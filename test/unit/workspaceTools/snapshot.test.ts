import assert from 'node:assert/strict';
import { chmod, link, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { readSnapshot, shaOf } from '../../../src/workspaceTools/snapshot';
import { createToolRoom, says, tempFolder } from './toolRoom';

async function folderWith(
  t: TestContext,
  files: Record<string, string | Uint8Array>,
): Promise<string> {
  const folder = await tempFolder(t);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  return folder;
}

test('all files below .patchbay are read, and nothing else', async (t) => {
  const folder = await folderWith(t, {
    '.patchbay/a.md': 'a',
    '.patchbay/tools/deep/er/b.tool.ts': '',
    '.patchbay/bin': new Uint8Array([0xff, 0]),
    '.patchbay/node_modules/x/index.js': 'no',
    '.patchbay/.git/HEAD': 'no',
    '.patchbay/tools/a.tool.ts~': 'no',
    '.patchbay/tools/.a.tool.ts.swp': 'no',
    'other.ts': 'no',
    '.patchbay2/x.ts': 'no',
  });
  const { files, faults } = await readSnapshot(folder);
  assert.deepEqual(
    [...files].map(([file, { bytes, text }]) => [file, bytes, text]),
    [
      ['.patchbay/a.md', 1, 'a'],
      ['.patchbay/bin', 2, undefined],
      ['.patchbay/tools/deep/er/b.tool.ts', 0, ''],
    ],
  );
  assert.equal(files.get('.patchbay/a.md')?.sha, shaOf('a'));
  assert.deepEqual(faults, []);
});

test('a folder without .patchbay, one that is a file, and one that is empty are nothing', async (t) => {
  const cases: Record<string, string>[] = [
    {},
    { '.patchbay': 'a file' },
    { '.patchbay/node_modules/x': '' },
  ];
  for (const files of cases) {
    const folder = await folderWith(t, files);
    const snapshot = await readSnapshot(folder);
    assert.equal(snapshot.files.size, 0);
    assert.deepEqual(snapshot.faults, []);
  }
});

test('links that lead out, to folders or to nothing are faults; one to a file inside is that file', async (t) => {
  const folder = await folderWith(t, { '.patchbay/tools/a.tool.ts': 'a', 'src/out.ts': 'secret' });
  const tools = path.join(folder, '.patchbay/tools');
  await symlink(path.join(folder, 'src/out.ts'), path.join(tools, 'out.tool.ts'));
  await symlink(path.join(folder, 'src'), path.join(tools, 'src'));
  await symlink('.', path.join(tools, 'ring'));
  await symlink('nowhere', path.join(tools, 'nothing.tool.ts'));
  await symlink('a.tool.ts', path.join(tools, 'inside.tool.ts'));
  await symlink('self.tool.ts', path.join(tools, 'self.tool.ts'));
  const { files, faults } = await readSnapshot(folder);
  assert.deepEqual(
    [...files.keys()],
    ['.patchbay/tools/a.tool.ts', '.patchbay/tools/inside.tool.ts'],
  );
  assert.deepEqual(
    faults.map((fault) => [
      path.basename(fault.path),
      /leads out|to nothing|to a folder|cannot be read/.exec(fault.message)?.[0],
    ]),
    [
      ['nothing.tool.ts', 'to nothing'],
      ['out.tool.ts', 'leads out'],
      ['ring', 'to a folder'],
      ['self.tool.ts', 'cannot be read'],
      ['src', 'leads out'],
    ],
  );
});

test('a .patchbay that is itself a link out of the workspace is not read', async (t) => {
  const folder = await folderWith(t, { 'work/x': '', 'elsewhere/tools/a.tool.ts': 'a' });
  await symlink(path.join(folder, 'elsewhere'), path.join(folder, 'work/.patchbay'));
  const { files, faults } = await readSnapshot(path.join(folder, 'work'));
  assert.equal(files.size, 0);
  assert.match(faults[0]?.message ?? '', /leads out of the workspace folder/);
});

test('a workspace folder that is reached through a link is read', async (t) => {
  const folder = await folderWith(t, { 'real/.patchbay/tools/a.tool.ts': 'a' });
  await symlink(path.join(folder, 'real'), path.join(folder, 'work'));
  const { files } = await readSnapshot(path.join(folder, 'work'));
  assert.deepEqual([...files.keys()], ['.patchbay/tools/a.tool.ts']);
});

test('a file of more than 5 MB, a binary tool file and one that cannot be read are faults; the rest is read', async (t) => {
  const folder = await folderWith(t, {
    '.patchbay/tools/large.tool.ts': 'x'.repeat(5_000_001),
    '.patchbay/tools/binary.tool.ts': new Uint8Array([1, 0, 2]),
    '.patchbay/tools/latin.tool.ts': new Uint8Array([0x2f, 0x2f, 0xe9]),
    '.patchbay/tools/good.tool.ts': '// gut: größe',
    '.patchbay/tools/locked.tool.ts': 'x',
  });
  await chmod(path.join(folder, '.patchbay/tools/locked.tool.ts'), 0);
  const { files, faults } = await readSnapshot(folder);
  assert.equal(files.get('.patchbay/tools/good.tool.ts')?.text, '// gut: größe');
  assert.equal(files.has('.patchbay/tools/large.tool.ts'), false);
  const told = new Map(faults.map((fault) => [path.basename(fault.path), fault.message]));
  assert.match(told.get('large.tool.ts') ?? '', /larger than 5 MB/);
  assert.match(told.get('binary.tool.ts') ?? '', /no text in UTF-8/);
  assert.match(told.get('latin.tool.ts') ?? '', /no text in UTF-8/);
  // The system's own user reads what nobody may.
  if (process.getuid?.() !== 0) assert.match(told.get('locked.tool.ts') ?? '', /cannot be read/);
});

test('a file that changes keeps no old content, though size and times are as before', async (t) => {
  const folder = await folderWith(t, { '.patchbay/a.ts': 'one' });
  const file = path.join(folder, '.patchbay/a.ts');
  const old = new Date(Date.now() - 60_000);
  await utimes(file, old, old);
  const before = await readSnapshot(folder);
  await writeFile(file, 'two');
  await utimes(file, old, old);
  const after = await readSnapshot(folder, before);
  assert.equal(after.files.get('.patchbay/a.ts')?.text, 'two');
  await writeFile(path.join(folder, 'new'), 'three');
  await rename(path.join(folder, 'new'), file);
  assert.equal((await readSnapshot(folder, after)).files.get('.patchbay/a.ts')?.text, 'three');
});

test('whatever is written, a snapshot that knows the one before is the same as a fresh one', async (t) => {
  const folder = await tempFolder(t);
  const names = ['.patchbay/a.ts', '.patchbay/tools/b.tool.ts', '.patchbay/tools/c/d.json'];
  const change = fc.record({
    file: fc.constantFrom(...names),
    text: fc.option(fc.string({ maxLength: 5 })),
  });
  const plain = ({ files, faults }: Awaited<ReturnType<typeof readSnapshot>>): unknown => [
    [...files].map(([file, { sha, bytes, text }]) => [file, sha, bytes, text]),
    faults,
  ];
  let known = await readSnapshot(folder);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 4 }), async (changes) => {
      for (const { file, text } of changes) {
        const whole = path.join(folder, file);
        await mkdir(path.dirname(whole), { recursive: true });
        if (text === null) await rm(whole, { force: true });
        else await writeFile(whole, text);
      }
      known = await readSnapshot(folder, known);
      assert.deepEqual(plain(known), plain(await readSnapshot(folder)));
    }),
    { numRuns: 30 },
  );
});

test('a file that is removed while it is read is as if it had not been there', async (t) => {
  const folder = await folderWith(
    t,
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`.patchbay/${at}.ts`, 'x'])),
  );
  const reading = readSnapshot(folder);
  await rm(path.join(folder, '.patchbay'), { recursive: true });
  assert.deepEqual((await reading).faults, []);
});

test('500 files are read and asked about in one question', async (t) => {
  const room = await createToolRoom(t);
  for (let at = 0; at < 500; at += 1) {
    const isTool = at % 20 === 0;
    await room.write(`.patchbay/tools/t${at}.${isTool ? 'tool.ts' : 'md'}`, says(String(at)));
  }
  await room.look();
  assert.equal(room.questions.length, 1);
  assert.equal(room.questions[0]?.changes.length, 500);
  assert.equal(room.names().length, 25);
  assert.equal((await room.call('t480')).text, '480');
});

test('more files than can be looked at are a fault, not a failure', async (t) => {
  const folder = await folderWith(t, { '.patchbay/file': 'x' });
  await Promise.all(
    Array.from({ length: 2_050 }, (_, at) =>
      link(path.join(folder, '.patchbay/file'), path.join(folder, `.patchbay/x${at}`)),
    ),
  );
  const { files, faults } = await readSnapshot(folder);
  assert.equal(files.size, 2_000);
  assert.match(faults[0]?.message ?? '', /more than 2000 files/);
});

test('files that cannot be used are told with the tool files, or with the folder where they are none', async (t) => {
  const room = await createToolRoom(t);
  await room.write('.patchbay/tools/good.tool.ts', says('good'));
  await room.write('.patchbay/tools/big.tool.ts', 'x'.repeat(5_000_001));
  await room.write('.patchbay/tools/bin.tool.ts', new Uint8Array([0]));
  await room.write('.patchbay/tools/huge.tool.ts', `${says('huge')}//${'x'.repeat(1_000_000)}`);
  await symlink('/etc/passwd', path.join(room.folder, '.patchbay/tools/out.tool.ts'));
  await symlink('/etc/passwd', path.join(room.folder, '.patchbay/notes.md'));
  await room.look();
  assert.equal((await room.call('good')).text, 'good');
  for (const file of ['big.tool.ts', 'bin.tool.ts', 'out.tool.ts']) {
    assert.equal(room.file(file)?.state.kind, 'failed', file);
    assert.equal(room.file(file)?.faults[0]?.kind, 'file', file);
  }
  assert.match(room.file('huge.tool.ts')?.faults[0]?.message ?? '', /too large to be run/);
  assert.deepEqual(
    room.tools.folders()[0]?.faults.map((fault) => path.basename(fault.path)),
    ['notes.md'],
  );
  await rm(path.join(room.folder, '.patchbay/tools/out.tool.ts'));
  await room.look();
  assert.equal(room.file('out.tool.ts'), undefined);
});
