import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { closeAll, createEditorRoom, type EditorRoom, until } from '../editorRoom';
import { feedAll, openPlacesIn, placesIn } from '../roundTrip';
import { folderRoot as root } from './folderRoot';

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

  it('take what lies in a folder that is a link, by whichever of its names', async () => {
    const base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay linked ')));
    const at = (name: string): string => path.join(base, name);
    await mkdir(at('real'));
    await writeFile(at('real/a.txt'), 'one\n');
    await writeFile(at('beside.txt'), 'one\n');
    await symlink('real', at('link'));
    const uri = vscode.Uri.file(at('link'));
    const shown = 'packages/core/a.txt';
    vscode.workspace.updateWorkspaceFolders(2, 0, { uri, name: 'packages/core' });
    try {
      await until('it is open', () => vscode.workspace.workspaceFolders?.length === 3);
      for (const given of [shown, at('link/a.txt'), at('real/a.txt')]) {
        const { text } = await room.call('read_buffer', { path: given });
        assert.match(text, /^packages\/core\/a\.txt: lines 1-2 of 2, as on disk\n/, given);
      }
      const edits = [
        { path: at('real/a.txt'), old: 'one', new: 'two' },
        { path: at('real/deep/new.txt'), old: '', new: 'x' },
        { path: 'packages/core/other.txt', old: '', new: 'x' },
      ];
      const { text } = await room.call('edit', { edits });
      for (const name of ['a', 'deep/new', 'other']) {
        assert.match(text, new RegExp(`^packages/core/${name}\\.txt: .*; saved$`, 'm'));
      }
      assert.equal(await readFile(at('real/a.txt'), 'utf8'), 'two\n');
      const outside = await room.call('read_buffer', { path: at('beside.txt') });
      assert.match(outside.text, /^Not served without asking: it is outside the workspace/);
    } finally {
      vscode.workspace.updateWorkspaceFolders(2, 1);
      await until('it is closed', () => vscode.workspace.workspaceFolders?.length === 2);
      await rm(base, { recursive: true });
    }
  });

  it('tell and change what a server names by where a linked folder leads by its name there', async () => {
    const base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay linked ')));
    const at = (name: string): string => path.join(base, name);
    await mkdir(at('real'));
    for (const name of ['a', 'b']) await writeFile(at(`real/${name}.linked`), 'word\n');
    await symlink('real', at('link'));
    const files = { pattern: '**/*.linked' };
    const word = new vscode.Range(0, 0, 0, 4);
    const named = ['link/a', 'real/a', 'real/b'].map((name) =>
      vscode.Uri.file(at(`${name}.linked`)),
    );
    const change = (to: string): vscode.WorkspaceEdit => {
      const edit = new vscode.WorkspaceEdit();
      for (const uri of named) edit.replace(uri, word, to);
      return edit;
    };
    const servers = [
      vscode.languages.registerReferenceProvider(files, {
        provideReferences: () => named.map((uri) => new vscode.Location(uri, word)),
      }),
      vscode.languages.registerRenameProvider(files, {
        provideRenameEdits: (_in, _at, to) => change(to),
      }),
      vscode.languages.registerCodeActionsProvider(files, {
        provideCodeActions: () => {
          const action = new vscode.CodeAction('Back', vscode.CodeActionKind.QuickFix);
          action.edit = change('word ');
          return [action];
        },
      }),
    ];
    const folder = { uri: vscode.Uri.file(at('link')), name: 'ln' };
    try {
      // Not taken where another change of the folders is not done yet.
      await until('it is taken', () => vscode.workspace.updateWorkspaceFolders(2, 0, folder));
      await until('it is open', () => vscode.workspace.workspaceFolders?.length === 3);
      const given = { path: 'ln/a.linked', symbol: 'word' };
      const found = await room.call('references', given);
      assert.match(found.text, /^2 references to 'word' in 2 files\n/);
      const open = await vscode.workspace.openTextDocument(vscode.Uri.file(at('link/b.linked')));
      await vscode.window.showTextDocument(open);
      const typed = new vscode.WorkspaceEdit();
      typed.insert(open.uri, new vscode.Position(0, 4), ' typed');
      assert.ok(await vscode.workspace.applyEdit(typed));
      const { text } = await room.call('rename', { ...given, to: 'other' });
      assert.match(text, /^renamed word to other: 2 places in 2 files\n/);
      assert.match(text, /^ln\/a\.linked: 1 place; saved\n/m);
      assert.match(text, /^ln\/b\.linked: 1 place; left unsaved/m);
      assert.equal(open.getText(), 'other typed\n');
      assert.equal(await readFile(at('real/a.linked'), 'utf8'), 'other\n');
      const back = await room.call('actions', { path: 'ln/a.linked', line: 1, apply: 'Back' });
      assert.match(back.text, /^applied 'Back': 2 places in 2 files\n/);
      assert.doesNotMatch(back.text, /patchbay linked/);
    } finally {
      for (const server of servers) server.dispose();
      await closeAll();
      vscode.workspace.updateWorkspaceFolders(2, 1);
      await until('it is closed', () => vscode.workspace.workspaceFolders?.length === 2);
      await rm(base, { recursive: true });
    }
  });

  it('tell problems of a linked folder, by whichever of its names they are reported', async () => {
    const base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay linked ')));
    const at = (name: string): vscode.Uri => vscode.Uri.file(path.join(base, name));
    await mkdir(at('real').fsPath);
    for (const name of ['a', 'b']) await writeFile(at(`real/${name}.linked`).fsPath, 'word\n');
    await symlink('real', at('link').fsPath);
    const held = ['one server', 'another'].map((name) =>
      vscode.languages.createDiagnosticCollection(name),
    );
    const fault = (message: string): vscode.Diagnostic =>
      new vscode.Diagnostic(new vscode.Range(0, 0, 0, 4), message);
    try {
      await until('it is taken', () =>
        vscode.workspace.updateWorkspaceFolders(2, 0, { uri: at('link'), name: 'ln' }),
      );
      await until('it is open', () => vscode.workspace.workspaceFolders?.length === 3);
      await vscode.window.showTextDocument(at('link/a.linked'), { preview: false });
      for (const name of ['a', 'b'])
        held[0]?.set(at(`real/${name}.linked`), [fault('by real name')]);
      held[1]?.set(at('link/a.linked'), [fault('by its name'), fault('by real name')]);
      const ask = async (given: string): Promise<string> => {
        room.newConversation();
        return (await room.call('diagnostics', { path: given })).text;
      };
      const own = 'ln/a.linked\n 1:1 error by its name\n 1:1 error by real name';
      assert.equal(await ask('ln/a.linked'), `2 errors in 1 file\n${own}`);
      const note = '(files not open in a tab may be unanalysed)';
      const both = `${own}\nln/b.linked\n 1:1 error by real name`;
      assert.equal(await ask('ln'), `3 errors in 2 files\n${note}\n${both}`);
      // The report is one on the text that is shown.
      held[1]?.clear();
      const edits = [{ path: 'ln/a.linked', old: 'word', new: 'words' }];
      const onSave = vscode.workspace.onDidSaveTextDocument(() =>
        held[0]?.set(at('real/a.linked'), [fault('after the edit')]),
      );
      const edited = await room.call('edit', { edits });
      onSave.dispose();
      assert.match(
        edited.text,
        /\n1 new problem, \d fixed, 0 remain\nln\/a\.linked\n 1:1 error after/,
      );
    } finally {
      for (const one of held) one.dispose();
      await closeAll();
      vscode.workspace.updateWorkspaceFolders(2, 1);
      await until('it is closed', () => vscode.workspace.workspaceFolders?.length === 2);
      await rm(base, { recursive: true });
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

  it('change nothing by a path that means a file in each of them', async () => {
    for (const index of [0, 1]) await writeFile(path.join(root(index), 'same.txt'), 'one\n');
    const edits = [{ path: 'same.txt', old: 'one', new: 'two' }];
    const calls: readonly (readonly [string, object])[] = [
      ['edit', { edits }],
      ['move', { from: 'same.txt', to: 'work space/other.txt' }],
      ['save', { path: 'same.txt' }],
      ['rename', { path: 'src/pricing.ts', symbol: 'lineCents', to: 'lineCent' }],
      ['rename', { path: 'src/pricing.ts:1', symbol: 'lineCents', to: 'lineCent' }],
      ['actions', { path: 'same.txt', apply: 'format' }],
    ];
    try {
      for (const [tool, input] of calls) {
        const { text, isError } = await room.call(tool, input);
        assert.equal(isError, true, text);
        const [, file] = /"((?:same|src)[^":]*)/.exec(JSON.stringify(input)) ?? [];
        const both = `work space/${file}, work space~2/${file}`;
        assert.equal(text, `Nothing was changed: several files are meant: ${both}`);
      }
      const named = edits.map((one) => ({ ...one, path: 'work space~2/same.txt' }));
      assert.match(
        (await room.call('edit', { edits: named })).text,
        /~2\/same\.txt: line 1; saved/,
      );
      assert.equal(await readFile(path.join(root(0), 'same.txt'), 'utf8'), 'one\n');
      await rm(path.join(root(0), 'same.txt'));
      const only = [{ path: 'same.txt', old: 'two', new: 'three' }];
      assert.match((await room.call('edit', { edits: only })).text, /~2\/same\.txt: line 1; saved/);
    } finally {
      for (const index of [0, 1]) await rm(path.join(root(index), 'same.txt'), { force: true });
    }
  });

  it('know what a server names by the place to which a folder leads', async () => {
    const base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay linked ')));
    const at = (name: string): string => path.join(base, name);
    await mkdir(at('real'));
    for (const name of ['a', 'b']) await writeFile(at(`real/${name}.behind`), 'behindWord\n');
    await symlink('real', at('link'));
    const place = (name: string): vscode.Location =>
      new vscode.Location(
        vscode.Uri.file(at(`real/${name}.behind`)),
        new vscode.Range(0, 0, 0, 10),
      );
    const item = (name: string): vscode.CallHierarchyItem => {
      const { uri, range } = place(name);
      return new vscode.CallHierarchyItem(
        vscode.SymbolKind.File,
        'behindWord',
        '',
        uri,
        range,
        range,
      );
    };
    const files = { pattern: '**/*.behind' };
    const offers = [
      vscode.languages.registerReferenceProvider(files, { provideReferences: () => [place('b')] }),
      vscode.languages.registerDefinitionProvider(files, { provideDefinition: () => place('b') }),
      vscode.languages.registerCallHierarchyProvider(files, {
        prepareCallHierarchy: () => item('a'),
        provideCallHierarchyOutgoingCalls: () => [
          new vscode.CallHierarchyOutgoingCall(item('b'), [place('b').range]),
        ],
        provideCallHierarchyIncomingCalls: () => [],
      }),
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          query === 'behindWord'
            ? [new vscode.SymbolInformation(query, vscode.SymbolKind.File, '', place('b'))]
            : [],
      }),
    ];
    const uri = vscode.Uri.file(at('link'));
    vscode.workspace.updateWorkspaceFolders(2, 0, { uri, name: 'behind' });
    try {
      await until('it is open', () => vscode.workspace.workspaceFolders?.length === 3);
      const given = { path: 'behind/a.behind', symbol: 'behindWord' };
      const calls: readonly (readonly [string, object])[] = [
        ['references', given],
        ['definition', given],
        ['hierarchy', { ...given, of: 'callees' }],
        ['symbols', { query: 'behindWord' }],
      ];
      for (const [tool, input] of calls) {
        const { text } = await room.call(tool, input);
        assert.match(text, /^1 .*\n(?:.*\n)?behind\/b\.behind\n 1:1 /, tool);
        assert.doesNotMatch(text, /outside/, tool);
      }
    } finally {
      vscode.workspace.updateWorkspaceFolders(2, 1);
      await until('it is closed', () => vscode.workspace.workspaceFolders?.length === 2);
      for (const offer of offers) offer.dispose();
      await rm(base, { recursive: true });
    }
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
