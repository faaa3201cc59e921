import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
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
import { code, ipynb } from './notebookRoom';

const WORD = new vscode.Range(0, 0, 0, 4);

describe('what a language server would change', () => {
  let room: EditorRoom;
  let provider: vscode.Disposable;
  /** What it answers besides the change of the asked file. */
  let more: (edit: vscode.WorkspaceEdit) => void = () => undefined;

  usePlantedRoom((made) => {
    room = made;
  });

  before(() => {
    const provideRenameEdits = ({ uri }: vscode.TextDocument, _at: unknown, to: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, WORD, to);
      more(edit);
      return edit;
    };
    provider = vscode.languages.registerRenameProvider(
      { pattern: '**/*.asked' },
      { provideRenameEdits },
    );
  });
  after(() => {
    provider.dispose();
  });

  const uriOf = (name: string): vscode.Uri => vscode.Uri.file(plantedFile(name));
  const disk = (name: string): Promise<string> => readFile(plantedFile(name), 'utf8');
  const put = (name: string, text: string | Buffer) => writeFile(plantedFile(name), text);

  let asked = 0;
  /** Each time of another file, so that no text of before is in the way. */
  async function rename(to = 'other', from = room) {
    const name = `file${(asked += 1)}.asked`;
    await put(name, 'word\n');
    const path = plantedPath(name);
    const { text, isError } = await from.call('rename', { path, symbol: 'word', to });
    return { text, isError, left: await disk(name) };
  }

  async function refuses(reason: RegExp, to?: string, from?: EditorRoom): Promise<void> {
    const { text, isError, left } = await rename(to, from);
    assert.equal(isError, true, text);
    assert.match(text, reason);
    assert.equal(left, 'word\n');
    assert.ok(text.length <= 240, text);
  }

  it('is refused where saving would lose bytes or letters of one of the files', async () => {
    const latin = Buffer.from('word caf\u00e9\n', 'latin1');
    await put('lossy.txt', latin);
    more = (edit) => {
      edit.replace(uriOf('lossy.txt'), WORD, 'other');
    };
    await refuses(/^Nothing was changed: .*lossy\.txt has bytes that are not utf8: saving would/);
    assert.deepEqual(await readFile(plantedFile('lossy.txt')), latin);
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'iso88591', vscode.ConfigurationTarget.Global);
    try {
      more = () => undefined;
      await refuses(/\.asked is in iso88591, which cannot hold \u6570\./, '\u6570');
      more = (edit) => {
        edit.createFile(uriOf('lossy new.txt'));
        edit.insert(uriOf('lossy new.txt'), new vscode.Position(0, 0), '\u6570');
      };
      await refuses(/lossy new\.txt would be made, cannot hold \u6570\./);
      assert.equal(existsSync(plantedFile('lossy new.txt')), false);
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('is refused where it makes a file anew whose text is unsaved, and else says so', async () => {
    await put('anew.txt', 'on disk\n');
    const { document } = await show('anew.txt');
    await replaceAll(document, 'typed by the person\n');
    more = (edit) => {
      edit.createFile(uriOf('anew.txt'), { overwrite: true });
    };
    await refuses(/^Nothing was changed: it would delete .*anew\.txt, which has unsaved changes/);
    assert.deepEqual([document.getText(), document.isDirty], ['typed by the person\n', true]);
    assert.equal(await disk('anew.txt'), 'on disk\n');
    assert.ok(await document.save());
    const { text } = await rename();
    assert.match(text, /^made anew planted files\/anew\.txt, with nothing of its text$/m);
    // What is there is let be where the server wants that.
    await put('let be.txt', 'on disk\n');
    const open = await show('let be.txt');
    await replaceAll(open.document, 'typed by the person\n');
    more = (edit) => {
      edit.createFile(uriOf('let be.txt'), { ignoreIfExists: true });
    };
    assert.match((await rename()).text, /^renamed word to other: 1 place in 1 file\nplanted/);
    assert.equal(open.document.getText(), 'typed by the person\n');
  });

  it('is refused where a folder that it moves or deletes holds what must not be written', async () => {
    await mkdir(plantedFile('holds/deep'), { recursive: true });
    await put('holds/deep/.env', 'TOKEN=1\n');
    const denied = (files: readonly string[]) =>
      Promise.resolve(new Map(files.filter((f) => f.endsWith('.env')).map((f) => [f, 'Edit(e)'])));
    const guarded = createEditorRoom({ readGuard: { denied } });
    try {
      const changes: ((edit: vscode.WorkspaceEdit) => void)[] = [
        (edit) => edit.renameFile(uriOf('holds'), uriOf('held')),
        (edit) => edit.deleteFile(uriOf('holds'), { recursive: true }),
      ];
      for (const change of changes) {
        more = change;
        await refuses(
          /^Nothing was changed: .*rule Edit\(e\) forbids writing one/,
          undefined,
          guarded,
        );
        assert.equal(await disk('holds/deep/.env'), 'TOKEN=1\n');
      }
    } finally {
      guarded.dispose();
    }
  });

  it('may name files of a folder that moves by the names that they have then', async () => {
    for (const typed of ['', 'typed ']) {
      const [from, to] = [`pack${typed.trim()}`, `packed${typed.trim()}`];
      await mkdir(plantedFile(from), { recursive: true });
      await put(`${from}/in.txt`, 'word\n');
      const { document } = await show(`${from}/in.txt`);
      if (typed !== '') await replaceAll(document, 'word typed\n');
      more = (edit) => {
        edit.renameFile(uriOf(from), uriOf(to));
        edit.replace(uriOf(`${to}/in.txt`), WORD, 'other');
      };
      const { text } = await rename();
      assert.match(text, new RegExp(`^moved planted files/${from} to planted files/${to}$`, 'm'));
      const state = typed === '' ? 'saved' : 'left unsaved';
      assert.match(text, new RegExp(`^planted files/${to}/in\\.txt: 1 place; ${state}`, 'm'));
      const moved = await vscode.workspace.openTextDocument(uriOf(`${to}/in.txt`));
      assert.equal(moved.getText(), typed === '' ? 'other\n' : 'other typed\n');
    }
  });

  it('is told within the budget, however many files it makes', async () => {
    more = (edit) => {
      for (let n = 0; n < 200; n += 1) edit.createFile(uriOf(`many/${'x'.repeat(60)}${n}.txt`));
    };
    const { text } = await rename();
    assert.match(text, /^made .*x0\.txt$/m);
    assert.match(text, /^and more: 200 files in all$/m);
    assert.ok(text.length <= 6_000, `${text.length}`);
  });

  it('says where saving makes line ends of one kind', async () => {
    await put('mixed.txt', 'word\r\nb\nc\r\n');
    await put('plain.txt', 'word\r\nb\r\n');
    more = (edit) => {
      for (const name of ['mixed.txt', 'plain.txt']) edit.replace(uriOf(name), WORD, 'other');
    };
    const { text } = await rename();
    assert.match(
      text,
      /^line ends were mixed, the editor makes them one kind: planted files\/mixed\.txt \(CRLF\)$/m,
    );
    assert.equal(await disk('plain.txt'), 'other\r\nb\r\n');
  });

  it('puts no snippet of its own under the cursor of the person', async () => {
    const files = { pattern: '**/*.snips' };
    const snippet = 'call(${1:first ${2:deep\\}}}, ${3|one\\,,two|})$0 \\$1 ${4/(a)/b/}${5}$6';
    const offer = vscode.languages.registerCodeActionsProvider(files, {
      provideCodeActions: ({ uri }) => {
        const action = new vscode.CodeAction('Snip', vscode.CodeActionKind.QuickFix);
        const text = new vscode.SnippetString(snippet);
        action.edit = new vscode.WorkspaceEdit();
        action.edit.set(uri, [vscode.SnippetTextEdit.replace(WORD, text)]);
        return [action];
      },
    });
    try {
      for (const name of ['hidden.snips', 'shown.snips']) {
        await put(name, 'word\nnext line\n');
        const editor = name.startsWith('shown') ? await show(name) : undefined;
        const at = new vscode.Selection(1, 4, 1, 4);
        if (editor) editor.selection = at;
        const given = { path: plantedPath(name), line: 1, apply: 'Snip' };
        assert.match((await room.call('actions', given)).text, /^applied 'Snip': 1 place/);
        assert.equal(await disk(name), 'call(first deep}, one,) $1 \nnext line\n');
        await until('the cursor is where it was', () => editor?.selection.isEqual(at) !== false);
      }
    } finally {
      offer.dispose();
    }
  });

  it('tells of files only what was done to them', async () => {
    await put('here.txt', 'here\n');
    await put('taken.txt', 'taken\n');
    const cases: readonly (readonly [typeof more, RegExp])[] = [
      [
        (edit) => {
          edit.renameFile(uriOf('here.txt'), uriOf('taken.txt'), { ignoreIfExists: true });
        },
        /^renamed word/,
      ],
      [
        (edit) => {
          edit.deleteFile(uriOf('nowhere.txt'), { ignoreIfNotExists: true });
        },
        /^renamed word/,
      ],
      [
        (edit) => {
          edit.deleteFile(uriOf('nowhere.txt'));
        },
        /^Nothing was changed/,
      ],
    ];
    for (const [change, said] of cases) {
      more = change;
      const { text } = await rename();
      assert.match(text, said);
      assert.doesNotMatch(text, /moved|deleted/);
    }
    assert.deepEqual([await disk('here.txt'), await disk('taken.txt')], ['here\n', 'taken\n']);
    more = (edit) => {
      edit.renameFile(uriOf('here.txt'), uriOf('step.txt'), { ignoreIfExists: true });
      edit.renameFile(uriOf('step.txt'), uriOf('there.txt'), { ignoreIfExists: true });
    };
    const { text } = await rename();
    assert.match(text, /\nmoved .*here\.txt to .*step\.txt\nmoved .*step\.txt to .*there\.txt\n/);
    more = () => undefined;
  });

  it('puts lines of a snippet in where its own line stands, as the text is indented', async () => {
    const snippet = 'if (${1:yes}) {\n\t$TM_SELECTED_TEXT\n}\n$0log($1);';
    const offer = vscode.languages.registerCodeActionsProvider(
      { pattern: '**/*.lines' },
      {
        provideCodeActions: ({ uri }, range) => {
          const action = new vscode.CodeAction('Wrap', vscode.CodeActionKind.QuickFix);
          const text = new vscode.SnippetTextEdit(
            new vscode.Range(range.start.line, 4, range.start.line, 8),
            new vscode.SnippetString(snippet),
          );
          action.edit = new vscode.WorkspaceEdit();
          action.edit.set(uri, [text]);
          return [action];
        },
      },
    );
    const cases: readonly (readonly [name: string, lines: string])[] = [
      ['blanks', '    if (yes) {\n      word\n    }\n    log(yes);'],
      ['tabs', '\t\t\t\tif (yes) {\n\t\t\t\t\tword\n\t\t\t\t}\n\t\t\t\tlog(yes);'],
    ];
    try {
      for (const [name, lines] of cases) {
        const tab = name === 'tabs' ? '\t' : ' ';
        await put(`${name}.lines`, `a\n${tab.repeat(2)}b\n${tab.repeat(4)}word\nc\n`);
        const given = { path: plantedPath(`${name}.lines`), line: 3, apply: 'Wrap' };
        assert.match((await room.call('actions', given)).text, /^applied 'Wrap': 1 place/);
        assert.equal(await disk(`${name}.lines`), `a\n${tab.repeat(2)}b\n${lines}\nc\n`);
      }
    } finally {
      offer.dispose();
    }
  });

  it('is refused where a snippet is put around the text of a file that is not open', async () => {
    await put('closed.txt', 'word here\n');
    more = (edit) => {
      const text = new vscode.SnippetString('**$TM_SELECTED_TEXT**');
      edit.set(uriOf('closed.txt'), [vscode.SnippetTextEdit.replace(WORD, text)]);
    };
    await refuses(
      /^Nothing was changed: it puts something around text of a file that is not open\. /,
    );
    assert.equal(await disk('closed.txt'), 'word here\n');
    more = () => undefined;
  });

  it('keeps the text around which a snippet is put', async () => {
    await put('surround.md', '# Title\n\nsome words\n');
    await show('surround.md');
    const given = { path: plantedPath('surround.md'), line: 3 };
    await until('the Markdown server offers it', async () =>
      (await room.call('actions', given)).text.includes('Insert bold text'),
    );
    const { text } = await room.call('actions', { ...given, apply: 'Insert bold text' });
    assert.match(text, /^applied 'Insert bold text': 1 place/);
    assert.equal(await disk('surround.md'), '# Title\n\n**some words**\n');
  });

  it('saves the notebook of a cell, and leaves one with unsaved changes', async () => {
    const cells = ['word = 1', 'use(word)'].map((source) => code(source));
    await put('renamed.ipynb', ipynb(cells));
    const notebook = await vscode.workspace.openNotebookDocument(uriOf('renamed.ipynb'));
    await vscode.window.showNotebookDocument(notebook);
    const documents = notebook.getCells().map(({ document }) => document);
    const [first] = documents;
    assert.ok(first);
    const provideRenameEdits = (_in: unknown, _at: unknown, to: string) => {
      const edit = new vscode.WorkspaceEdit();
      for (const { uri, ...one } of documents.map((each) => ({
        uri: each.uri,
        text: each.getText(),
      }))) {
        const at = one.text.search(/\w+(?= =|\))/u);
        const word = /\w+(?= =|\))/u.exec(one.text)?.[0] ?? '';
        edit.replace(uri, new vscode.Range(0, at, 0, at + word.length), to);
      }
      return edit;
    };
    const cellsOnly = { scheme: 'vscode-notebook-cell', pattern: '**/renamed.ipynb' };
    const renames = vscode.languages.registerRenameProvider(cellsOnly, { provideRenameEdits });
    try {
      const call = (symbol: string, to: string) =>
        room.call('rename', { path: first.uri.toString(), symbol, to });
      const saved = await call('word', 'other');
      assert.equal(saved.text.match(/: 1 place; saved$/gm)?.length, 2, saved.text);
      assert.match(await disk('renamed.ipynb'), /other = 1[^]*use\(other\)/);
      const typed = new vscode.WorkspaceEdit();
      typed.insert(first.uri, new vscode.Position(0, 9), ' # typed');
      assert.ok(await vscode.workspace.applyEdit(typed));
      await until('the notebook is unsaved', () => notebook.isDirty);
      const left = await call('other', 'third');
      assert.equal(left.text.match(/: 1 place; left unsaved/g)?.length, 2, left.text);
      assert.doesNotMatch(await disk('renamed.ipynb'), /third|typed/);
    } finally {
      renames.dispose();
      await notebook.save();
    }
  });
});
