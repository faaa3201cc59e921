import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  closeAll,
  layPlanted,
  createEditorRoom,
  type EditorRoom,
  plantedFile,
  plantedPath,
  replaceAll,
  restorePlanted,
  until,
} from './editorRoom';

const KERNEL = 'patchbay-test-kernel';

const code = (source: string) => ({
  ...{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [source] },
});

/** A notebook as a Jupyter file has it. */
const ipynb = {
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Totals'] },
    {
      cell_type: 'code',
      execution_count: 1,
      metadata: {},
      outputs: [
        { name: 'stdout', output_type: 'stream', text: ['3\n'] },
        {
          data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': ['<Figure>'] },
          metadata: {},
          output_type: 'display_data',
        },
      ],
      source: ['print(1 + 2)'],
    },
  ],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
};

/** Runs a cell as its text says: `ok`, `throw`, `slow`. */
function createKernel(): vscode.NotebookController {
  const controller = vscode.notebooks.createNotebookController(KERNEL, 'jupyter-notebook', 'Test');
  controller.supportedLanguages = ['python'];
  controller.executeHandler = async (cells, notebook) => {
    for (const cell of cells) {
      const run = controller.createNotebookCellExecution(cell);
      run.start(Date.now());
      const text = cell.document.getText();
      const item =
        text === 'throw'
          ? vscode.NotebookCellOutputItem.error(new Error('it broke'))
          : vscode.NotebookCellOutputItem.stdout(`${text} of ${notebook.cellCount}\n`);
      await run.replaceOutput(new vscode.NotebookCellOutput([item]));
      if (text !== 'slow') run.end(text !== 'throw', Date.now());
      else run.token.onCancellationRequested(() => run.end(false, Date.now()));
    }
  };
  return controller;
}

async function chooseKernel(notebookEditor: vscode.NotebookEditor): Promise<void> {
  const given = { notebookEditor, id: KERNEL, extension: 'nullExtensionDescription' };
  await vscode.commands.executeCommand('notebook.selectKernel', given);
}

