import assert from 'node:assert/strict';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
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
  wakeTypeScript,
} from './editorRoom';

const USERS = 11;
const DECLARED = 'src/renamedPrice.ts';
const user = (n: number): string => `src/renamedUser${n}.ts`;

describe('the tool rename', () => {
  let room: EditorRoom;

  before(async () => {
    await closeAll();
    await layPlanted();
    await plantUsers();
    room = createEditorRoom();
    await wakeTypeScript(room);
  });

  after(async () => {
    room.dispose();
    await restorePlanted();
  });

  beforeEach(async () => {
    await closeAll();
    await plantUsers();
    room.newConversation();
  });

  const disk = (name: string): Promise<string> => readFile(plantedFile(name), 'utf8');
  const named = { path: plantedPath(user(1)), symbol: 'renamedPrice', to: 'finalPrice' };
  const tool = (from = room) => from.servers.flatMap((one) => one.getTool('rename') ?? [])[0]!;

  /** One file that declares a name, and others that use it twice each. */
  async function plantUsers(): Promise<void> {
    await writeFile(
      plantedFile(DECLARED),
      'export function renamedPrice(n: number): number {\n  return n;\n}\n',
    );
    for (let n = 1; n <= USERS; n += 1) {
      const text = `import { renamedPrice } from './renamedPrice';\nexport const cost${n} = renamedPrice(${n});\n`;
      await writeFile(plantedFile(user(n)), text);
    }
    for (const document of vscode.workspace.textDocuments) {
      if (!document.fileName.includes('renamed')) continue;
      const text = await readFile(document.fileName, 'utf8').catch(() => document.getText());
      await until('the editor has the text of the disk', () => document.getText() === text);
    }
  }

  it('renames a symbol in twelve files, saves them, and one undo brings all back', async () => {
    const { text, isError } = await room.call('rename', named);
    assert.equal(isError, false, text);
    const [title, ...lines] = text.split('\n');
    assert.equal(title, 'renamed renamedPrice to finalPrice: 23 places in 12 files');
    assert.ok(lines.includes(`${plantedPath(DECLARED)}: 1 place; saved`), text);
    assert.ok(lines.includes(`${plantedPath(user(7))}: 2 places; saved`), text);
    assert.ok(text.length <= 6_000);
    assert.match(await disk(user(11)), /^import \{ finalPrice \}.*\n.*= finalPrice\(11\);\n$/);
    assert.match(await disk(DECLARED), /function finalPrice\(/);
    assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, 0);
    assert.equal(room.files.length, 12);
    await show(DECLARED);
    await vscode.commands.executeCommand('undo');
    for (const name of [DECLARED, user(1), user(11)]) {
      const document = await vscode.workspace.openTextDocument(plantedFile(name));
      assert.match(document.getText(), /renamedPrice/);
      assert.doesNotMatch(document.getText(), /finalPrice/);
    }
  });

  it('leaves a file with unsaved changes unsaved, with the new name in it', async () => {
    const { document } = await show(user(3));
    await replaceAll(document, `${document.getText()}// typed by the person\n`);
    const { text } = await room.call('rename', named);
    assert.match(text, /renamedUser3\.ts: 2 places; left unsaved: it had unsaved changes before/);
    assert.match(document.getText(), /= finalPrice\(3\);\n\/\/ typed by the person\n$/);
    assert.equal(document.isDirty, true);
    assert.match(await disk(user(3)), /renamedPrice/);
    assert.match(await disk(user(4)), /finalPrice/);
  });

  it('names each place beforehand, for the policy and for the card', async () => {
    const paths = (await tool().edits?.(named)) ?? [];
    assert.equal(paths.length, 23);
    assert.equal(new Set(paths).size, 12);
    assert.equal(paths.filter((one) => one === plantedFile(user(2))).length, 2);
    assert.match(await disk(DECLARED), /renamedPrice/);
    // What cannot be done is told by the call itself, not by a card.
    assert.deepEqual(await tool().edits?.({ ...named, symbol: 'noSuchName' }), [
      plantedFile(user(1)),
    ]);
  });

  it('tells which problems a new name brings', async () => {
    await writeFile(
      plantedFile(DECLARED),
      'export function renamedPrice(): number {\n  return taken;\n}\nexport const taken = 1;\n',
    );
    await show(DECLARED);
    const given = { path: plantedPath(DECLARED), symbol: 'renamedPrice', to: 'taken' };
    await until('the editor has the new text', async () =>
      (await room.call('read_buffer', { path: plantedPath(DECLARED) })).text.includes('taken'),
    );
    const { text } = await room.call('rename', given);
    assert.match(text, /\n\d+ new problems, /, text);
    assert.match(text, /error .*[Dd]uplicate|[Cc]annot redeclare|conflicts/, text);
  });

  it('refuses what is no name, the same name, and what cannot be renamed, with the reason', async () => {
    const cases: [object, RegExp][] = [
      [{ ...named, to: 'two words' }, /'two words' is no name/],
      [{ ...named, to: 'renamedPrice' }, /already called renamedPrice/],
      [{ ...named, symbol: 'zzNone' }, /zzNone/],
      [{ path: plantedPath('src/none.ts'), line: 1, to: 'x' }, /^No such file/],
      [{ path: plantedPath(user(1)), line: 99, to: 'x' }, /past the end/],
    ];
    for (const [given, expected] of cases) {
      const { text, isError } = await room.call('rename', given);
      assert.equal(isError, true, text);
      assert.match(text, expected);
      assert.ok(text.length <= 240, text);
    }
    assert.match(await disk(DECLARED), /renamedPrice/);
  });

  it('changes nothing where a rule forbids writing one of the files, and does not name it', async () => {
    const guarded = createEditorRoom({
      readGuard: {
        denied: () => Promise.resolve(new Map()),
        deniedWrites: (files) =>
          Promise.resolve(
            new Map(
              files
                .filter((file) => file.endsWith('renamedUser5.ts'))
                .map((file) => [file, 'Edit(hidden)']),
            ),
          ),
      },
    });
    try {
      const { text, isError } = await guarded.call('rename', named);
      assert.equal(isError, true);
      assert.match(
        text,
        /^Nothing was changed: the person's rule Edit\(hidden\) forbids writing one of the files/,
      );
      assert.doesNotMatch(text, /User5/);
      assert.match(await disk(user(1)), /renamedPrice/);
    } finally {
      guarded.dispose();
    }
  });

  it('serves what the other bundled language servers rename', async () => {
    await writeFile(
      plantedFile('renamed.css'),
      ':root { --tone: red; }\na { color: var(--tone); }\n',
    );
    const { text } = await room.call('rename', {
      path: plantedPath('renamed.css'),
      symbol: '--tone',
      to: '--shade',
    });
    assert.match(text, /^renamed --tone to --shade: 2 places in 1 file\n/, text);
    assert.match(await disk('renamed.css'), /--shade: red.*\n.*var\(--shade\)/);
  });

  it('keeps the mark with which a name begins, given with it or without', async () => {
    const cases: readonly (readonly [string, string, string, string, string])[] = [
      ['mark1.css', '.card { a: b }\n.card:hover { a: b }\n', '.card', 'tile', '.tile'],
      ['mark2.css', '#card { a: b }\n', 'card', 'tile', '#tile'],
      ['mark3.css', 'a { --card: red; color: var(--card); }\n', '--card', 'tile', '--tile'],
      ['mark4.css', '.card { a: b }\n', '.card', '#tile', '#tile'],
      ['mark.less', '@card: red;\na { color: @card; }\n', 'card', 'tile', '@tile'],
      ['mark.scss', '$card: red;\na { color: $card; }\n', '$card', 'tile', '$tile'],
      ['mark1.ts', 'class M { #card = 1; m() { return this.#card; } }\n', '#card', 'tile', '#tile'],
      ['mark2.ts', 'const $card = 1;\nvoid $card;\nexport {};\n', '$card', 'tile', 'tile'],
    ];
    for (const [name, text, symbol, to, becomes] of cases) {
      await writeFile(plantedFile(name), text);
      await show(name);
      let said = '';
      await until(`${name} is renamed`, async () => {
        said = (await room.call('rename', { path: plantedPath(name), symbol, to })).text;
        return said.startsWith('renamed');
      });
      const mark = /\W*card/.exec(text.slice(text.search(/[-.#@$]+card/)))?.[0] ?? '';
      assert.ok(said.startsWith(`renamed ${mark} to ${becomes}: `), said);
      assert.equal(await disk(name), text.replaceAll(mark, becomes));
      const same = await room.call('rename', { path: plantedPath(name), symbol: becomes, to });
      assert.equal(same.text, `It is already called ${becomes}`);
      const odd = await room.call('rename', {
        path: plantedPath(name),
        symbol: becomes,
        to: 'a b',
      });
      assert.match(odd.text, /^'a b' is no name/);
    }
  });

  it('gives a heading and a link of Markdown any words', async () => {
    await writeFile(plantedFile('words.md'), '# Setup\n\n[a](#setup) [b](./other words.md)\n');
    await show('words.md');
    const given = { path: plantedPath('words.md'), symbol: 'Setup' };
    const first = await room.call('rename', { ...given, to: 'Getting\nstarted' });
    assert.match(first.text, /is no name/);
    await until('the heading is renamed', async () =>
      (await room.call('rename', { ...given, to: 'Getting started' })).text.startsWith(
        'renamed Setup to Getting started: 2 places',
      ),
    );
    assert.match(await disk('words.md'), /^# Getting started\n\n\[a\]\(#getting-started\)/);
  });

  describe('with a provider of another language', () => {
    const file = 'any.renames';
    let give: (uri: vscode.Uri) => vscode.ProviderResult<vscode.WorkspaceEdit>;
    let provider: vscode.Disposable;
    const given = { path: plantedPath(file), line: 1, to: 'other' };

    before(async () => {
      await writeFile(plantedFile(file), 'word\n');
      provider = vscode.languages.registerRenameProvider(
        { pattern: '**/*.renames' },
        { provideRenameEdits: ({ uri }) => give(uri) },
      );
    });
    after(() => {
      provider.dispose();
    });

    const replace = (uri: vscode.Uri, line = 0): vscode.WorkspaceEdit => {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, new vscode.Range(line, 0, line, 4), 'other');
      return edit;
    };

    it('says so where it fails, never answers, or answers rubbish, and changes nothing', async () => {
      const impatient = createEditorRoom({ answerMs: 500 });
      const cases: [typeof give, RegExp][] = [
        [() => Promise.reject(new Error('boom')), /boom/],
        [() => new Promise<never>(() => undefined), /did not answer in 0\.5 s/],
        [() => undefined, /renames word/],
        [() => new vscode.WorkspaceEdit(), /renames word/],
        [(uri) => replace(uri, 40), /places that .*any\.renames does not have/],
        [() => replace(vscode.Uri.parse('output:x')), /reaches into output:x/],
        [() => replace(vscode.Uri.file(plantedFile('gone.renames'))), /is not there any more/],
      ];
      try {
        for (const [answer, expected] of cases) {
          give = answer;
          const { text, isError } = await impatient.call('rename', given);
          assert.equal(isError, true, text);
          assert.match(text, expected);
          assert.ok(text.length <= 240);
        }
        assert.equal(await disk(file), 'word\n');
      } finally {
        impatient.dispose();
      }
    });

    it('sees the files that it would make or move, beforehand and in the answer', async () => {
      give = (uri) => {
        const edit = replace(uri);
        edit.createFile(vscode.Uri.file(plantedFile('.vscode/made.json')));
        return edit;
      };
      assert.deepEqual(await tool().edits?.(given), [
        plantedFile('.vscode/made.json'),
        plantedFile(file),
      ]);
      const { text } = await room.call('rename', given);
      assert.match(
        text,
        /^renamed word to other: 1 place in 1 file\nmade .*\.vscode\/made\.json\n/,
      );
      assert.equal(await disk(file), 'other\n');
      await unlink(plantedFile('.vscode/made.json'));
      await writeFile(plantedFile(file), 'word\n');
    });

    it('changes the text of a file that it moves as well, whatever its state', async () => {
      const moves = 'Moved.renames';
      const meant = { path: plantedPath(moves), symbol: 'word' };
      const to = 'other.renames';
      for (const typed of ['', 'typed ']) {
        await writeFile(plantedFile(moves), 'word\n');
        await writeFile(plantedFile('uses.renames'), 'word\n');
        const { document } = await show(moves);
        if (typed !== '') await replaceAll(document, `${typed}word\n`);
        give = (uri) => {
          const edit = new vscode.WorkspaceEdit();
          const at = typed.length;
          edit.replace(uri, new vscode.Range(0, at, 0, at + 4), 'other');
          const uses = vscode.Uri.file(plantedFile('uses.renames'));
          edit.replace(uses, new vscode.Range(0, 0, 0, 4), 'other');
          edit.renameFile(uri, vscode.Uri.file(plantedFile(to)));
          return edit;
        };
        const { text } = await room.call('rename', { ...given, ...meant });
        const state = typed === '' ? 'saved' : 'left unsaved';
        assert.match(text, /^renamed word to other: 2 places in 2 files\nmoved /);
        assert.match(text, new RegExp(`^planted files/other\\.renames: 1 place; ${state}`, 'm'));
        assert.match(text, /^planted files\/uses\.renames: 1 place; saved$/m);
        const moved = await vscode.workspace.openTextDocument(plantedFile(to));
        assert.equal(moved.getText(), `${typed}other\n`);
        assert.equal(await disk(to), typed === '' ? 'other\n' : 'word\n');
        assert.equal(await disk('uses.renames'), 'other\n');
        await closeAll();
        await unlink(plantedFile(to));
      }
    });

    it('changes nothing at all where places overlap in one of the files', async () => {
      await writeFile(plantedFile('first.renames'), 'word\n');
      await writeFile(plantedFile('second.renames'), 'word\n');
      give = (uri) => {
        const edit = replace(uri);
        const second = vscode.Uri.file(plantedFile('second.renames'));
        edit.replace(second, new vscode.Range(0, 2, 0, 4), 'x');
        edit.replace(second, new vscode.Range(0, 0, 0, 3), 'other');
        return edit;
      };
      const path = plantedPath('first.renames');
      const { text, isError } = await room.call('rename', { ...given, path });
      assert.equal(isError, true, text);
      assert.match(
        text,
        /^Nothing was changed: the language server gave places in .*second\.renames that overlap/,
      );
      assert.deepEqual(
        vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty),
        [],
      );
      assert.equal(await disk('first.renames'), 'word\n');
    });

    it('changes nothing at all where it would change and delete one file', async () => {
      await writeFile(plantedFile('kept.renames'), 'word\n');
      give = () => {
        const edit = replace(vscode.Uri.file(plantedFile('kept.renames')));
        edit.deleteFile(vscode.Uri.file(plantedFile('kept.renames')));
        return edit;
      };
      const { text, isError } = await room.call('rename', { ...given, symbol: 'word' });
      assert.equal(isError, true, text);
      assert.match(text, /^Nothing was changed: .* would change and delete .*kept\.renames\./);
      assert.equal(await disk('kept.renames'), 'word\n');
    });

    it('writes nothing that was not named when the call was judged', async () => {
      await until('the text is back', async () =>
        (await room.call('read_buffer', { path: plantedPath(file) })).text.includes('word'),
      );
      give = replace;
      await tool().edits?.(given);
      give = (uri) => {
        const edit = replace(uri);
        edit.insert(vscode.Uri.file(plantedFile(DECLARED)), new vscode.Position(0, 0), 'x');
        return edit;
      };
      const { text, isError } = await room.call('rename', given);
      assert.equal(isError, true);
      assert.match(text, /1 of the files were not among those that were allowed/);
      assert.equal(await disk(file), 'word\n');
    });
  });
});
