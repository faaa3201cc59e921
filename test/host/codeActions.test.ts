import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { insertAtCursor, openAsNewFile } from '../../src/host/codeActions';
import { closeAll, workspaceRoot } from './editorRoom';

describe('the buttons of a block of code', () => {
  const file = (): string => path.join(workspaceRoot(), 'code actions.txt');

  beforeEach(async () => {
    await closeAll();
    await writeFile(file(), 'one two\n');
  });
  after(async () => {
    await closeAll();
    await rm(file(), { force: true });
  });

  it('put it in place of the selection, and one undo takes it away', async () => {
    const document = await vscode.workspace.openTextDocument(file());
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 4, 0, 7);
    await insertAtCursor(editor, 'three\nfour');
    assert.equal(document.getText(), 'one three\nfour\n');
    assert.equal(vscode.window.activeTextEditor?.document, document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one two\n');
  });

  it('say what to do where no file is open', async () => {
    await assert.rejects(insertAtCursor(undefined, 'x'), /Open the file/);
  });

  it('open it as an untitled document of its language, or of none that is known', async () => {
    for (const [fence, language] of [
      ['ts', 'typescript'],
      ['JSON', 'json'],
      ['sh', 'shellscript'],
      ['', 'plaintext'],
      ['no-such-language', 'plaintext'],
    ] as const) {
      await openAsNewFile('const a = 1;\n', fence);
      const document = vscode.window.activeTextEditor?.document;
      assert.equal(document?.languageId, language, fence);
      assert.equal(document.getText(), 'const a = 1;\n');
      assert.ok(document.isUntitled);
    }
  });
});
