import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { SymbolLinks } from '../../src/editor/symbolLinks';
import { openSymbol } from '../../src/host/openSymbol';
import {
  closeAll,
  type EditorRoom,
  plantedFile,
  show,
  until,
  usePlantedRoom,
  wakeTypeScript,
} from './editorRoom';

/** Behind all other suites TypeScript takes a minute and more to list what it knew a moment ago. */
const WHOLE_SUITE_MS = 170_000;

describe('names that an answer cites', () => {
  let room: EditorRoom;
  const denied = new Set<string>();
  const links = new SymbolLinks({
    denied: (files) =>
      Promise.resolve(
        new Map(files.flatMap((file) => (denied.has(file) ? [[file, 'Read(secret)']] : []))),
      ),
  });

  usePlantedRoom(
    (made) => {
      room = made;
    },
    {
      plant: async () => {
        await writeFile(plantedFile('src/zqOne.ts'), 'export class ZqOne {\n  zqSum() {}\n}\n');
        await writeFile(
          plantedFile('src/zqTwo.ts'),
          'export class ZqTwo {\n  zqSum() {}\n}\nexport function zqAlone() {}\n',
        );
      },
    },
  );

  const counts = async (...names: string[]) => {
    const found = await links.count(names, new AbortController().signal);
    return names.map((name) => found.get(name));
  };

  before(async () => {
    await wakeTypeScript(room);
    await show('src/zqTwo.ts');
    const areKnown = async (): Promise<boolean> => {
      const [one, two] = await counts('zqSum', 'zqAlone');
      return one === 2 && two === 1;
    };
    await until('TypeScript knows the files', areKnown, WHOLE_SUITE_MS);
    await closeAll();
  });

  after(closeAll);

  it('are counted by their definitions in the workspace', async () => {
    assert.deepEqual(
      await counts('zqAlone', 'zqAlone()', 'ZqOne.zqSum', 'zqSum', 'zqNobody', 'zqAlo'),
      [1, 1, 1, 2, 0, 0],
    );
  });

  it('lead to the definition where there is one', async () => {
    await openSymbol(links, 'zqAlone');
    const editor = vscode.window.activeTextEditor;
    assert.match(editor?.document.uri.path ?? '', /src\/zqTwo\.ts$/);
    assert.equal(editor?.selection.active.line, 3);
  });

  it('are no links into a file that is kept back', async () => {
    denied.add(plantedFile('src/zqTwo.ts'));
    assert.deepEqual(await counts('zqAlone', 'zqSum'), [0, 1]);
    await assert.rejects(openSymbol(links, 'zqAlone'), /not defined in this workspace/);
    denied.clear();
  });
});
