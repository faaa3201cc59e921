import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { closeAll, createEditorRoom, type EditorRoom, until } from '../editorRoom';
import { feedAll, openPlacesIn, placesIn } from '../roundTrip';

const FIRST = 'work space/src/pricing.ts';
const SECOND = 'work space~2/src/pricing.ts';

describe('the tools in a workspace of two folders of one name', () => {
  let room: EditorRoom;

  before(async () => {
    await closeAll();
    room = createEditorRoom();
    for (const file of [FIRST, SECOND]) {
      await until(`TypeScript knows ${file}`, async () => {
        const { text } = await room.call('symbols', { path: file, query: 'calcTotal' });
        return text.includes('function calcTotal');
      });
    }
  });

  after(async () => {
    room.dispose();
    await closeAll();
  });

  function root(index: number): string {
    const folder = vscode.workspace.workspaceFolders?.[index];
    assert.ok(folder);
    return folder.uri.fsPath;
  }

  it('tell the folders apart, and take what they give', async () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 2);
    for (const file of [FIRST, SECOND]) {
      const { text, isError } = await room.call('references', { path: file, symbol: 'lineCents' });
      assert.equal(isError, false, text);
      const places = placesIn(text);
      const folder = file.slice(0, file.indexOf('/') + 1);
      assert.ok(places.length > 1, text);
      assert.ok(
        places.every((place) => place.path.startsWith(folder)),
        text,
      );
      assert.ok((await feedAll(room, 'references', places.slice(0, 2))) > 5);
    }
  });

  it('take a path without its folder, and an absolute one', async () => {
    const ways = [
      ['src/pricing.ts', FIRST],
      [path.join(root(0), 'src/pricing.ts'), FIRST],
      [path.join(root(1), 'src/pricing.ts'), SECOND],
      [vscode.Uri.file(path.join(root(1), 'src/pricing.ts')).toString(), SECOND],
    ] as const;
    for (const [given, shown] of ways) {
      const { text } = await room.call('definition', { path: given, symbol: 'calcTotal' });
      assert.equal(placesIn(text)[0]?.path, shown, text);
    }
    const { text } = await room.call('definition', { path: 'work space~3/src/pricing.ts' });
    assert.match(text, /^No such file: .* Nearest: work space/);
  });

  it('give the choice where a name is declared in both', async () => {
    const { text, isError } = await room.call('references', { symbol: 'calcTotal' });
    assert.equal(isError, false, text);
    assert.match(text, /^2 places may be meant by 'calcTotal'/);
    const places = placesIn(text);
    assert.deepEqual(places.map((place) => place.path).sort(), [FIRST, SECOND]);
    assert.ok((await feedAll(room, 'choice', places)) > 5);
  });

  it('name open files and problems by their folder', async () => {
    const file = vscode.Uri.file(path.join(root(1), 'src/pricing.ts'));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    const { text } = await room.call('open_editors');
    assert.deepEqual(
      openPlacesIn(text).map((place) => place.path),
      [SECOND],
    );
    const problems = await room.call('diagnostics', { path: SECOND });
    assert.equal(problems.isError, false, problems.text);
    await closeAll();
  });
});
