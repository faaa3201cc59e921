import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { findPlace, type Place, type PlaceInput } from '../../src/editor/place';
import { ToolProblem } from '../../src/editor/toolProblem';
import {
  type EditorRoom,
  PLANTED,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  usePlantedRoom,
} from './editorRoom';

const CELLS = JSON.stringify({
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Cents'] },
    {
      ...{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [] },
      source: ['zqCents = 3\n', 'print(zqCents)'],
    },
  ],
  ...{ metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 },
});

const CARTS = `export class CartA {
  total(): number {
    return 1;
  }
}

export class CartB {
  total(): number {
    return 2;
  }
}

export function pick(flag: boolean): number {
  // total in a comment
  const a = new CartA();
  return flag ? a.total() : new CartB().total();
}
`;
const USES = `import { CartA, pick } from './placeCarts';

export const cart = new CartA();
export const sum = cart.total() + pick(true);
`;

describe('a place that the model means', () => {
  let room: EditorRoom;

  usePlantedRoom(
    (made) => {
      room = made;
    },
    {
      plant: async () => {
        await writeFile(plantedFile('src/placeCarts.ts'), CARTS);
        await writeFile(plantedFile('src/placeUses.ts'), USES);
        await writeFile(plantedFile('style.css'), '.box {\n  --main-color: red;\n}\n.box-2 {}\n');
        await writeFile(plantedFile('notes.md'), '# Title\n\n## Usage notes\n\ntext\n');
      },
    },
  );

  const signal = (): AbortSignal => new AbortController().signal;
  const find = (input: PlaceInput, need?: 'name' | 'line') =>
    findPlace(input, { context: room.context, answerMs: 60_000 }, { signal: signal(), need });

  async function placeOf(input: PlaceInput, need?: 'name' | 'line'): Promise<string> {
    const found = await find(input, need);
    return found.kind === 'place' ? shown(found) : found.text;
  }

  async function problemOf(input: PlaceInput): Promise<string> {
    try {
      await find(input);
    } catch (error) {
      assert.ok(error instanceof ToolProblem, String(error));
      assert.ok(error.message.length <= 240);
      return error.message;
    }
    assert.fail('it is refused');
  }

  function shown({ file, position, name, notes }: Place): string {
    const place = `${file.path} ${position.line + 1}:${position.character + 1} ${name}`;
    return [place, ...notes].join('\n');
  }

  const carts = plantedPath('src/placeCarts.ts');
  const uses = plantedPath('src/placeUses.ts');

  it('is the declaration of a name in the file, without a tab', async () => {
    assert.equal(await placeOf({ path: carts, symbol: 'pick' }), `${carts} 13:17 pick`);
    assert.equal(await placeOf({ path: carts, symbol: 'CartB.total' }), `${carts} 8:3 total`);
    assert.equal(await placeOf({ path: carts, symbol: 'CartA#total()' }), `${carts} 2:3 total`);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
  });

  it('is any place where the name occurs, in a file that does not declare it', async () => {
    assert.equal(await placeOf({ path: uses, symbol: 'pick' }), `${uses} 1:17 pick`);
    assert.equal(await placeOf({ path: uses, symbol: 'CartA.total' }), `${uses} 4:25 total`);
    assert.equal(await placeOf({ path: uses, symbol: 'cart.total' }), `${uses} 4:25 total`);
    assert.equal(
      await placeOf({ path: uses, symbol: 'CartB.total' }),
      `${uses} 4:25 total\n(not known whether this 'total' is in 'CartB')`,
    );
  });

  it('is on the line that is given, and told where the line has no such name', async () => {
    assert.equal(await placeOf({ path: carts, symbol: 'total', line: 8 }), `${carts} 8:3 total`);
    assert.equal(
      await placeOf({ path: carts, symbol: 'total', line: 16, column: 43 }),
      `${carts} 16:41 total`,
    );
    assert.equal(await placeOf({ path: `${carts}:16:19` }), `${carts} 16:19 total`);
    assert.equal(
      await placeOf({ path: `${uses}:2`, symbol: 'sum' }),
      `${uses} 4:14 sum\n(line 2 has no 'sum': taken from elsewhere)`,
    );
  });

  it('may be a line alone: its declaration, its only meaning, or its start', async () => {
    assert.equal(await placeOf({ path: carts, line: 13 }), `${carts} 13:17 pick`);
    assert.equal(await placeOf({ path: carts, line: 3 }, 'line'), `${carts} 3:5 undefined`);
    assert.match(await placeOf({ path: uses, line: 4 }), /4:14 sum$/);
    assert.match(await problemOf({ path: carts, line: 12 }), /^Line 12 has no name\./);
  });

  it('is a choice where a name has several meanings', async () => {
    const inFile = await placeOf({ path: carts, symbol: 'total' });
    assert.match(inFile, /^2 places may be meant by 'total'\./);
    assert.match(inFile, /\n 2:3 method total \(CartA\)\n 8:3 method total \(CartB\)$/);
    const onLine = await placeOf({ path: carts, symbol: 'total', line: 16 });
    assert.match(onLine, /^2 places .*\nplanted files\/src\/placeCarts\.ts\n 16:19 return flag/);
    const anywhere = await placeOf({ symbol: 'total' });
    // Other suites plant some too.
    assert.match(anywhere, /^\d+ places may be meant/);
    assert.match(anywhere, /\n 9:9 variable total \(describePlanted\)/);
  });

  it('is found by its name alone where that is declared once', async () => {
    assert.equal(
      await placeOf({ symbol: 'PlantedLedger' }),
      `${plantedPath('src/plantedTotals.ts')} 6:14 PlantedLedger`,
    );
    assert.equal(await placeOf({ symbol: 'CartB.total' }), `${carts} 8:3 total`);
  });

  it('is found in style sheets and notes too', async () => {
    const css = plantedPath('style.css');
    assert.equal(await placeOf({ path: css, symbol: '.box' }), `${css} 1:1 .box`);
    assert.equal(await placeOf({ path: css, symbol: '--main-color' }), `${css} 2:3 --main-color`);
    const notes = plantedPath('notes.md');
    assert.equal(await placeOf({ path: notes, symbol: 'Usage notes' }), `${notes} 3:4 Usage notes`);
  });

  it('is told with the nearest names where it is unknown', async () => {
    assert.match(
      await problemOf({ path: carts, symbol: 'CartC' }),
      /^No 'CartC' in planted files\/src\/placeCarts\.ts\. Nearest: CartA, CartB, \w+\. Leave out path/,
    );
    assert.match(await problemOf({ symbol: 'PlantedLedgr' }), /PlantedLedg/);
    assert.match(
      await problemOf({ path: `${carts}x`, symbol: 'a' }),
      /^No such file: .* Nearest: /,
    );
  });

  it('is refused past the end, without a name, and in what is no text', async () => {
    const lines = CARTS.split('\n').length;
    assert.equal(
      await problemOf({ path: carts, line: 99 }),
      `${carts} has ${lines} lines; line=99 is past the end`,
    );
    assert.match(await problemOf({}), /^Give symbol/);
    assert.match(await problemOf({ path: carts }), /^Give symbol \(a name in /);
    assert.match(await problemOf({ path: PLANTED, symbol: 'a' }), /is a folder/);
    await writeFile(plantedFile('place.bin'), Buffer.from([1, 0, 2]));
    assert.match(await problemOf({ path: plantedPath('place.bin'), symbol: 'a' }), /binary/);
  });

  it('is taken from the unsaved text', async () => {
    const { document } = await show('src/placeUses.ts');
    await replaceAll(document, `\n\n${USES}export const fresh = sum;\n`);
    assert.equal(await placeOf({ path: uses, symbol: 'fresh' }), `${uses} 7:14 fresh`);
  });

  it('may be in an untitled document, and in no other kind that is not a file', async () => {
    const untitled = await vscode.workspace.openTextDocument({
      language: 'typescript',
      content: 'const lonely = 1;\nconsole.log(lonely);\n',
    });
    const path = untitled.uri.toString();
    assert.equal(await placeOf({ path, symbol: 'lonely' }), `${path} 1:7 lonely`);
    for (const uri of [
      'output:some-channel',
      'git:/a.ts?{}',
      'vscode-vfs://github/a/b.ts',
      'vscode-remote://ssh-remote%2Bbox/srv/a.ts',
    ]) {
      assert.match(await problemOf({ path: uri, symbol: 'a' }), /^Not served: '/, uri);
    }
  });

  it('may be in a cell of an open notebook, by the URI that the editor gives it', async () => {
    await writeFile(plantedFile('cells.ipynb'), CELLS);
    const file = vscode.Uri.file(plantedFile('cells.ipynb'));
    await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(file));
    const cell = vscode.workspace.notebookDocuments
      .find(({ uri }) => uri.path === file.path)
      ?.cellAt(1);
    assert.ok(cell);
    const path = cell.document.uri.toString();
    assert.match(path, /^vscode-notebook-cell:/);
    // No server here knows Python: each occurrence is a choice, and may be chosen.
    for (const [line, column] of [
      [1, 1],
      [2, 7],
    ]) {
      const place = await placeOf({ path, symbol: 'zqCents', line });
      assert.equal(place, `${path} ${line}:${column} zqCents`);
    }
    const { text } = await room.call('read_buffer', { path });
    assert.match(text, /\n1\tzqCents = 3\n2\tprint\(zqCents\)$/);
    assert.match(
      await problemOf({ path: `${path}9`, symbol: 'zqCents' }),
      /^No such file|^Not served|notebook/,
    );
  });

  it('is found by every way to write a path of this platform', async () => {
    const odd = '50% a#b?c [1] cafe\u0301.ts';
    await writeFile(plantedFile(odd), 'export const odd = 1;\n');
    const shownOdd = plantedPath(odd);
    const uri = vscode.Uri.file(plantedFile(odd)).toString();
    const ways = [shownOdd, `./${shownOdd}`, plantedFile(odd), uri, uri.replace('%20', ' ')];
    for (const path of ways) {
      assert.equal(await placeOf({ path, symbol: 'odd' }), `${shownOdd} 1:14 odd`, path);
    }
    const others = ['C:\\Work\\a.ts', 'c:/work/a.ts', '\\\\wsl.localhost\\D\\a.ts', 'P:\\'];
    for (const path of others) {
      assert.match(await problemOf({ path, symbol: 'odd' }), /^No such file: /, path);
    }
    assert.match(await problemOf({ path: '/mnt/c/Work/a.ts' }), /outside the workspace/);
    assert.match(await problemOf({ path: 'file:///c%3A/Work/a.ts' }), /outside the workspace/);
  });

  it('is not followed by a link out of the workspace, nor above the folder', async () => {
    await mkdir(plantedFile('links'), { recursive: true });
    await symlink('/etc', plantedFile('links/way out'));
    const path = plantedPath('links/way out/hostname');
    assert.match(await problemOf({ path, line: 1 }), /is a link out of the workspace/);
    assert.match(
      await problemOf({ path: '../../../etc/hostname', line: 1 }),
      /outside|No such file/,
    );
  });

  it('is not given in a file that a rule forbids reading', async () => {
    const denied = plantedFile('src/placeCarts.ts');
    const readGuard = {
      denied: (files: readonly string[]) =>
        Promise.resolve(new Map(files.filter((f) => f === denied).map((f) => [f, 'Read(x)']))),
    };
    const deps = { context: room.context, readGuard, answerMs: 60_000 };
    await assert.rejects(
      findPlace({ path: carts, symbol: 'pick' }, deps, { signal: signal() }),
      /rule Read\(x\) forbids reading/,
    );
    await assert.rejects(
      findPlace({ symbol: 'CartB' }, deps, { signal: signal() }),
      /A rule hides some/,
    );
  });

  it('is not waited for after Stop', async () => {
    const stop = new AbortController();
    const found = findPlace({ path: carts, symbol: 'total' }, {}, { signal: stop.signal });
    stop.abort();
    await assert.rejects(found, /^ToolProblem: Stopped/);
  });
});
