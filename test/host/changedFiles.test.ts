import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/logger';
import type { ChangedFile, Changes } from '../../src/chat/changesProtocol';
import { ChangeDesk } from '../../src/conversation/changeDesk';
import { createChangedFiles } from '../../src/host/changedFiles';
import { ChangeFolders } from '../../src/host/changeFolders';
import { ProposedDiffs } from '../../src/host/proposedDiff';
import { reviewChanges } from '../../src/host/reviewChanges';
import {
  type EditorRoom,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';

const SESSION = '11111111-2222-3333-4444-555555555555';
const TEXT = '1\n2\n3\n4\n5\n';

describe('files that the agent has changed', () => {
  let room: EditorRoom;
  let kept = '';
  let desk: ChangeDesk;
  let shown: Changes | undefined;
  let files: ReturnType<typeof createChangedFiles>;

  usePlantedRoom(
    (made) => {
      room = made;
    },
    { promptMs: 300 },
  );

  beforeEach(async () => {
    kept = await mkdtemp(path.join(tmpdir(), 'kept changes '));
    files = createChangedFiles(new ChangeFolders({ folders: [kept], now: () => Date.now() }));
    desk = newDesk();
  });
  afterEach(async () => {
    await desk.dispose();
    files.dispose();
    await rm(kept, { recursive: true, force: true });
  });

  function newDesk(): ChangeDesk {
    shown = undefined;
    return new ChangeDesk({
      ...{ files, folder: plantedFile(''), planFolder: '', log: silentLogger },
      apply: (event) => {
        if (event.type === 'fields') shown = event.fields.changes;
      },
    });
  }

  const disk = (name: string): Promise<string> => readFile(plantedFile(name), 'utf8');
  const put = async (name: string, content: string | Buffer): Promise<void> => {
    await mkdir(path.dirname(plantedFile(name)), { recursive: true });
    await writeFile(plantedFile(name), content);
  };
  const rows = (): readonly ChangedFile[] => shown?.files ?? [];
  const undo = (): Promise<void> => desk.undo(rows().map(({ id }) => id));
  let calls = 0;

  /** What a call of the agent does that may write these files. */
  async function call(names: readonly string[], work: () => Promise<unknown>): Promise<void> {
    const id = `call ${(calls += 1)}`;
    await desk.willWrite(id, names.map(plantedFile));
    await work();
    await desk.didWrite(id);
  }

  it('go back through the editor, as one undo step, and are saved as they were before', async () => {
    await put('open.ts', TEXT);
    const { document } = await show('open.ts');
    await call(['open.ts'], () => put('open.ts', '1\ntwo\n3\n4\nfive\n'));
    assert.equal(document.isDirty, false, 'the editor need not have noticed yet');
    await undo();
    assert.deepEqual([rows(), await disk('open.ts'), document.getText()], [[], TEXT, TEXT]);
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), '1\ntwo\n3\n4\nfive\n', "the agent's version is there");
  });

  it('keep what the person typed since, saved or not', async () => {
    await put('typed.ts', TEXT);
    await call(['typed.ts'], () => put('typed.ts', '1\ntwo\n3\n4\n5\n'));
    const { document } = await show('typed.ts');
    await until('the editor has the new text', () => document.getText().includes('two'));
    await replaceAll(document, '1\ntwo\n3\n4\n5\nmine\n');
    assert.equal(document.isDirty, true);
    await undo();
    assert.equal(document.getText(), '1\n2\n3\n4\n5\nmine\n');
    assert.equal(document.isDirty, true, 'what was not saved is not saved for the person');
    assert.equal(await disk('typed.ts'), '1\ntwo\n3\n4\n5\n');
  });

  it('are left as they are where the person typed in the same lines, and the row says why', async () => {
    await put('same.ts', TEXT);
    await call(['same.ts'], () => put('same.ts', '1\ntwo\n3\n4\n5\n'));
    const { document } = await show('same.ts');
    await until('the editor has the new text', () => document.getText().includes('two'));
    await replaceAll(document, '1\ntwo, or more\n3\n4\n5\n');
    await undo();
    assert.equal(document.getText(), '1\ntwo, or more\n3\n4\n5\n');
    assert.match(rows()[0]?.problem ?? '', /same lines/);
  });

  it('changed by a tool in a buffer with unsaved changes give the person that buffer back', async () => {
    await put('dirty.ts', 'on disk\n');
    const { document } = await show('dirty.ts');
    await replaceAll(document, 'typed by the person\nsecond line\n');
    const edit = { path: plantedPath('dirty.ts'), old: 'second', new: 'changed' };
    await call(['dirty.ts'], () => room.call('edit', { edits: [edit] }));
    assert.equal(document.getText(), 'typed by the person\nchanged line\n');
    assert.deepEqual(
      rows().map(({ added, removed }) => [added, removed]),
      [[1, 1]],
      'what the person typed is not counted',
    );
    await undo();
    assert.equal(document.getText(), 'typed by the person\nsecond line\n');
    assert.equal(document.isDirty, true);
    assert.equal(await disk('dirty.ts'), 'on disk\n');
  });

  const forms: Readonly<Record<string, Buffer>> = {
    CRLF: Buffer.from('1\r\n2\r\n3\r\n'),
    'a byte-order mark': Buffer.from('\uFEFF1\n2\n3\n'),
    'UTF-16': Buffer.from('\uFEFF1\r\ngrün\r\n3\r\n', 'utf16le'),
    'line ends of both kinds': Buffer.from('1\r\n2\n3\r\n'),
    'no line end at its end': Buffer.from('1\n2\n3'),
    'nothing in it': Buffer.from(''),
  };
  for (const [form, bytes] of Object.entries(forms)) {
    it(`have the same bytes as before: with ${form}`, async () => {
      for (const isOpen of [true, false]) {
        const name = `form ${form} ${isOpen}.txt`;
        await put(name, bytes);
        if (isOpen) await show(name);
        await call([name], () => put(name, 'one\ntwo\nthree\nfour'));
        await undo();
        assert.deepEqual(await readFile(plantedFile(name)), bytes, name);
        assert.deepEqual(rows(), []);
      }
    });
  }

  const marked: Readonly<Record<string, BufferEncoding>> = {
    'a byte-order mark': 'utf8',
    'UTF-16': 'utf16le',
  };
  for (const [form, encoding] of Object.entries(marked)) {
    it(`have ${form} again beside what the person changed since`, async () => {
      const name = `marked ${encoding}.txt`;
      await put(name, Buffer.from(`\uFEFF${TEXT}`, encoding));
      await call([name], () => put(name, 'one\n2\n3\n4\n5\n'));
      await put(name, 'one\n2\n3\n4\nmine\n');
      await undo();
      const whole = Buffer.from('\uFEFF1\n2\n3\n4\nmine\n', encoding);
      assert.deepEqual(await readFile(plantedFile(name)), whole);
    });
  }

  it("made through the person's link go, and the link stays", async function () {
    if (process.platform === 'win32') this.skip();
    await symlink(plantedFile('made.ts'), plantedFile('link.ts'));
    await call(['link.ts'], () => writeFile(plantedFile('link.ts'), 'made\n'));
    await undo();
    assert.deepEqual([rows(), existsSync(plantedFile('made.ts'))], [[], false]);
    assert.equal(await readlink(plantedFile('link.ts')), plantedFile('made.ts'));
    await desk.redo(shown?.undone?.id ?? '');
    assert.equal(await disk('made.ts'), 'made\n');
  });

  it('go where the agent made them, come back where it deleted them, and Redo turns that round', async () => {
    const bytes = Buffer.from('\uFEFFold\r\n', 'utf8');
    await put('deleted.ts', bytes);
    await chmod(plantedFile('deleted.ts'), 0o700);
    const { mode } = await stat(plantedFile('deleted.ts'));
    await call(['deep/new.ts', 'deleted.ts'], async () => {
      const edits = [{ path: plantedPath('deep/new.ts'), old: '', new: 'made\n' }];
      const { isError, text } = await room.call('edit', { edits });
      assert.equal(isError, false, text);
      await rm(plantedFile('deleted.ts'));
    });
    assert.deepEqual(
      rows().map(({ kind }) => kind),
      ['created', 'deleted'],
    );
    await undo();
    assert.equal(existsSync(plantedFile('deep/new.ts')), false);
    assert.deepEqual(await readFile(plantedFile('deleted.ts')), bytes);
    assert.equal((await stat(plantedFile('deleted.ts'))).mode, mode, 'it can be run again');
    await desk.redo(shown?.undone?.id ?? '');
    assert.deepEqual(
      rows()
        .map(({ kind }) => kind)
        .sort(),
      ['created', 'deleted'],
    );
    assert.equal(await disk('deep/new.ts'), 'made\n');
    assert.equal(existsSync(plantedFile('deleted.ts')), false);
  });

  it('moved by a tool go back to their place', async () => {
    await put('from.txt', TEXT);
    await call(['from.txt', 'to.txt'], async () => {
      const { isError, text } = await room.call('move', {
        from: plantedPath('from.txt'),
        to: plantedPath('to.txt'),
      });
      assert.equal(isError, false, text);
    });
    assert.deepEqual(
      rows().map(({ kind, path: name, from }) => [kind, name, from]),
      [['moved', 'to.txt', 'from.txt']],
    );
    await undo();
    assert.deepEqual([existsSync(plantedFile('to.txt')), await disk('from.txt')], [false, TEXT]);
    assert.deepEqual(rows(), []);
  });

  it('moved with their folder, changed in it and given each other’s names go back, and once more', async () => {
    const move = (from: string, to: string, ...below: readonly string[]): Promise<void> =>
      call([from, to, ...below], async () => {
        const { isError, text } = await room.call('move', {
          from: plantedPath(from),
          to: plantedPath(to),
        });
        assert.equal(isError, false, text);
      });
    const all = async (...names: readonly string[]) => Promise.all(names.map(disk));
    for (const name of ['kit/a.txt', 'kit/b.txt', 'kit/c.txt']) await put(name, `${name}\n${TEXT}`);
    await call(['kit/a.txt'], () => put('kit/a.txt', 'first\n'));
    await move('kit/b.txt', 'kit/x.txt');
    await move('kit/c.txt', 'kit/b.txt');
    await move('kit/x.txt', 'kit/c.txt');
    await move('kit', 'tools', 'kit/a.txt', 'kit/b.txt', 'kit/c.txt');
    await call(['tools/a.txt', 'kit/new.txt'], async () => {
      await put('tools/a.txt', 'second\n');
      await put('kit/new.txt', 'new\n');
    });
    const done = await all('tools/a.txt', 'tools/b.txt', 'tools/c.txt', 'kit/new.txt');
    await undo();
    assert.deepEqual(rows(), []);
    const names = ['kit/a.txt', 'kit/b.txt', 'kit/c.txt'];
    assert.deepEqual(
      await all(...names),
      names.map((name) => `${name}\n${TEXT}`),
    );
    assert.equal(existsSync(plantedFile('tools')), false);
    await desk.redo(shown?.undone?.id ?? '');
    assert.equal(shown?.undone, undefined);
    assert.deepEqual(await all('tools/a.txt', 'tools/b.txt', 'tools/c.txt', 'kit/new.txt'), done);
  });

  it('are there again after a reload of the window', async () => {
    desk.settleIn(SESSION);
    await put('reload.ts', TEXT);
    await call(['reload.ts'], () => put('reload.ts', '1\n'));
    await desk.dispose();
    desk = newDesk();
    await desk.restore(SESSION);
    assert.deepEqual(
      rows().map(({ path: name, removed }) => [name, removed]),
      [['reload.ts', 4]],
    );
    await undo();
    assert.equal(await disk('reload.ts'), TEXT);
  });

  it('are reviewed beside what was before: one in a difference, more of them in one tab', async () => {
    const diffs = new ProposedDiffs();
    try {
      await put('review.ts', TEXT);
      await put('other.ts', TEXT);
      await put('picture.bin', Buffer.from([0, 1]));
      await call(['review.ts', 'other.ts', 'picture.bin'], async () => {
        await put('review.ts', '1\n');
        await put('other.ts', '2\n');
        await put('picture.bin', Buffer.from([0, 2]));
      });
      const ids = rows().map(({ id }) => id);
      const conversation = { changes: desk };
      await reviewChanges(diffs, conversation, ids.slice(0, 1));
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputTextDiff);
      assert.equal(input.modified.fsPath, plantedFile('review.ts'), 'the file itself');
      const before = await vscode.workspace.openTextDocument(input.original);
      assert.equal(before.getText(), TEXT);
      await reviewChanges(diffs, conversation, ids);
      await until('a tab of all', () =>
        (vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '').includes('2 files'),
      );
      await assert.rejects(reviewChanges(diffs, conversation, ids.slice(2)), /no text to show/);
    } finally {
      diffs.dispose();
    }
  });
});
