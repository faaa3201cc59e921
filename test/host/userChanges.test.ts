import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ownEdits } from '../../src/editor/ownEdits';
import {
  closeAll,
  layPlanted,
  createEditorRoom,
  type EditorRoom,
  plantedFile,
  plantedPath,
  restorePlanted,
  replaceAll,
  show,
  until,
} from './editorRoom';

/** As if the person typed. */
async function type({ document }: vscode.TextEditor, line: number, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(line, 0), text);
  // Not taken where the editor has just read the file anew.
  await until('the editor takes it', async () => vscode.workspace.applyEdit(edit));
}

const NONE = 'no edits of the person since the last turn';

describe('user_changes', () => {
  let room: EditorRoom;
  let made = 0;
  const text = async (): Promise<string> => (await room.call('user_changes')).text;

  before(async () => {
    await closeAll();
    await layPlanted();
  });

  after(restorePlanted);

  beforeEach(() => {
    room = createEditorRoom();
  });

  afterEach(async () => {
    room.dispose();
    await closeAll();
  });

  /** A file of its own for each test: nothing that another one did to it comes in between. */
  async function shownFile(content = 'first\n') {
    made += 1;
    const name = `typed${made}.txt`;
    await writeFile(plantedFile(name), content);
    const editor = await show(name);
    return { editor, document: editor.document, path: plantedPath(name), file: plantedFile(name) };
  }

  const disk = ({ uri }: vscode.TextDocument): Promise<string> => readFile(uri.fsPath, 'utf8');

  it('gives what was typed since the last turn as a small diff, saved or not', async () => {
    const { editor, document, path } = await shownFile();
    assert.equal(await text(), NONE);
    await type(editor, 0, 'mine\n');
    assert.equal(
      await text(),
      [
        '1 file edited by the person since the last turn: +1 -0',
        `${path} (unsaved)`,
        '@@ -1,1 +1,2 @@',
        '+mine',
        ' first',
      ].join('\n'),
    );
    assert.deepEqual(
      room.files.map((one) => one.path),
      [path],
    );
    assert.ok((room.files[0]?.bytes ?? 0) > 40);
    assert.ok(await document.save());
    assert.match(await text(), new RegExp(`^1 file .*\n${path}\n`));
    // Milliseconds are what moments are told apart by.
    const told = Date.now();
    await until('time has passed', () => Date.now() > told);
    room.newTurn();
    assert.equal(await text(), NONE);
    await type(editor, 0, 'again\n');
    assert.match(await text(), /\+1 -0\n[^]*\n\+again\n/);
    assert.doesNotMatch(await text(), /\+mine/);
  });

  it('leaves out what tools change and what is written on the disk, and keeps both apart', async () => {
    const { editor, document, file } = await shownFile();
    await ownEdits.run([document.uri], () => replaceAll(document, 'by a tool\n'));
    assert.equal(await text(), NONE);
    assert.ok(await document.save());
    // A write before the editor has begun to watch the file is not noticed: then there comes another.
    await until('the file is read again', async () => {
      if (document.getText() === 'by the CLI\n') return true;
      await writeFile(file, 'by the CLI\n');
      return false;
    });
    assert.equal(await text(), NONE);
    await type(editor, 1, 'mine\n');
    await ownEdits.run([document.uri], () => replaceAll(document, 'by a tool again\n'));
    await type(editor, 0, 'mine too\n');
    const told = await text();
    assert.match(told, /: \+2 -0\n/);
    assert.match(told, /\n\+mine\n[^]*\n\+mine too\n/);
    assert.doesNotMatch(told, /^[+-].*by/m);
  });

  it('tells nothing of what was undone, reverted, or closed without saving', async () => {
    const { editor, document, file } = await shownFile();
    await type(editor, 0, 'undone\n');
    assert.match(await text(), /\+undone/);
    await vscode.commands.executeCommand('undo');
    await until('it is undone', () => document.getText() === 'first\n');
    assert.equal(await text(), NONE);
    await type(editor, 0, 'reverted\n');
    assert.match(await text(), /\+reverted/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the file is reverted', () => document.getText() === 'first\n');
    assert.equal(await text(), NONE);
    await type(editor, 0, 'closed\n');
    assert.match(await text(), /\+closed/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('the edits are gone', async () => (await text()) === NONE);
    assert.equal(await readFile(file, 'utf8'), 'first\n');
  });

  it('leaves out what others have written by the time that the person reverts', async () => {
    const { editor, document, file } = await shownFile();
    await type(editor, 0, 'mine\n');
    assert.match(await text(), /\+mine/);
    await writeFile(file, 'first\nby git\n');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the file is reverted', () => document.getText() === 'first\nby git\n');
    assert.equal(await text(), NONE);
    await type(editor, 0, 'again\n');
    assert.match(await text(), /: \+1 -0\n[^]*\n\+again\n first/);
  });

  it('tells of an untitled document, and gives one file alone', async () => {
    const { editor, path } = await shownFile();
    await type(editor, 0, 'one\n');
    const untitled = await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ content: '' }),
    );
    await type(untitled, 0, 'two\n');
    assert.match(await text(), /^2 files edited[^]*\nuntitled:\S+ \(unsaved\)[^]*typed\d+\.txt/);
    const one = await room.call('user_changes', { path });
    assert.match(one.text, /^1 file edited[^]*\n\+one/);
    assert.doesNotMatch(one.text, /two/);
    const none = await room.call('user_changes', { path: 'src/nowhere.ts' });
    assert.ok(none.isError);
    assert.match(none.text, /^No such file/);
  });

  it('knows what was typed in a text whose language changes, as that of a draft does by itself', async () => {
    const { editor, document } = await shownFile();
    await type(editor, 0, 'mine\n');
    await vscode.languages.setTextDocumentLanguage(document, 'markdown');
    await type(editor, 0, 'more\n');
    assert.match(await text(), /: \+2 -0\n[^]*\n\+more\n\+mine\n first/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the file is reverted', () => document.getText() === 'first\n');
    assert.equal(await text(), NONE);
    const untitled = await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ content: '' }),
    );
    await type(untitled, 0, 'draft\n');
    await vscode.languages.setTextDocumentLanguage(untitled.document, 'markdown');
    for (let looked = 0; looked < 2; looked += 1) {
      assert.match(await text(), /^1 file .*\nuntitled:\S+ \(unsaved\)\n[^]*\n\+draft/);
    }
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('the draft is gone', async () => (await text()) === NONE);
  });

  it('gives one file by whichever of its names', async () => {
    const { editor, file } = await shownFile();
    await type(editor, 0, 'mine\n');
    await symlink(file, plantedFile('typed link.txt'));
    const linked = await room.call('user_changes', { path: plantedPath('typed link.txt') });
    assert.match(linked.text, /^1 file .*\nplanted files\/typed\d+\.txt \(unsaved\)\n[^]*\+mine/);
  });

  it('goes with a file and a folder that are renamed, saved or not, open or not', async () => {
    const rename = async (from: string, to: string): Promise<void> => {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(vscode.Uri.file(plantedFile(from)), vscode.Uri.file(plantedFile(to)));
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    const isOpen = (name: string): boolean =>
      vscode.workspace.textDocuments.some(
        ({ uri, isDirty }) => uri.path === vscode.Uri.file(plantedFile(name)).path && isDirty,
      );
    for (const [from, to, file] of [
      ['moveda.txt', 'movedb.txt', ''],
      ['moveda', 'movedb', '/in.txt'],
    ] as const) {
      if (file !== '') await mkdir(plantedFile(from), { recursive: true });
      await writeFile(plantedFile(`${from}${file}`), 'first\n');
      const editor = await show(`${from}${file}`);
      await type(editor, 0, 'unsaved\n');
      await rename(from, to);
      await until('it is open with its changes', () => isOpen(`${to}${file}`));
      const now = plantedPath(`${to}${file}`);
      const moved = await text();
      assert.match(
        moved,
        new RegExp(`^1 file .*: \\+1 -0\n${now} \\(unsaved\\)\n[^]*\n\\+unsaved\n`),
      );
      assert.doesNotMatch(moved, /moveda/);
      const after = await show(`${to}${file}`);
      await type(after, 0, 'later\n');
      assert.match(await text(), /^1 file .*: \+2 -0\n[^]*\n\+later\n\+unsaved\n first/);
      assert.ok(await after.document.save());
      await closeAll();
      await rename(to, `${to}2`);
      assert.match(
        await text(),
        new RegExp(`^1 file .*: \\+2 -0\n${plantedPath(`${to}2${file}`)}\n`),
      );
      const one = await room.call('user_changes', { path: plantedPath(`${to}2${file}`) });
      assert.match(one.text, /\n\+later\n/);
      const last = await show(`${to}2${file}`);
      await type(last, 0, 'lost\n');
      await rename(`${to}2`, from);
      await until('it is open with its changes', () => isOpen(`${from}${file}`));
      await show(`${from}${file}`);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await until('what was not saved is lost', async () => !(await text()).includes('lost'));
      assert.match(await text(), /: \+2 -0\n[^]*\n\+later\n/);
      room.dispose();
      room = createEditorRoom();
    }
  });

  it('says that a text was edited which is too long to be followed, and what others did to it not', async () => {
    const { editor, document, path, file } = await shownFile(`${'x'.repeat(99)}\n`.repeat(11_000));
    assert.equal(await text(), NONE);
    await ownEdits.run([document.uri], () => type(editor, 0, 'by a tool\n'));
    assert.ok(await document.save());
    await until('the file is read again', async () => {
      if (document.getText().startsWith('by the CLI')) return true;
      await writeFile(file, `by the CLI\n${document.getText()}`);
      return false;
    });
    assert.equal(await text(), NONE);
    await type(editor, 0, 'mine\n');
    const told = await text();
    assert.equal(
      told,
      [
        '1 file edited by the person since the last turn: not counted',
        `${path} (unsaved)`,
        '(edited; what was typed is not followed in over 1,000,000 characters)',
      ].join('\n'),
    );
    assert.equal((await room.call('user_changes', { path })).text, told);
    assert.deepEqual(
      room.files.map((one) => one.path),
      [path],
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('what was not saved is lost', async () => (await text()) === NONE);
    await type(editor, 0, 'mine again\n');
    assert.ok(await document.save());
    await until('it is saved', async () => (await text()).includes(`${path}\n(edited; `));
    await closeAll();
    assert.match(await text(), /^1 file .* not counted\n/);
  });

  it('knows what was typed while a tool was saving, and not what the steps of saving did', async () => {
    const { document, path } = await shownFile('one\ntwo\nthree\n');
    let release = (): void => undefined;
    const isTyped = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isSaving = false;
    const step = vscode.workspace.onWillSaveTextDocument((event) => {
      isSaving = true;
      const put = vscode.TextEdit.insert(new vscode.Position(2, 0), 'step ');
      event.waitUntil(isTyped.then(() => [put]));
    });
    try {
      const call = room.call('edit', { edits: [{ path, old: 'two', new: 'TWO' }] });
      await until('it is being saved', () => isSaving);
      await vscode.commands.executeCommand('type', { text: 'm' });
      await vscode.commands.executeCommand('type', { text: 'y' });
      await until('it is typed', () => document.getText().startsWith('my'));
      release();
      await call;
      step.dispose();
      // Another one, of which nothing is the person's.
      const steps = vscode.workspace.onWillSaveTextDocument((event) => {
        event.waitUntil(
          Promise.resolve([vscode.TextEdit.insert(new vscode.Position(1, 0), 'more ')]),
        );
      });
      await room.call('edit', { edits: [{ path, old: 'TWO', new: 'Two' }] });
      steps.dispose();
      assert.match(await disk(document), /^myone\nmore Two\n/);
      const told = (await text()).split('\n').filter((line) => /^[-+]/.test(line));
      assert.deepEqual(told, ['-one', '+myone']);
    } finally {
      step.dispose();
    }
  });

  it('says so where only the line ends were changed', async () => {
    const { editor, path } = await shownFile('one\ntwo\n');
    await editor.edit((edit) => {
      edit.setEndOfLine(vscode.EndOfLine.CRLF);
    });
    const lines = (await text()).split('\n');
    assert.deepEqual(lines.slice(1), [
      `${path} (unsaved)`,
      '(only its line ends were changed, to CRLF)',
    ]);
  });

  it('drops nothing that was typed between many changes of others', async () => {
    const { editor, document } = await shownFile();
    for (let n = 1; n <= 60; n += 1) {
      await type(editor, 0, `mine ${n}\n`);
      await ownEdits.run([document.uri], () => replaceAll(document, `agent ${n}\n`));
    }
    assert.match(await text(), /^1 file .*: \+60 -0\n[^]*\n\+mine 1\n[^]*\n\+mine 60\n/);
  });
});
