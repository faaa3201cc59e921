import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  workspaceRoot,
} from './editorRoom';

describe('the tool move', () => {
  let room: EditorRoom;

  usePlantedRoom(
    (made) => {
      room = made;
    },
    { promptMs: 700 },
  );

  after(async () => {
    await setImports(undefined);
    await setAutoSave(undefined);
  });

  const disk = (name: string): Promise<string> => readFile(plantedFile(name), 'utf8');
  const move = (from: string, to: string) =>
    room.call('move', { from: plantedPath(from), to: plantedPath(to) });

  async function put(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(plantedFile(name)), { recursive: true });
    await writeFile(plantedFile(name), text);
  }

  /** What TypeScript does about imports once a file has moved. */
  async function setImports(value: 'always' | 'never' | 'prompt' | undefined): Promise<void> {
    for (const language of ['typescript', 'javascript']) {
      const config = vscode.workspace.getConfiguration(`${language}.updateImportsOnFileMove`);
      await config.update('enabled', value, vscode.ConfigurationTarget.Global);
    }
  }

  /** Whether the editor itself saves what TypeScript has changed. */
  async function setAutoSave(value: boolean | undefined): Promise<void> {
    const config = vscode.workspace.getConfiguration('files.refactoring');
    await config.update('autoSave', value, vscode.ConfigurationTarget.Global);
  }

  /** A file and two others that import it, as TypeScript knows them. */
  async function plantImports(name: string): Promise<void> {
    await put(`src/${name}.ts`, `export const ${name} = 1;\n`);
    for (const user of ['A', 'B']) {
      await put(
        `src/${name}${user}.ts`,
        `import { ${name} } from './${name}';\nexport const ${name}${user} = ${name};\n`,
      );
    }
    const given = { path: plantedPath(`src/${name}A.ts`), full: true };
    await show(`src/${name}A.ts`);
    await until('TypeScript knows the new files', async () =>
      (await room.call('diagnostics', given)).text.startsWith('0 problems'),
    );
  }

  it('moves a file, and its imports follow where the person has set that', async () => {
    await setImports('always');
    await plantImports('movedFirst');
    const { text, isError } = await move('src/movedFirst.ts', 'src/deep/movedFirst.ts');
    assert.equal(isError, false, text);
    const [title, imports, ...lines] = text.split('\n');
    assert.equal(
      title,
      `moved ${plantedPath('src/movedFirst.ts')} to ${plantedPath('src/deep/movedFirst.ts')}`,
    );
    assert.equal(imports, 'imports updated in 2 files');
    for (const user of ['A', 'B']) {
      const name = `src/movedFirst${user}.ts`;
      assert.ok(lines.includes(`${plantedPath(name)}: 1 place; saved`), text);
      assert.match(await disk(name), /from '\.\/deep\/movedFirst'/);
    }
    assert.equal(await disk('src/deep/movedFirst.ts'), 'export const movedFirst = 1;\n');
    await assert.rejects(disk('src/movedFirst.ts'), { code: 'ENOENT' });
  });

  it('says that imports were not updated where the person has set so, or has not answered', async () => {
    await setImports('never');
    await plantImports('movedNever');
    const never = await move('src/movedNever.ts', 'src/deep');
    assert.match(never.text, /to .*src\/deep\/movedNever\.ts\nimports not updated: .* is never/);
    assert.match(await disk('src/movedNeverA.ts'), /from '\.\/movedNever'/);
    await setImports('prompt');
    // TypeScript finds no import in it and asks nothing; we cannot know that.
    await put('src/movedAsk.ts', 'export const movedAsk = 1;\n');
    await put('notes.vue', "<script>import a from './src/movedAsk';</script>\n");
    const asked = await move('src/movedAsk.ts', 'src/movedAsked.ts');
    assert.match(
      asked.text,
      /question about them is open or was refused\nthese seem to import it: /,
    );
    assert.match(asked.text, /notes\.vue$/);
    // Its question is refused here, as by a person.
    await plantImports('movedRefused');
    const refused = await move('src/movedRefused.ts', 'src/deep');
    assert.match(refused.text, /open or was refused\nthese seem to import it: .*A\.ts, .*B\.ts$/);
    const plain = await move('src/movedAsked.ts', 'src/movedPlain.ts');
    assert.match(plain.text, /\nno imports found to update$/);
  });

  for (const [name, to] of [
    ['movedUtil', 'movedUtils'],
    ['movedTools', 'movedTool'],
    ['movedPotato', 'onion'],
  ] as const) {
    it(`tells and saves imports that follow from ${name} to ${to}, as no edits of the person`, async () => {
      await setImports('always');
      await plantImports(name);
      room.newTurn();
      const { text } = await move(`src/${name}.ts`, `src/${to}.ts`);
      assert.match(text, /\nimports updated in 2 files\n/, text);
      for (const user of ['A', 'B']) {
        assert.match(text, new RegExp(`/${name}${user}\\.ts: \\d+ places?; saved\\n`));
        assert.ok((await disk(`src/${name}${user}.ts`)).includes(`from './${to}'`));
      }
      assert.match((await room.call('user_changes')).text, /^no edits of the person/);
    });
  }

  it('neither saves nor claims what the person types while it waits', async () => {
    await setImports('always');
    await setAutoSave(false);
    await put('src/e.ts', '// One.\nexport const e = 1;\n');
    await put('src/movedEA.ts', "import { e } from './e';\nexport const movedEA = e;\n");
    await put('src/movedEB.ts', "import { e } from './e';\nexport const movedEB = e;\n");
    await put('notes.txt', 'notes\n');
    const documents = new Map<string, vscode.TextDocument>();
    for (const name of ['src/movedEA.ts', 'src/movedEB.ts', 'notes.txt']) {
      documents.set(name, (await show(name)).document);
    }
    const given = { path: plantedPath('src/movedEA.ts'), full: true };
    await until('TypeScript knows the new texts', async () =>
      (await room.call('diagnostics', given)).text.startsWith('0 problems'),
    );
    room.newTurn();
    const typed = 'hello there, e and e2\n';
    const isTyped = new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidRenameFiles(() => {
        listener.dispose();
        const edit = new vscode.WorkspaceEdit();
        const moved = vscode.Uri.file(plantedFile('src/deep/e2.ts'));
        for (const uri of [moved, documents.get('src/movedEA.ts')!.uri]) {
          edit.insert(uri, new vscode.Position(2, 0), `// ${typed}`);
        }
        edit.insert(documents.get('notes.txt')!.uri, new vscode.Position(0, 0), typed);
        void vscode.workspace.applyEdit(edit).then(() => {
          resolve();
        });
      });
    });
    const { text } = await move('src/e.ts', 'src/deep/e2.ts');
    await isTyped;
    assert.doesNotMatch(text, /notes\.txt/);
    assert.match(text, /movedEB\.ts: 1 place; saved/, text);
    assert.match(text, /movedEA\.ts: 1 place; left unsaved: it had unsaved changes before/, text);
    assert.equal(await disk('notes.txt'), 'notes\n');
    assert.equal(documents.get('notes.txt')!.isDirty, true);
    assert.doesNotMatch(await disk('src/deep/e2.ts'), /hello/);
    assert.doesNotMatch(await disk('src/movedEA.ts'), /hello|e2/);
    const importer = documents.get('src/movedEA.ts')!.getText();
    assert.ok(importer.includes("from './deep/e2'") && importer.endsWith(typed), importer);
    let told = '';
    await until('all that was typed is told', async () => {
      told = (await room.call('user_changes')).text;
      return ['notes.txt', 'movedEA.ts', 'e2.ts'].every((name) => told.includes(name));
    });
    assert.match(told, /: \+3 -0\n/, told);
    assert.doesNotMatch(told, /^[+-]import/m);
  });

  it('tells which problems the move itself has brought to the files that followed', async () => {
    await setImports('always');
    await plantImports('movedBroken');
    const problems = vscode.languages.createDiagnosticCollection('moved');
    const listener = vscode.workspace.onDidRenameFiles(() => {
      const at = new vscode.Range(1, 0, 1, 3);
      problems.set(vscode.Uri.file(plantedFile('src/movedBrokenA.ts')), [
        new vscode.Diagnostic(at, 'broken by the move'),
      ]);
    });
    try {
      const { text } = await move('src/movedBroken.ts', 'src/deep/movedBroken.ts');
      assert.match(text, /^imports updated in 2 files$/m);
      assert.match(text, /^1 new problem, 0 fixed, 0 remain$/m);
      assert.match(text, /movedBrokenA\.ts\n 2:1 error broken by the move/);
    } finally {
      listener.dispose();
      problems.dispose();
    }
  });

  it('moves into a folder that a slash at the end names, there or not', async () => {
    await setImports('never');
    await put('slash.txt', 'text\n');
    await put('slashed/a.txt', 'a\n');
    const fresh = await move('slash.txt', 'new folder/');
    assert.equal(
      fresh.text.split('\n')[0],
      `moved ${plantedPath('slash.txt')} to ${plantedPath('new folder/slash.txt')}`,
    );
    assert.equal(await disk('new folder/slash.txt'), 'text\n');
    const whole = await move('slashed', 'new folder/deeper/');
    assert.equal(whole.isError, false, whole.text);
    assert.equal(await disk('new folder/deeper/slashed/a.txt'), 'a\n');
    const given = { from: plantedPath('new folder/slash.txt'), to: `${plantedPath('none')}/` };
    const tool = room.servers.flatMap((server) => server.getTool('move') ?? [])[0];
    assert.ok(((await tool?.edits?.(given)) ?? []).includes(plantedFile('none/slash.txt')));
    const file = await move('new folder/slash.txt', 'new folder/deeper/slashed/a.txt/');
    assert.match(file.text, /^Nothing was moved: .*a\.txt is a file, not a folder/);
    assert.equal(await disk('new folder/slash.txt'), 'text\n');
  });

  it('is undone by the person in one step of its own, as any move in the editor', async () => {
    await setImports('never');
    await put('src/movedBack.ts', 'export const movedBack = 1;\n');
    const { text, isError } = await move('src/movedBack.ts', 'src/deep/movedBack.ts');
    assert.equal(isError, false, text);
    await show('src/deep/movedBack.ts');
    await vscode.commands.executeCommand('undo');
    await until('it is back', () => existsSync(plantedFile('src/movedBack.ts')));
    assert.equal(existsSync(plantedFile('src/deep/movedBack.ts')), false);
    assert.equal(await disk('src/movedBack.ts'), 'export const movedBack = 1;\n');
  });

  it('moves a whole folder, and names all below it for the policy', async () => {
    await setImports('always');
    await plantImports('movedHome');
    await put('src/movedBox/inner.ts', "import { movedHome } from '../movedHome';\nmovedHome;\n");
    await put('src/movedBox/.vscode/settings.json', '{}');
    const given = { from: plantedPath('src/movedBox'), to: plantedPath('src/deep/box') };
    const tool = room.servers.flatMap((server) => server.getTool('move') ?? [])[0];
    const named = (await tool?.edits?.(given)) ?? [];
    assert.ok(named.includes(plantedFile('src/movedBox/.vscode/settings.json')));
    assert.ok(named.includes(plantedFile('src/deep/box')));
    const { text } = await room.call('move', given);
    assert.match(text, /^moved .*movedBox to .*deep\/box\n/);
    // TypeScript may write to the old place of a file in a folder, which the editor then drops.
    const followed = (await disk('src/deep/box/inner.ts')).includes("'../../movedHome'");
    assert.match(
      text,
      followed ? /imports updated in 1 file/ : /no file was seen to import it|imports not updated/,
    );
    await assert.rejects(disk('src/movedBox/inner.ts'), { code: 'ENOENT' });
  });

  it('takes unsaved text along, unsaved', async () => {
    await put('dirty move.txt', 'on disk\n');
    const { document } = await show('dirty move.txt');
    await replaceAll(document, 'typed by the person\n');
    const { text, isError } = await move('dirty move.txt', 'moved dirty.txt');
    assert.equal(isError, false, text);
    const moved = await vscode.workspace.openTextDocument(plantedFile('moved dirty.txt'));
    assert.equal(moved.getText(), 'typed by the person\n');
    assert.equal(moved.isDirty, true);
    await assert.rejects(disk('dirty move.txt'), { code: 'ENOENT' });
  });

  it('refuses what is there, what is not, and a folder into itself; nothing is moved', async () => {
    await put('here/one.txt', 'one\n');
    await put('two.txt', 'two\n');
    const cases: [string, string, RegExp][] = [
      ['here/one.txt', 'two.txt', /two\.txt exists/],
      ['here/one.txt', 'here/one.txt', /is there already/],
      ['here/one.txt', 'here', /is there already/],
      ['here', 'here/deeper', /lies in .*here itself/],
      ['none.txt', 'other.txt', /^No such file: .* Nearest: /],
    ];
    for (const [from, to, expected] of cases) {
      const { text, isError } = await move(from, to);
      assert.equal(isError, true, text);
      assert.match(text, expected);
      assert.ok(text.length <= 240);
    }
    assert.equal(await disk('here/one.txt'), 'one\n');
    assert.equal(await disk('two.txt'), 'two\n');
  });

  it('moves no folder of the workspace, nor what holds one', async () => {
    const root = workspaceRoot();
    for (const from of ['.', root, path.dirname(root)]) {
      const { text, isError } = await room.call('move', { from, to: `${root} moved` });
      assert.equal(isError, true, text);
      assert.match(text, /^Nothing was moved: .* is a folder of the workspace, or holds one$/);
    }
  });

  it('moves nothing that a rule forbids writing, neither itself nor in a folder', async () => {
    await put('ruled/secret.txt', 'x\n');
    const guarded = createEditorRoom({
      readGuard: {
        denied: (files) =>
          Promise.resolve(
            new Map(
              files.filter((one) => one.endsWith('secret.txt')).map((one) => [one, 'Read(x)']),
            ),
          ),
      },
    });
    try {
      for (const from of ['ruled', 'ruled/secret.txt']) {
        const given = { from: plantedPath(from), to: plantedPath('elsewhere') };
        const { text, isError } = await guarded.call('move', given);
        assert.equal(isError, true);
        assert.match(text, /^Nothing was moved: the person's rule Read\(x\) forbids writing one/);
      }
      assert.equal(await disk('ruled/secret.txt'), 'x\n');
    } finally {
      guarded.dispose();
      await rm(plantedFile('ruled'), { recursive: true });
    }
  });

  it('goes one after the other with what changes a file in the moved folder', async () => {
    for (const order of ['edit first', 'move first']) {
      await put(`${order}/inner/f.txt`, 'one\n');
      const path = plantedPath(`${order}/inner/f.txt`);
      const change = () => room.call('edit', { edits: [{ path, old: 'one', new: 'two' }] });
      const go = () => move(order, `moved ${order}`);
      const calls = order === 'edit first' ? [change(), go()] : [go(), change()];
      const answers = await Promise.all(calls);
      const [edited, moved] = order === 'edit first' ? answers : answers.toReversed();
      assert.equal(moved?.isError, false, moved?.text);
      // The one that looks longer at what it is given may come second.
      const now = edited?.isError === true ? 'one\n' : 'two\n';
      assert.equal(await disk(`moved ${order}/inner/f.txt`), now, edited?.text);
      assert.equal(existsSync(plantedFile(order)), false);
      const unsaved = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
      assert.deepEqual(
        unsaved.map(({ uri }) => uri.path),
        [],
      );
    }
  });
});
