import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  createEditorRoom,
  type EditorRoom,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';
import { roomWithout } from './placeProviders';

describe('the tool actions', () => {
  let room: EditorRoom;

  usePlantedRoom((made) => {
    room = made;
  });

  const disk = (name: string): Promise<string> => readFile(plantedFile(name), 'utf8');
  const call = (name: string, more: object = {}) =>
    room.call('actions', { path: plantedPath(name), ...more });
  const named = (name: string, more: object) => {
    const tool = room.servers.flatMap((server) => server.getTool('actions') ?? [])[0];
    return tool?.edits?.({ path: plantedPath(name), ...more });
  };

  const isProblem = ({ severity }: vscode.Diagnostic): boolean =>
    severity === vscode.DiagnosticSeverity.Error || severity === vscode.DiagnosticSeverity.Warning;

  async function problems(name: string, count: number): Promise<void> {
    await show(name);
    await until(`${count} problems are known`, () => {
      const uri = vscode.Uri.file(plantedFile(name));
      return vscode.languages.getDiagnostics(uri).filter(isProblem).length === count;
    });
  }

  it('lists what is offered for a line and applies one by its number, with the new problems', async () => {
    const name = 'src/actedImport.ts';
    await writeFile(plantedFile(name), 'export const sum = plantedTotal([1, 2]);\n');
    await problems(name, 1);
    let list = '';
    await until('the fix is offered', async () => {
      list = (await call(name, { line: 1 })).text;
      return /import .*plantedTotal/i.test(list);
    });
    assert.match(list, /^\d+ actions at planted files\/src\/actedImport\.ts:1-1\n 1 /);
    const number = /\n (\d+) [^\n]*import[^\n]*plantedTotals/i.exec(list)?.[1];
    assert.ok(number, list);
    assert.deepEqual(await named(name, { line: 1, apply: number }), [plantedFile(name)]);
    const { text, isError } = await call(name, { line: 1, apply: number });
    assert.equal(isError, false, text);
    assert.match(text, /^applied '.*import.*': 1 place in 1 file\n/);
    assert.match(text, /no new problems \(1 fixed, 0 remain\)/);
    assert.match(await disk(name), /^import \{ plantedTotal \} from ['"]\.\/plantedTotals['"];\n/);
  });

  it('applies that one of several with equal titles whose number is given', async () => {
    const name = 'src/actedDead.ts';
    const body = (n: number): string =>
      `export function acted${n}(): number {\n  return ${n};\n  console.log('dead ${n}');\n}\n`;
    const text = [1, 2, 3].map(body).join('');
    await writeFile(plantedFile(name), text);
    const { document } = await show(name);
    const title = 'Remove unreachable code';
    let list = '';
    await until('all three are offered', async () => {
      list = (await call(name)).text;
      return list.split(title).length >= 4;
    });
    const numbers = [...list.matchAll(/\n (\d+) Remove unreachable code \[[^\]]*, line (\d+)\]/g)];
    assert.deepEqual(
      numbers.map(([, , line]) => line),
      ['3', '7', '11'],
      list,
    );
    const unclear = await call(name, { apply: title });
    assert.equal(unclear.isError, false, unclear.text);
    assert.match(
      unclear.text,
      /^nothing was changed: \d actions are called 'Remove unreachable code'\. Give the number\n \d+ /,
    );
    for (const [, number = '', line = ''] of numbers) {
      assert.ok(
        unclear.text.includes(`\n ${number} ${title} [quickfix, preferred, 1 place, line ${line}]`),
        unclear.text,
      );
    }
    assert.equal(document.getText(), text);
    const done = await call(name, { apply: numbers[1]?.[1] });
    assert.match(done.text, /^applied 'Remove unreachable code'/, done.text);
    assert.match(await disk(name), /dead 1[^]*acted2[^]*dead 3/);
    assert.doesNotMatch(await disk(name), /dead 2/);
    // The list is of another text by now.
    const old = await call(name, { apply: numbers[2]?.[1] });
    assert.match(old.text, /^nothing was changed: the list is out of date/, old.text);
    assert.match(await disk(name), /dead 3/);
  });

  it('makes a new file where an action does that, and names it', async () => {
    const name = 'src/actedSplit.ts';
    const made = 'src/actedTwo.ts';
    await writeFile(
      plantedFile(name),
      'export const actedOne = 1;\nexport function actedTwo(): number {\n  return actedOne;\n}\n',
    );
    await show(name);
    const given = { symbol: 'actedTwo', line: 2 };
    await until('it is offered', async () =>
      (await call(name, given)).text.includes('Move to a new file'),
    );
    const paths = await named(name, { ...given, apply: 'Move to a new file' });
    assert.ok(paths?.includes(plantedFile(made)), String(paths));
    room.newTurn();
    const { text, isError } = await call(name, { ...given, apply: 'Move to a new file' });
    assert.equal(isError, false, text);
    assert.match(
      text,
      /^applied 'Move to a new file': \d+ places in 2 files\nmade .*actedTwo\.ts\n/,
    );
    assert.match(text, /actedTwo\.ts: \d+ places?; saved/);
    assert.match(await disk(made), /export function actedTwo/);
    assert.doesNotMatch(await disk(name), /function actedTwo/);
    assert.match((await room.call('user_changes')).text, /^no edits of the person/);
  });

  it('offers nothing that leads to a file which is kept from the model', async () => {
    const name = 'src/actedWish.ts';
    for (const secret of ['src/actedVault.ts', 'src/deep.vault/index.ts']) {
      await mkdir(path.dirname(plantedFile(secret)), { recursive: true });
    }
    await writeFile(plantedFile('src/actedVault.ts'), 'export const actedVault = 1;\n');
    await writeFile(plantedFile('src/deep.vault/index.ts'), 'export const actedDeep = 1;\n');
    await writeFile(plantedFile(name), 'export const wish = [actedVault, actedDeep];\n');
    await show('src/actedVault.ts');
    await show('src/deep.vault/index.ts');
    await problems(name, 2);
    const list = async (from: EditorRoom, symbol: string): Promise<string> =>
      (await from.call('actions', { path: plantedPath(name), symbol, line: 1 })).text;
    for (const [symbol, module, file] of [
      ['actedVault', './actedVault', 'src/actedVault.ts'],
      ['actedDeep', './deep.vault', 'src/deep.vault/index.ts'],
    ] as const) {
      await until('the import is offered', async () =>
        (await list(room, symbol)).includes(`"${module}`),
      );
      const guarded = roomWithout(plantedFile(file));
      try {
        const text = await list(guarded, symbol);
        assert.ok(!text.includes(module), text);
        assert.match(text, /\n\(1 left out: kept back by a rule or setting, or outside\)$/);
        const given = { path: plantedPath(name), symbol, line: 1, apply: 'Add import from' };
        const applied = await guarded.call('actions', given);
        assert.match(applied.text, /^Nothing was changed: no action/);
        assert.ok(!applied.text.includes(module), applied.text);
      } finally {
        guarded.dispose();
      }
    }
    assert.equal(await disk(name), 'export const wish = [actedVault, actedDeep];\n');
  });

  it('organizes imports, and formats, without a tab', async () => {
    const name = 'src/actedTidy.ts';
    await writeFile(
      plantedFile(name),
      "import { PlantedLedger, plantedTotal } from './plantedTotals';\nexport const   x = plantedTotal([ ]) ;\n",
    );
    const organized = await call(name, { apply: 'organizeImports' });
    assert.match(organized.text, /^applied '.*': \d+ places? in 1 file\n/, organized.text);
    assert.match(await disk(name), /^import \{ plantedTotal \} from/);
    assert.deepEqual(await named(name, { apply: 'format' }), [
      plantedFile(name),
      plantedFile(name),
      plantedFile(name),
    ]);
    const formatted = await call(name, { apply: 'format' });
    assert.match(formatted.text, /^applied 'format': 3 places in 1 file\n/);
    assert.match(await disk(name), /\nexport const x = plantedTotal\(\[\]\);\n$/);
    const again = await call(name, { apply: 'format' });
    assert.match(
      again.text,
      /^nothing to change: format \(done already, or no formatter for 'typescript'\)$/,
    );
    assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, 0);
    await writeFile(plantedFile('plain.txt'), 'x\n');
    const plain = await call('plain.txt', { apply: 'fixAll' });
    assert.match(plain.text, /nothing offers source\.fixAll/);
  });

  it('says whose formatter it may not have been, where the person has chosen one', async () => {
    const chosen = 'vscode.json-language-features';
    const config = vscode.workspace.getConfiguration('editor');
    const choose = (id: string | undefined) =>
      config.update('defaultFormatter', id, vscode.ConfigurationTarget.Global);
    // The editor asks those first that came last.
    const offer = vscode.languages.registerDocumentFormattingEditProvider(
      { language: 'json', pattern: '**/acted format.json' },
      {
        provideDocumentFormattingEdits: () => [
          vscode.TextEdit.insert(new vscode.Position(0, 0), ' '),
        ],
      },
    );
    await writeFile(plantedFile('acted format.json'), '{"a":1}\n');
    await choose(chosen);
    try {
      const { text } = await call('acted format.json', { apply: 'format' });
      assert.equal(await disk('acted format.json'), ' {"a":1}\n');
      assert.ok(
        text.startsWith(
          `applied 'format (by the first that answers; the person has chosen ${chosen})': 1`,
        ),
        text,
      );
    } finally {
      await choose(undefined);
      offer.dispose();
    }
  });

  it('says why it applies nothing: no such title, several, no list', async () => {
    const name = 'src/plantedOrder.ts';
    await problems(name, 1);
    const cases: [object, RegExp][] = [
      [{ line: 9, apply: 'zz none' }, /no action (?:has 'zz none'|is offered)/],
      [{ line: 9, apply: '1' }, /no list was given for this place yet/],
      [{ line: 99 }, /past the end/],
      [{ symbol: 'zzNone' }, /zzNone/],
    ];
    for (const [given, expected] of cases) {
      const { text, isError } = await call(name, given);
      assert.equal(isError, true, text);
      assert.match(text, expected);
      assert.ok(text.length <= 240, text);
    }
  });

  describe('with a provider of another language', () => {
    const name = 'any.acted';
    let give: (document: vscode.TextDocument) => unknown;
    const offers: vscode.Disposable[] = [];

    before(async () => {
      await writeFile(plantedFile(name), 'word\n');
      offers.push(
        vscode.languages.registerCodeActionsProvider(
          { pattern: '**/*.acted' },
          // Rubbish is given on purpose.
          { provideCodeActions: (document) => give(document) as vscode.CodeAction[] },
        ),
        vscode.commands.registerCommand('patchbayTest.act', async (uri: vscode.Uri) => {
          const edit = new vscode.WorkspaceEdit();
          edit.insert(uri, new vscode.Position(0, 0), 'by command ');
          await vscode.workspace.applyEdit(edit);
        }),
        vscode.commands.registerCommand('patchbayTest.fail', () =>
          Promise.reject(new Error('boom')),
        ),
      );
    });
    after(() => {
      for (const offer of offers) offer.dispose();
    });

    const command = (title: string, id: string): vscode.Command => ({
      ...{ title, command: id },
      arguments: [vscode.Uri.file(plantedFile(name))],
    });

    it('runs one that is only a command, which nobody can foresee, and tells what it changed', async () => {
      give = () => [command('Act', 'patchbayTest.act'), command('Fail', 'patchbayTest.fail')];
      const { text: list } = await call(name, { line: 1 });
      assert.match(list, /\n 1 Act \[runs a command\]\n 2 Fail \[runs a command\]$/);
      assert.deepEqual(await named(name, { line: 1, apply: 'Act' }), []);
      const { text } = await call(name, { line: 1, apply: 'Act' });
      assert.match(text, /^ran 'Act': 1 file changed\nplanted files\/any\.acted: 1 place; saved/);
      assert.equal(await disk(name), 'by command word\n');
      const failed = await call(name, { line: 1, apply: 'Fail' });
      assert.match(failed.text, /^ran 'Fail': no file changed so far\nIts command failed: boom/);
    });

    it('tells and saves what the command changes that follows an edit', async () => {
      await writeFile(plantedFile('both.acted'), 'word\n');
      give = ({ uri }) => {
        const action = new vscode.CodeAction('Both', vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        action.edit.insert(uri, new vscode.Position(0, 0), 'by edit ');
        action.command = { title: '', command: 'patchbayTest.act', arguments: [uri] };
        return [action];
      };
      room.newTurn();
      const { text } = await call('both.acted', { apply: 'Both' });
      const file = 'planted files/both.acted: 1 place; saved';
      const title = `applied 'Both': 1 place in 1 file`;
      assert.ok(
        text.startsWith([title, file, 'its command changed further:', file].join('\n')),
        text,
      );
      assert.equal(await disk('both.acted'), 'by command by edit word\n');
      assert.doesNotMatch((await room.call('user_changes')).text, /both\.acted/);
    });

    it('neither saves nor claims what is changed elsewhere while the command runs', async () => {
      const elsewhere = 'elsewhere.txt';
      await writeFile(plantedFile(elsewhere), 'on disk\n');
      const { document: other } = await show(elsewhere);
      const type = vscode.commands.registerCommand('patchbayTest.typed', async () => {
        await vscode.commands.executeCommand(
          'patchbayTest.act',
          vscode.Uri.file(plantedFile(name)),
        );
        await vscode.commands.executeCommand('patchbayTest.act', other.uri);
      });
      try {
        give = () => [command('Act and type', 'patchbayTest.typed')];
        room.newTurn();
        const { text } = await call(name, { line: 1, apply: 'Act and type' });
        assert.match(
          text,
          /^ran 'Act and type': 1 file changed\nplanted files\/any\.acted: 1 place; saved\n/,
        );
        assert.match(
          text,
          /\nalso changed meanwhile, by it or by the person, not saved: planted files\/elsewhere\.txt/,
        );
        assert.equal(other.isDirty, true);
        assert.equal(await disk(elsewhere), 'on disk\n');
        let told = '';
        await until('the other change is told', async () => {
          told = (await room.call('user_changes')).text;
          return told.includes('elsewhere.txt');
        });
        assert.doesNotMatch(told, /any\.acted/);
      } finally {
        type.dispose();
      }
    });

    it('lists nothing and changes nothing where it answers rubbish, fails or never answers', async () => {
      const impatient = createEditorRoom({ answerMs: 500 });
      const cases: [typeof give, RegExp][] = [
        [() => undefined, /^no actions at /],
        [() => Promise.reject(new Error('boom')), /^no actions at |boom/],
        [() => new Promise<never>(() => undefined), /did not answer in 0\.5 s/],
      ];
      try {
        for (const [answer, expected] of cases) {
          give = answer;
          const given = { path: plantedPath(name), line: 1 };
          assert.match((await impatient.call('actions', given)).text, expected);
        }
      } finally {
        impatient.dispose();
      }
    });

    it('says what is done where the editor refuses the rest of it', async () => {
      const edits: Readonly<Record<string, (edit: vscode.WorkspaceEdit, uri: vscode.Uri) => void>> =
        {
          made: (edit) => edit.createFile(vscode.Uri.file(plantedFile('half made.txt'))),
          changed: (edit, uri) => edit.insert(uri, new vscode.Position(0, 0), 'x'),
        };
      for (const [what, begin] of Object.entries(edits)) {
        const half = `half${what}.acted`;
        await writeFile(plantedFile(half), 'text\n');
        give = (document) => {
          const action = new vscode.CodeAction('Go half way', vscode.CodeActionKind.QuickFix);
          action.edit = new vscode.WorkspaceEdit();
          begin(action.edit, document.uri);
          action.edit.createFile(vscode.Uri.file(plantedFile(`${half}/in the way.txt`)));
          return Promise.resolve([action]);
        };
        const { text, isError } = await call(half, { line: 1, apply: 'Go half way' });
        assert.equal(isError, true, text);
        const document = await vscode.workspace.openTextDocument(plantedFile(half));
        const isDone =
          what === 'made'
            ? existsSync(plantedFile('half made.txt'))
            : document.getText() === 'xtext\n';
        // Which part the editor does first is its own affair.
        const done = what === 'made' ? 'made planted files/half made.txt' : `changed .*${half}`;
        const expected = isDone ? `^The editor refused a part.*: ${done}$` : '^Nothing was changed';
        assert.match(text, new RegExp(expected));
        assert.ok(what === 'changed' || isDone);
      }
    });

    it('deletes or overwrites nothing that has unsaved text', async () => {
      const lost = vscode.Uri.file(plantedFile('lost folder/lost.txt'));
      const folder = vscode.Uri.joinPath(lost, '..');
      const own = vscode.Uri.file(plantedFile('mover.acted'));
      const losses: readonly ((edit: vscode.WorkspaceEdit) => void)[] = [
        (edit) => edit.deleteFile(lost),
        (edit) => edit.deleteFile(folder, { recursive: true }),
        (edit) => edit.renameFile(own, lost, { overwrite: true }),
      ];
      await mkdir(folder.fsPath, { recursive: true });
      await writeFile(lost.fsPath, 'on disk\n');
      await writeFile(own.fsPath, 'text\n');
      const { document } = await show('lost folder/lost.txt');
      await replaceAll(document, 'typed\n');
      for (const lose of losses) {
        give = () => {
          const action = new vscode.CodeAction('Lose it', vscode.CodeActionKind.QuickFix);
          action.edit = new vscode.WorkspaceEdit();
          lose(action.edit);
          return Promise.resolve([action]);
        };
        const { text, isError } = await call('mover.acted', { line: 1, apply: 'Lose it' });
        assert.equal(isError, true, text);
        assert.match(text, /^Nothing was changed: it would delete .*lost\.txt, which has unsaved/);
        assert.deepEqual([document.isClosed, document.getText()], [false, 'typed\n']);
      }
      await vscode.commands.executeCommand('workbench.action.files.revert');
      const { text } = await call('mover.acted', { line: 1, apply: 'Lose it' });
      assert.match(text, /\nmoved .* to planted files\/lost folder\/lost\.txt/);
    });

    it('changes nothing of a file that is read-only in the editor', async () => {
      await writeFile(plantedFile('kept.acted'), 'text\n');
      give = (document) => {
        const action = new vscode.CodeAction('Change it', vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        action.edit.insert(document.uri, new vscode.Position(0, 0), 'x');
        return Promise.resolve([action]);
      };
      const files = vscode.workspace.getConfiguration('files');
      const set = (value: object | undefined) =>
        files.update('readonlyInclude', value, vscode.ConfigurationTarget.Global);
      await set({ '**/kept.acted': true });
      try {
        const { text } = await call('kept.acted', { line: 1, apply: 'Change it' });
        assert.match(text, /kept\.acted: 1 place; NOT changed: the editor has it read-only/);
        const document = await vscode.workspace.openTextDocument(plantedFile('kept.acted'));
        assert.deepEqual([document.getText(), await disk('kept.acted')], ['text\n', 'text\n']);
      } finally {
        await set(undefined);
      }
    });
  });
});
