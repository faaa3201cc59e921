import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
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
  assert.ok(await vscode.workspace.applyEdit(edit));
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
});
