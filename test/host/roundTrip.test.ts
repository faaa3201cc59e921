import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  type EditorRoom,
  plantedFile,
  plantedPath,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';
import { feedAll, openPlacesIn, placesIn } from './roundTrip';

const CODE = `import { plantedTotal } from '../src/plantedTotals';

export class Round {
  trip(): number {
    return plantedTotal([1]) + 'a';
  }
}

export function outer(): number {
  return new Round().trip();
}
`;

describe('what one tool names another one takes', () => {
  let room: EditorRoom;
  const odd = plantedPath('50% a#b [1]/round trip.ts');

  usePlantedRoom(
    (made) => {
      room = made;
    },
    {
      plant: async () => {
        await vscode.workspace.fs.createDirectory(vscode.Uri.file(plantedFile('50% a#b [1]')));
        await writeFile(plantedFile('50% a#b [1]/round trip.ts'), CODE);
        await writeFile(plantedFile('round.css'), '.round { --round: 1px; top: var(--round); }\n');
      },
    },
  );

  const outputs: readonly (readonly [string, object])[] = [
    ['diagnostics', { path: odd, full: true }],
    ['symbols', { path: odd }],
    ['symbols', { query: 'Round' }],
    ['symbols', { path: plantedPath('round.css') }],
    ['references', { path: odd, symbol: 'plantedTotal' }],
    ['references', { path: plantedPath('round.css'), symbol: '--round' }],
    ['definition', { path: odd, symbol: 'plantedTotal' }],
    ['definition', { path: odd, symbol: 'Round', kind: 'implementation' }],
    ['hierarchy', { path: odd, symbol: 'Round.trip', of: 'callers' }],
    ['hierarchy', { path: odd, symbol: 'outer', of: 'callees' }],
    // A choice between several.
    ['references', { path: odd, line: 5 }],
  ];

  for (const [tool, input] of outputs) {
    it(`${tool} ${JSON.stringify(input)}`, async () => {
      const { text, isError } = await room.call(tool, input);
      assert.equal(isError, false, text);
      const places = placesIn(text);
      assert.ok(places.length > 0, text);
      const calls = await feedAll(room, tool, [...places.slice(0, 2), ...places.slice(-1)]);
      assert.ok(calls > 5, `${calls} calls`);
    });
  }

  it('open_editors, with a selection, an untitled document and an odd path', async () => {
    const editor = await show('50% a#b [1]/round trip.ts');
    editor.selection = new vscode.Selection(3, 0, 4, 3);
    const untitled = await vscode.workspace.openTextDocument({
      language: 'typescript',
      content: 'const untitled = 1;\nconsole.log(untitled);\n',
    });
    await vscode.window.showTextDocument(untitled, {
      preview: false,
      viewColumn: vscode.ViewColumn.Beside,
    });
    await until('both are listed', async () =>
      /selected lines 4-5[^]*untitled:/.test((await room.call('open_editors')).text),
    );
    const listed = (await room.call('open_editors')).text;
    const places = openPlacesIn(listed);
    const path = untitled.uri.toString();
    // A tab may be seen in two groups while it is being opened beside.
    assert.deepEqual(new Set(places.map((place) => place.path)), new Set([odd, path]), listed);
    assert.equal(places[0]?.line, 4);
    assert.ok((await feedAll(room, 'open_editors', places)) > 5);
    const { text } = await room.call('references', { path, symbol: 'untitled' });
    assert.match(text, /^2 references to 'untitled' in 1 file\nuntitled:/);
    assert.ok((await feedAll(room, 'references', placesIn(text))) > 5);
  });
});
