import assert from 'node:assert/strict';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  closeAll,
  createEditorRoom,
  type EditorRoom,
  layPlanted,
  plantedFile,
  plantedPath,
  restorePlanted,
  show,
  until,
} from './editorRoom';

const KERNEL = 'patchbay-odd-kernel';

const code = (source: string, more: object = {}): object => ({
  ...{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [source] },
  ...more,
});
const ipynb = (cells: readonly object[]): string =>
  JSON.stringify({
    ...{ cells, metadata: { language_info: { name: 'python' } } },
    ...{ nbformat: 4, nbformat_minor: 5 },
  });

/** Runs a cell as its text says, and remembers which it ran. */
function createKernel(ran: string[]): vscode.NotebookController {
  const controller = vscode.notebooks.createNotebookController(KERNEL, 'jupyter-notebook', 'Odd');
  const item = vscode.NotebookCellOutputItem;
  controller.supportedLanguages = ['python'];
  controller.executeHandler = async (cells) => {
    for (const cell of cells) {
      const text = cell.document.getText();
      const run = controller.createNotebookCellExecution(cell);
      run.start(Date.now());
      ran.push(text);
      const items =
        text === 'long'
          ? [item.stdout('a line\n'.repeat(2_000)), item.error(new Error('it broke'))]
          : [item.stdout(text)];
      await run.replaceOutput(items.map((one) => new vscode.NotebookCellOutput([one])));
      // As one does whose run was interrupted.
      if (text === 'no verdict') run.end(undefined, Date.now());
      else if (text !== 'slow') run.end(text !== 'long', Date.now());
    }
  };
  return controller;
}

async function chooseKernel(notebookEditor: vscode.NotebookEditor): Promise<void> {
  const given = { notebookEditor, id: KERNEL, extension: 'nullExtensionDescription' };
  await vscode.commands.executeCommand('notebook.selectKernel', given);
}

async function insertCell(
  notebook: vscode.NotebookDocument,
  at: number,
  text: string,
): Promise<void> {
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python');
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(at, [cell])]);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

