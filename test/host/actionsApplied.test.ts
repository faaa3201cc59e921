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
});