describe('notebook tools', () => {
  let room: EditorRoom;
  let made = 0;
  let path = '';
  const file = (): string => plantedFile(`totals${made}.ipynb`);

  before(async () => {
    await closeAll();
    await layPlanted();
    room = createEditorRoom();
  });

  after(async () => {
    room.dispose();
    await restorePlanted();
  });

  // A file of its own for each test: one that is written while it is open is read again.
  beforeEach(async () => {
    made += 1;
    path = plantedPath(`totals${made}.ipynb`);
    await writeFile(file(), JSON.stringify(ipynb));
  });
  afterEach(closeAll);

  const saved = async (): Promise<typeof ipynb> =>
    // As the editor's own Jupyter serializer writes it.
    JSON.parse(await readFile(file(), 'utf8')) as typeof ipynb;

  it('cells reads a Jupyter file with its outputs, and opens no tab', async () => {
    const { text } = await room.call('cells', { path });
    assert.equal(
      text,
      [
        `${path}: 2 cells, as on disk`,
        '[1] markdown',
        '# Totals',
        '[2] code python, ran',
        'print(1 + 2)',
        '-> 3',
        '-> (image/png, 8 bytes) <Figure>',
      ].join('\n'),
    );
    assert.deepEqual(room.files, [{ path, bytes: Buffer.byteLength(text) }]);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
    const one = await room.call('cells', { path, from: 2, to: 2 });
    assert.doesNotMatch(one.text, /Totals/);
    const beyond = await room.call('cells', { path, from: 9 });
    assert.match(beyond.text, /has 2 cells; cell=9 is past the end/);
    const none = await room.call('cells', { path: plantedPath('src/plantedOrder.ts') });
    assert.ok(none.isError, none.text);
    assert.match(none.text, /cannot be read as a notebook/);
  });

  it('edit_cell changes, inserts and deletes through the editor, and outputs stay', async () => {
    const change = async (input: object): Promise<string> => {
      const { text, isError } = await room.call('edit_cell', { path, ...input });
      assert.equal(isError, false, text);
      return text;
    };
    assert.equal(
      await change({ cell: 2, action: 'replace', text: 'print(3)' }),
      `${path}: cell 2 replaced, now 2 cells; saved`,
    );
    await change({ cell: 3, action: 'insert', text: 'last()' });
    await change({ cell: 1, action: 'insert', text: 'before', kind: 'markdown' });
    await change({ cell: 2, action: 'delete' });
    const { cells } = await saved();
    assert.deepEqual(
      cells.map(({ cell_type: type, source }) => [type, source]),
      [
        ['markdown', ['before']],
        ['code', ['print(3)']],
        ['code', ['last()']],
      ],
    );
    assert.equal(cells[1]?.outputs?.length, 2);
    assert.match((await room.call('cells', { path })).text, /\[3\] code python\nlast\(\)$/);
    const faults = [
      [{ cell: 1, action: 'replace' }, /replace needs text/],
      [{ cell: 9, action: 'delete' }, /cell=9 is past the end/],
      [{ cell: 9, action: 'insert', text: 'x' }, /cell=9 is past the end/],
    ] as const;
    for (const [input, expected] of faults) {
      const { text, isError } = await room.call('edit_cell', { path, ...input });
      assert.ok(isError, text);
      assert.match(text, expected);
    }
  });

  it('edit_cell leaves unsaved what the person has not saved, and does not pass for the person', async () => {
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file()));
    await vscode.window.showNotebookDocument(notebook);
    room.newTurn();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), '#');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('the notebook is unsaved', () => notebook.isDirty);
    const { text } = await room.call('edit_cell', {
      path,
      cell: 2,
      action: 'replace',
      text: 'by_the_model()',
    });
    assert.match(text, /left unsaved: it had unsaved changes before/);
    const changes = await room.call('user_changes');
    assert.match(
      changes.text,
      /totals\d+\.ipynb cell 1.*\n@@ -1,1 \+1,1 @@\n-# Totals\n\+## Totals$/,
    );
    assert.deepEqual(
      room.files.map((one) => one.path),
      [path],
    );
    assert.doesNotMatch(changes.text, /by_the_model/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('edit_cell waits until the editor has what the CLI has just written', async () => {
    await room.call('cells', { path });
    const [first, second] = ipynb.cells;
    const fresh = { ...ipynb, cells: [{ ...first, source: ['# By the\n', 'CLI'] }, second] };
    await writeFile(file(), JSON.stringify(fresh));
    const given = { path, cell: 2, action: 'replace', text: 'by_the_tool()' };
    const { text, isError } = await room.call('edit_cell', given);
    assert.equal(isError, false, text);
    assert.match(text, /cell 2 replaced, now 2 cells; saved$/);
    const now = await readFile(file(), 'utf8');
    assert.match(now, /CLI/);
    assert.match(now, /by_the_tool/);
  });

  it('edit_cell inserts code that runs, whichever cells come before it', async () => {
    const raw = { cell_type: 'raw', metadata: {}, source: ['---\n', 'title: Totals\n', '---'] };
    const [markdown, present] = ipynb.cells;
    for (const cells of [[raw], [raw, present], [markdown, raw], [raw, markdown, present]]) {
      await writeFile(file(), JSON.stringify({ ...ipynb, cells }));
      const given = { path, cell: cells.length + 1, action: 'insert', text: 'import os' };
      const { text } = await room.call('edit_cell', given);
      assert.match(text, /inserted, now \d cells; saved$/);
      const now = JSON.parse(await readFile(file(), 'utf8')) as { cells: { cell_type: string }[] };
      assert.deepEqual(
        now.cells.map(({ cell_type: kind }) => kind),
        [...cells.map((cell) => cell?.cell_type), 'code'],
      );
      await closeAll();
    }
  });

  it('edit_cell does not go behind unsaved text of the file', async () => {
    const document = await vscode.workspace.openTextDocument(file());
    await vscode.window.showTextDocument(document, { preview: false });
    await replaceAll(document, `${document.getText()} `);
    const before = await readFile(file(), 'utf8');
    const given = { path, cell: 2, action: 'replace', text: 'by_the_tool()' };
    const { text, isError } = await room.call('edit_cell', given);
    assert.equal(isError, true, text);
    assert.match(text, /^Nothing was changed: .* is open as text with unsaved changes/);
    assert.equal(await readFile(file(), 'utf8'), before);
    assert.equal(document.isDirty, true);
  });

  it('edit_cell does not call saved what the editor has read-only', async () => {
    const files = vscode.workspace.getConfiguration('files');
    const set = (value: object | undefined) =>
      files.update('readonlyInclude', value, vscode.ConfigurationTarget.Global);
    await set({ '**/*.ipynb': true });
    try {
      const before = await readFile(file(), 'utf8');
      const given = { path, cell: 2, action: 'replace', text: 'by_the_tool()' };
      const { text } = await room.call('edit_cell', given);
      assert.match(text, /; NOT saved: the change stands in the editor only/);
      assert.equal(await readFile(file(), 'utf8'), before);
    } finally {
      await set(undefined);
    }
  });

  it('save saves a notebook, by its name and with all others', async () => {
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file()));
    await vscode.window.showNotebookDocument(notebook);
    for (const [given, typed] of [
      [{ path }, 'one'],
      [{}, 'two'],
    ] as const) {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), typed);
      assert.ok(await vscode.workspace.applyEdit(edit));
      await until('the notebook is unsaved', () => notebook.isDirty);
      const { text } = await room.call('save', given);
      assert.equal(text, `saved 1 of 1 file\n${path}: 2 cells; saved`);
      assert.equal(notebook.isDirty, false);
      assert.match(await readFile(file(), 'utf8'), new RegExp(`${typed}.*# Totals`));
    }
    assert.match((await room.call('save', { path })).text, /^nothing to save: no unsaved changes$/);
  });

  it('run_cell ends as its cell is deleted', async () => {
    const kernel = createKernel();
    await writeFile(file(), JSON.stringify({ ...ipynb, cells: [code('slow'), code('ok')] }));
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file()));
    try {
      await chooseKernel(await vscode.window.showNotebookDocument(notebook));
      const running = room.call('run_cell', { path, cell: 1, wait: 600 });
      await until('it runs', () => notebook.cellAt(0).outputs.length > 0);
      const edit = new vscode.WorkspaceEdit();
      const first = new vscode.NotebookRange(0, 1);
      edit.set(notebook.uri, [vscode.NotebookEdit.deleteCells(first)]);
      assert.ok(await vscode.workspace.applyEdit(edit));
      const { text, isError } = await running;
      assert.equal(isError, true, text);
      assert.match(text, /^cell 1 was deleted before its run had ended/);
    } finally {
      kernel.dispose();
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('run_cell runs with the chosen kernel, gives outputs, errors and what still runs', async () => {
    const kernel = createKernel();
    const cells = [code('ok'), code('throw'), code('slow')];
    await writeFile(file(), JSON.stringify({ ...ipynb, cells }));
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file()));
    try {
      await chooseKernel(await vscode.window.showNotebookDocument(notebook));
      const run = (cell: number, more: object = {}) =>
        room.call('run_cell', { path, cell, ...more });
      const ok = await run(1);
      assert.match(ok.text, /^cell 1 ran in \d+(\.\d)? s\n-> ok of 3$/);
      const failed = await run(2);
      assert.match(failed.text, /^cell 2 failed\n-> error: Error: it broke/);
      const slow = await run(3, { wait: 1 });
      assert.match(slow.text, /^cell 3 still runs after 1 s; .*\n-> slow of 3$/);
      await vscode.commands.executeCommand('notebook.cancelExecution');
    } finally {
      kernel.dispose();
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('run_cell says that no kernel is chosen, and refuses markdown', async () => {
    const impatient = createEditorRoom({ beginMs: 2_000 });
    try {
      const { text, isError } = await impatient.call('run_cell', { path, cell: 2 });
      assert.ok(isError, text);
      assert.match(text, /^cell 2 did not begin to run: no kernel is chosen/);
      const markdown = await impatient.call('run_cell', { path, cell: 1 });
      assert.match(markdown.text, /is markdown; only code runs/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      impatient.dispose();
    }
  });
});
