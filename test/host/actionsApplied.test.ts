import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type EditorRoom, plantedFile, plantedPath, show, usePlantedRoom } from './editorRoom';

describe('what the tool actions applies', () => {
  let room: EditorRoom;

  usePlantedRoom((made) => {
    room = made;
  });

  const disk = (name: string): Promise<string> => readFile(plantedFile(name), 'utf8');
  const call = (name: string, more: object) =>
    room.call('actions', { path: plantedPath(name), ...more });

  it('formats with the indentation that the text has, whatever is set', async () => {
    const body = (name: string, tab: string): string =>
      `export function ${name}(a: number): number {\n${tab}if (a > 1) {\n${tab}${tab}return   a;\n${tab}}\n${tab}return 2;\n}\n`;
    for (const [name, tab] of [
      ['actedTwo', '  '],
      ['actedTab', '\t'],
    ] as const) {
      const file = `src/${name}Indent.ts`;
      await writeFile(plantedFile(file), body(name, tab));
      const { text } = await call(file, { apply: 'format' });
      assert.match(text, /^applied 'format': 1 place in 1 file\n/);
      assert.equal(await disk(file), body(name, tab).replace('return   a', 'return a'));
    }
  });

  it('opens no file and no box for the person in what follows an edit', async () => {
    const name = 'src/actedExtract.ts';
    await writeFile(plantedFile(name), 'export function actedSize() {\n  return 17 * 4;\n}\n');
    const { document } = await show('src/plantedOrder.ts');
    const apply = 'Extract to constant in enclosing scope';
    const { text } = await call(name, { line: 2, apply });
    assert.match(text, /^applied 'Extract .*: \d places in 1 file\n.*; saved\nnot run, it asks/);
    assert.match(text, /\nnot run, it asks the person: editor\.action\.rename$/m);
    assert.match(await disk(name), /const newLocal = 17 \* 4;\n/);
    assert.equal(vscode.window.activeTextEditor?.document, document);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
  });

  it('says which servers have fixes of their own left, and does those next', async () => {
    const name = 'fixed.byTwo';
    await writeFile(plantedFile(name), 'a b\n');
    const fixes = ['a', 'b'].map((letter) => {
      const kind = vscode.CodeActionKind.SourceFixAll.append(letter);
      const provideCodeActions = (document: vscode.TextDocument): vscode.CodeAction[] => {
        const action = new vscode.CodeAction(`Fix ${letter}`, kind);
        action.edit = new vscode.WorkspaceEdit();
        const at = document.positionAt(document.getText().indexOf(letter));
        const range = new vscode.Range(at, at.translate(0, 1));
        if (document.getText().includes(letter)) {
          action.edit.replace(document.uri, range, letter.toUpperCase());
        }
        return [action];
      };
      const files = { pattern: '**/*.byTwo' };
      const kinds = { providedCodeActionKinds: [kind] };
      return vscode.languages.registerCodeActionsProvider(files, { provideCodeActions }, kinds);
    });
    try {
      const first = await call(name, { apply: 'fixAll' });
      const [, done = ''] = /^applied 'Fix (\w)'/.exec(first.text) ?? [];
      const left = done === 'a' ? 'b' : 'a';
      assert.ok(first.text.endsWith(`\nnot applied yet, call again for it: 'Fix ${left}'`));
      const second = await call(name, { apply: 'fixAll' });
      assert.match(second.text, new RegExp(`^applied 'Fix ${left}'`));
      assert.doesNotMatch(second.text, /not applied yet/);
      assert.equal(await disk(name), 'A B\n');
    } finally {
      for (const one of fixes) one.dispose();
    }
  });
});
