import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { DisposableStore } from '../../src/base/disposable';
import {
  createEditorRoom,
  type EditorRoom,
  PLANTED,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';
import { roomWithout } from './placeProviders';

const { Error: ERROR, Warning: WARNING } = vscode.DiagnosticSeverity;
const BASE = 'src/base/shopMoney.ts';
const USER = 'src/model/payment.ts';
const GONE = /\n 1:15 error .*has no exported member 'Cents'/;

function fault(message: string, severity = ERROR): vscode.Diagnostic {
  return new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), message, severity);
}

describe('what is told of problems', () => {
  let room: EditorRoom;

  usePlantedRoom((made) => {
    room = made;
  });

  const ask = async (input: object): Promise<string> =>
    (await room.call('diagnostics', { full: true, ...input })).text;

  /** Both are shown, TypeScript has reported on the one that imports, and none was edited lately. */
  const showBoth = async (): Promise<vscode.TextDocument> => {
    const user = await show(USER);
    const base = (await show(BASE)).document;
    const text = base.getText();
    const errors = (): number => vscode.languages.getDiagnostics(user.document.uri).length;
    await replaceAll(base, text.replace('type Cents', 'type Pence'));
    await until('TypeScript has reported the fault', () => errors() > 0);
    await replaceAll(base, text);
    await base.save();
    await until('TypeScript has taken it back', () => errors() === 0);
    // A young edit is asked about anyway.
    const since = Date.now();
    await until('the edit is some seconds old', () => Date.now() - since > 3_500);
    assert.match(await ask({ path: plantedPath(USER) }), /^0 problems/);
    return base;
  };

  it('is what an edit has just broken in another open file, unsaved or behind the editor', async () => {
    const base = await showBoth();
    const text = base.getText();
    const broken = text.replace('type Cents', 'type Pence');
    await replaceAll(base, broken);
    assert.match(await ask({ path: plantedPath(USER) }), GONE, 'typed');
    await replaceAll(base, text);
    assert.match(await ask({ path: plantedPath(USER) }), /^0 problems/);
    await replaceAll(base, broken);
    assert.match(await ask({ path: plantedPath('src/model') }), GONE, 'a folder');
    await replaceAll(base, text);
    await base.save();
    assert.match(await ask({ path: plantedPath(USER) }), /^0 problems/);
    await writeFile(plantedFile(BASE), broken);
    const old = /\nchanged on disk, not yet in the editor: .*shopMoney\.ts/;
    const written = await ask({ path: plantedPath(USER) });
    assert.match(written, new RegExp(`${GONE.source}|${old.source}`), 'written to disk');
    await writeFile(plantedFile(BASE), text);
    assert.match(await ask({ path: plantedPath('src/model') }), /^0 problems/);
  });

  it('is in a later answer what a stopped call has found', async () => {
    await show('src/plantedOrder.ts');
    const input = { path: plantedPath('src/plantedOrder.ts') };
    await until('the fault is known', async () => (await ask(input)).includes('9:9 error'));
    room.newConversation();
    const stop = new AbortController();
    const stopped = room.call('diagnostics', input, stop.signal);
    stop.abort();
    assert.equal((await stopped).text, 'Stopped');
    assert.match((await room.call('diagnostics', input)).text, /^1 error.*\n(?:.*\n)* 9:9 error/);
  });

  it('is in a later answer what a call has found that was stopped at its very last look', async () => {
    const store = new DisposableStore();
    const held = store.add(vscode.languages.createDiagnosticCollection('held'));
    const { document } = await show('src/plantedOrder.ts');
    await mkdir(plantedFile('looked'));
    const gone = plantedFile('looked/gone.txt');
    const uris = [vscode.Uri.file(gone), vscode.Uri.file(plantedFile('looked/left.txt'))];
    let onLook = (_files: readonly string[]): void => undefined;
    const looking = store.add(
      createEditorRoom({
        readGuard: {
          denied: (files) => {
            onLook(files);
            return Promise.resolve(new Map());
          },
        },
      }),
    );
    try {
      assert.ok(document);
      for (const uri of uris) held.set(uri, [fault('held')]);
      const input = { path: plantedPath('looked') };
      assert.match((await looking.call('diagnostics', input)).text, /^2 errors in 2 files\n/);
      held.delete(vscode.Uri.file(gone));
      const stop = new AbortController();
      // What is there no more is looked at last of all.
      onLook = (files) => {
        if (files.includes(gone) && files.length === 1) stop.abort();
      };
      assert.equal((await looking.call('diagnostics', input, stop.signal)).text, 'Stopped');
      onLook = () => undefined;
      assert.match((await looking.call('diagnostics', input)).text, /^0 new, 1 fixed/);
    } finally {
      store.dispose();
    }
  });

  it('is counted and not told of an excluded file, whether a tab shows it or not', async () => {
    const store = new DisposableStore();
    const held = store.add(vscode.languages.createDiagnosticCollection('excluded'));
    const files = vscode.workspace.getConfiguration('files');
    const before = files.inspect('exclude')?.workspaceValue;
    const isIn = vscode.ConfigurationTarget.Workspace;
    await mkdir(plantedFile('made/out'), { recursive: true });
    for (const name of ['a', 'b']) await writeFile(plantedFile(`made/out/${name}.held`), 'one\n');
    await writeFile(plantedFile('made/own.held'), 'one\n');
    await files.update('exclude', { '**/made/out': true }, isIn);
    try {
      for (const name of ['out/a', 'out/b', 'own']) {
        held.set(vscode.Uri.file(plantedFile(`made/${name}.held`)), [fault('held')]);
      }
      for (const shown of [[], ['made/out/a.held'], ['made/out/a.held', 'made/own.held']]) {
        for (const name of shown) await show(name);
        const text = await ask({ path: plantedPath('made') });
        assert.match(text, /^1 error in 1 file\n/, text);
        assert.match(text, /^\(2 more in excluded files or outside the workspace\)$/m);
        assert.doesNotMatch(text, /made\/out/);
      }
      // By its own name, and where the tabs are asked about, it is told.
      for (const input of [{ path: plantedPath('made/out/a.held') }, { path: 'open' }]) {
        assert.match(await ask(input), /made\/out\/a\.held\n 1:1 error held/);
      }
    } finally {
      await files.update('exclude', before, isIn);
      store.dispose();
    }
  });

  it('comes of the file that was just edited, however many tabs are nearer', async () => {
    const store = new DisposableStore();
    const held = store.add(vscode.languages.createDiagnosticCollection('many tabs'));
    const names = Array.from({ length: 22 }, (_, index) => `near/tab${index}.tabx`);
    await mkdir(plantedFile('near'));
    await mkdir(plantedFile('far/away'), { recursive: true });
    const shown: vscode.TextDocument[] = [];
    for (const name of ['far/away/edited.tabx', ...names]) {
      await writeFile(plantedFile(name), 'text\n');
      shown.push((await show(name)).document);
    }
    const [far] = shown;
    assert.ok(far);
    const isReported = (): Promise<void> =>
      new Promise((resolve) => {
        const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
          if (!uris.some(({ path }) => path === far.uri.path)) return;
          listener.dispose();
          resolve();
        });
      });
    await until('no tab is new any more', async () => {
      const seen = isReported();
      for (const { uri } of shown) held.set(uri, [fault(`of ${Date.now()}`, WARNING)]);
      await seen;
      return !(await ask({ path: PLANTED })).includes('no report since');
    });
    let timer: NodeJS.Timeout | undefined;
    store.add({ dispose: () => clearTimeout(timer) });
    store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document !== far || contentChanges.length === 0) return;
        timer = setTimeout(() => held.set(far.uri, [fault('of the edit')]), 600);
      }),
    );
    try {
      await replaceAll(far, 'typed\n');
      assert.match(await ask({ path: PLANTED }), /edited\.tabx\n 1:1 error of the edit/);
    } finally {
      store.dispose();
    }
  });

  it('is the same by a link: of the folder to which it leads, and of the text that was typed', async () => {
    await symlink(plantedFile('src/base'), plantedFile('linked'));
    const { document } = await show('src/base/shopText.ts');
    await replaceAll(document, `${document.getText()}const wrong: number = 'typed';\n`);
    const line = document.lineCount - 1;
    const found = new RegExp(`src/base/shopText\\.ts\\n ${line}:7 error Type 'string'`);
    for (const path of ['linked', 'linked/shopText.ts']) {
      assert.match(await ask({ path: plantedPath(path) }), found, path);
    }
    const read = await room.call('read_buffer', { path: plantedPath('linked/shopText.ts') });
    assert.match(read.text, /shopText\.ts: lines .*, unsaved changes\n(?:.*\n)*.*'typed'/);
    const guarded = roomWithout(plantedFile('linked/shopText.ts'));
    try {
      for (const tool of ['read_buffer', 'diagnostics']) {
        const held = await guarded.call(tool, { path: plantedPath('linked/shopText.ts') });
        assert.match(held.text, /^Not given out: the person's rule/, 'by the name that is given');
      }
    } finally {
      guarded.dispose();
    }
  });

  it('is nothing of a file that is kept back, also where it is reported while others are waited for', async () => {
    const secret = vscode.Uri.file(plantedFile('late.secret'));
    const open = vscode.Uri.file(plantedFile('late.open'));
    for (const { fsPath } of [secret, open]) await writeFile(fsPath, 'text\n');
    const { document } = await show('src/plantedTotals.ts');
    const held = vscode.languages.createDiagnosticCollection('late');
    const about = new vscode.DiagnosticRelatedInformation(
      new vscode.Location(secret, new vscode.Position(0, 0)),
      'words of it',
    );
    let isReported = false;
    const report = (): void => {
      if (isReported) return;
      isReported = true;
      held.set(secret, [fault('a secret')]);
      held.set(open, [Object.assign(fault('late but plain'), { relatedInformation: [about] })]);
    };
    const guarded = createEditorRoom({
      readGuard: {
        denied: (files) => {
          // The rules were looked at, and now it is waited for TypeScript.
          setTimeout(report, 0);
          const kept = files.filter((file) => file === secret.fsPath);
          return Promise.resolve(new Map(kept.map((file) => [file, 'Read(s)'])));
        },
      },
    });
    try {
      await replaceAll(document, `${document.getText()}\nconst wrong: number = '';\n`);
      const asked = guarded.call('diagnostics', { path: PLANTED });
      const { text } = await asked;
      assert.match(text, /late\.open\n 1:1 error late but plain/);
      assert.match(text, /\(1 left out: kept back by /);
      assert.doesNotMatch(text, /secret|words of it/);
    } finally {
      held.dispose();
      guarded.dispose();
    }
  });

  it('is not asked of TypeScript where the person has switched that off, by either setting', async () => {
    const path = plantedPath('src/plantedUnopened.ts');
    for (const [section, name] of [
      ['js/ts', 'validate.enabled'],
      ['typescript', 'validate.enable'],
    ] as const) {
      const config = vscode.workspace.getConfiguration(section);
      await config.update(name, false, vscode.ConfigurationTarget.Workspace);
      try {
        assert.match(await ask({ path }), /^not analysed: /, name);
      } finally {
        await config.update(name, undefined, vscode.ConfigurationTarget.Workspace);
      }
      assert.match(await ask({ path }), /^2 errors/, name);
    }
  });

  it('does not call a cell of an open notebook a file without a tab', async () => {
    const cell = { cell_type: 'code', source: ['one'], metadata: {}, outputs: [] };
    const notebook = { cells: [{ ...cell, execution_count: null }], metadata: {}, nbformat: 4 };
    await writeFile(plantedFile('told.ipynb'), JSON.stringify({ ...notebook, nbformat_minor: 5 }));
    const uri = vscode.Uri.file(plantedFile('told.ipynb'));
    const book = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(book, { preview: false });
    const held = vscode.languages.createDiagnosticCollection('of a cell');
    try {
      const { document } = book.cellAt(0);
      held.set(document.uri, [fault('in the cell')]);
      await until('it is told', async () =>
        /^1 error in 1 file\nvscode-notebook-cell:.*\n 1:1 error in the cell$/.test(
          await ask({ path: document.uri.toString() }),
        ),
      );
    } finally {
      held.dispose();
    }
  });

  it('is of the text that the CLI has just written, in an outline too', async () => {
    await show('src/plantedEdited.ts');
    const text = await readFile(plantedFile('src/plantedEdited.ts'), 'utf8');
    const path = plantedPath('src/plantedEdited.ts');
    await until('the outline is there', async () =>
      (await room.call('symbols', { path })).text.includes('plantedLimit'),
    );
    await writeFile(
      plantedFile('src/plantedEdited.ts'),
      `\n\n${text}\nexport const zqFresh = 1;\n`,
    );
    const { text: outline } = await room.call('symbols', { path });
    assert.match(outline, /\d:14 (?:constant|variable) zqFresh$/m);
  });
});