async function type(cell: vscode.NotebookCell, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(cell.document.uri, new vscode.Position(0, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

const textsOf = (notebook: vscode.NotebookDocument): readonly string[] =>
  notebook.getCells().map(({ document }) => document.getText());

describe('a notebook that the person works in, and kernels that are not as they should be', () => {
  let room: EditorRoom;
  let kernel: vscode.NotebookController;
  let made = 0;
  let path = '';
  let ran: string[] = [];
  const file = (): string => plantedFile(`worked${made}.ipynb`);

  before(async () => {
    await closeAll();
    await layPlanted();
  });
  after(restorePlanted);

  beforeEach(() => {
    made += 1;
    path = plantedPath(`worked${made}.ipynb`);
    ran = [];
    room = createEditorRoom({ beginMs: 3_000 });
    kernel = createKernel(ran);
  });

  afterEach(async () => {
    room.dispose();
    kernel.dispose();
    for (const notebook of vscode.workspace.notebookDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showNotebookDocument(notebook);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await closeAll();
  });

  const lay = async (...cells: readonly object[]): Promise<vscode.NotebookDocument> => {
    await writeFile(file(), ipynb(cells));
    return vscode.workspace.openNotebookDocument(vscode.Uri.file(file()));
  };
  const edit = (input: object) => room.call('edit_cell', { path, action: 'replace', ...input });
  const run = (cell: number, more: object = {}) => room.call('run_cell', { path, cell, ...more });

  it('edit_cell and run_cell take no other cell for one that has moved since it was told', async () => {
    const notebook = await lay(code('first'), code('second'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    await room.call('cells', { path });
    await insertCell(notebook, 0, 'of the person');
    const moved = /^Cell 2 is cell 3 by now: /;
    for (const input of [{ text: 'x' }, { action: 'delete' }, { action: 'insert', text: 'x' }]) {
      const { text, isError } = await edit({ cell: 2, ...input });
      assert.ok(isError, text);
      assert.match(text, moved);
    }
    assert.match((await run(2)).text, moved);
    assert.deepEqual(textsOf(notebook), ['of the person', 'first', 'second']);
    await room.call('cells', { path });
    assert.match((await run(2)).text, /^cell 2 ran/);
    assert.deepEqual(ran, ['first']);
    // What the tool does itself is known to the model.
    for (const input of [
      { cell: 1, action: 'insert', text: 'above' },
      { cell: 4, text: 'by the tool' },
      { cell: 1, action: 'delete' },
      { cell: 3, text: 'once more' },
    ]) {
      const { text, isError } = await edit(input);
      assert.equal(isError, false, text);
    }
    assert.deepEqual(textsOf(notebook), ['of the person', 'first', 'once more']);
  });

  it('edit_cell does not write over what the person has typed since the cell was told', async () => {
    const notebook = await lay(code('first'), code('second'));
    await vscode.window.showNotebookDocument(notebook);
    await room.call('cells', { path });
    await type(notebook.cellAt(1), 'typed ');
    for (const input of [{ text: 'x' }, { action: 'delete' }]) {
      const { text, isError } = await edit({ cell: 2, ...input });
      assert.ok(isError, text);
      assert.match(text, /^Cell 2 is not as cells told it: it was changed since\. Look with cells/);
    }
    assert.deepEqual(textsOf(notebook), ['first', 'typed second']);
    await room.call('cells', { path, from: 2, to: 2 });
    assert.match((await edit({ cell: 2, text: 'x' })).text, /cell 2 replaced/);
    room.reset();
    await type(notebook.cellAt(1), 'typed ');
    assert.match((await edit({ cell: 2, text: 'x' })).text, /cell 2 replaced/);
  });

  it('edit_cell and cells know what is unsaved under another name of the file', async () => {
    const notebook = await lay(code('first'), code('second'));
    await vscode.window.showNotebookDocument(notebook);
    await type(notebook.cellAt(0), 'typed ');
    const alias = `alias${made}.ipynb`;
    await symlink(file(), plantedFile(alias));
    try {
      const given = { path: plantedPath(alias) };
      assert.match((await room.call('cells', given)).text, /, unsaved changes\n.*\ntyped first\n/);
      const { text } = await edit({ ...given, cell: 2, text: 'by the tool' });
      assert.match(text, /left unsaved: it had unsaved changes before$/);
      assert.deepEqual(textsOf(notebook), ['typed first', 'by the tool']);
    } finally {
      await rm(plantedFile(alias));
    }
  });

  it('cells and edit_cell wait for what was written, also where only blanks have changed', async () => {
    for (const tool of ['cells', 'edit_cell']) {
      const notebook = await lay(code('if x:\n  go()'), code('second'));
      await vscode.window.showNotebookDocument(notebook);
      await writeFile(file(), ipynb([code('if x:\n    go()'), code('second')]));
      if (tool === 'cells') {
        assert.match((await room.call('cells', { path })).text, /\n {4}go\(\)\n/);
      } else {
        assert.match((await edit({ cell: 2, text: 'by the tool' })).text, /; saved$/);
        const now = await readFile(file(), 'utf8');
        for (const part of ['    go()', 'by the tool']) assert.ok(now.includes(part), now);
      }
      // A file of its own for each.
      made += 1;
      path = plantedPath(`worked${made}.ipynb`);
    }
  });

  it('edit_cell makes of a cell what is asked for, and keeps what is noted of it', async () => {
    const metadata = { tags: ['parameters'] };
    const raw = { cell_type: 'raw', metadata, source: ['---'] };
    await lay(raw, code('first', { metadata }));
    const saved = async (): Promise<readonly (readonly unknown[])[]> => {
      const { cells } = JSON.parse(await readFile(file(), 'utf8')) as {
        cells: readonly { cell_type: string; metadata: { tags?: unknown } }[];
      };
      return cells.map((cell) => [cell.cell_type, cell.metadata.tags]);
    };
    await edit({ cell: 1, kind: 'code', text: 'x = 1' });
    await edit({ cell: 2, kind: 'markdown', text: '# First' });
    assert.deepEqual(await saved(), [
      ['code', metadata.tags],
      ['markdown', metadata.tags],
    ]);
  });

  it('edit_cell inserts code in the language of the cells above', async () => {
    const sql = { metadata: { vscode: { languageId: 'sql' } } };
    const notebook = await lay(code('select 1', sql), code('first()'));
    await edit({ cell: 3, action: 'insert', text: 'second()' });
    await edit({ cell: 2, action: 'insert', text: 'select 2' });
    const languages = notebook.getCells().map(({ document }) => document.languageId);
    assert.deepEqual(languages, ['sql', 'sql', 'python', 'python']);
  });

  it('run_cell that is stopped before it has begun runs nothing', async () => {
    const notebook = await lay(code('first'), code('second'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    const stop = new AbortController();
    const stopped = room.call('run_cell', { path, cell: 1 }, stop.signal);
    stop.abort();
    assert.equal((await stopped).text, 'Stopped; nothing was run');
    assert.match((await run(2)).text, /^cell 2 ran/);
    assert.deepEqual(ran, ['second']);
  });

  it('run_cell runs the cell that is meant, where one comes above it as the notebook opens', async () => {
    await chooseKernel(await vscode.window.showNotebookDocument(await lay(code('first'))));
    await closeAll();
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file()));
    const inserted = new Promise<void>((resolve) => {
      const listening = vscode.window.tabGroups.onDidChangeTabs(() => {
        listening.dispose();
        void insertCell(notebook, 0, 'other').then(resolve);
      });
    });
    const { text } = await run(1);
    await inserted;
    assert.match(text, /^cell 1 ran.*, now cell 2\n-> first$/);
    assert.deepEqual(ran, ['first']);
  });

  it('run_cell opens no second view, and takes nothing out of sight', async () => {
    const notebook = await lay(code('first'));
    await show('src/plantedOrder.ts');
    await chooseKernel(
      await vscode.window.showNotebookDocument(notebook, { viewColumn: vscode.ViewColumn.Two }),
    );
    await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');
    const tabs = (): readonly (readonly string[])[] =>
      vscode.window.tabGroups.all.map((group) => group.tabs.map(({ label }) => label));
    const before = tabs();
    assert.match((await run(1)).text, /^cell 1 ran/);
    assert.deepEqual(tabs(), before);
  });

  it('run_cell does not wait for what will not run', async () => {
    const raw = { cell_type: 'raw', metadata: {}, source: ['---'] };
    const sql = code('select 1', { metadata: { vscode: { languageId: 'sql' } } });
    const notebook = await lay(raw, sql);
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    assert.match((await run(1)).text, /is raw; only code runs$/);
    const unknown = await run(2, { wait: 600 });
    assert.match(unknown.text, /^cell 2 did not begin to run: .* it does not run sql, /);
    assert.ok(unknown.isError);
  });

  it('run_cell does not wait for a kernel that the person does not choose', async () => {
    // The only one there is would be taken unasked.
    kernel.dispose();
    const notebook = await lay(code('first'));
    let isAsked = false;
    const listening = vscode.workspace.onDidChangeNotebookDocument((change) => {
      isAsked ||= change.notebook === notebook;
    });
    const running = run(1, { wait: 600 });
    await until('it waits for a kernel', () => isAsked);
    listening.dispose();
    let isOver = false;
    void running.then(() => (isOver = true));
    await until('the question is dismissed', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isOver;
    });
    const { text, isError } = await running;
    assert.ok(isError, text);
    assert.match(text, /^cell 1 did not begin to run: no kernel is chosen/);
  });

  it('run_cell ends with a run that has no verdict', async () => {
    const notebook = await lay(code('no verdict'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    const { text, isError } = await run(1, { wait: 600 });
    assert.equal(isError, false);
    assert.match(text, /^cell 1 ended; its kernel does not say .*\n-> no verdict$/);
  });

  it('run_cell ends with its notebook', async () => {
    await writeFile(file(), ipynb([code('slow')]));
    const uri = vscode.Uri.file(file());
    // As the person opens it: what an extension has opened is held for a while.
    await vscode.commands.executeCommand('vscode.openWith', uri, 'jupyter-notebook');
    const editor = vscode.window.activeNotebookEditor;
    assert.equal(editor?.notebook.uri.fsPath, file());
    await chooseKernel(editor);
    const running = run(1, { wait: 600 });
    await until('it runs', () => editor.notebook.cellAt(0).outputs.length > 0);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.match((await running).text, /^The notebook was closed before the run of cell 1 had/);
  });

  it('an error is told however much was printed before it', async () => {
    const notebook = await lay(code('long'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    const all = [await run(1), await room.call('cells', { path })];
    for (const { text } of all) assert.match(text, /-> error: Error: it broke/);
  });

  it('a long cell is told whole, or how it can be read whole', async () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, n) => `value_${n} = ${n}`).join('\n');
    await lay(code(lines(250)), code(lines(2_000)));
    assert.match((await room.call('cells', { path, from: 1, to: 1 })).text, /\nvalue_249 = 249$/);
    const cut = await room.call('cells', { path, from: 2, to: 2 });
    const [, uri] = /\(cut: \d+ characters\); whole: read_buffer (\S+)$/.exec(cut.text) ?? [];
    const rest = await room.call('read_buffer', { path: uri, from: 1_999 });
    assert.match(rest.text, /\n2000\tvalue_1999 = 1999$/);
  });
});
