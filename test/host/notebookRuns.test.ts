import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { closeAll, type EditorRoom, show, until } from './editorRoom';
import {
  chooseKernel,
  code,
  insertCell,
  ipynb,
  type OddKernel,
  useNotebookRoom,
} from './notebookRoom';

describe('a run of a notebook cell, whatever the kernel and the person do', () => {
  let room: EditorRoom;
  let kernel: OddKernel;
  let path = '';
  const { file, lay, edit, run } = useNotebookRoom('ran', (made) => {
    ({ room, kernel, path } = made);
  });

  it('run_cell that is stopped before it has begun runs nothing', async () => {
    const notebook = await lay(code('first'), code('second'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    const stop = new AbortController();
    const stopped = room.call('run_cell', { path, cell: 1 }, stop.signal);
    stop.abort();
    assert.equal((await stopped).text, 'Stopped; nothing was run');
    assert.match((await run(2)).text, /^cell 2 ran/);
    assert.deepEqual(kernel.ran, ['second']);
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
    assert.deepEqual(kernel.ran, ['first']);
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

  it('run_cell ends with a run of which its kernel tells no end', async () => {
    const notebook = await lay(code(''), code('held, no end'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    const ended = /^cell \d ended; its kernel does not say /;
    assert.match((await run(1, { wait: 600 })).text, ended);
    const running = run(2, { wait: 600 });
    // One that has lasted for a while.
    setTimeout(() => kernel.release(), 5_000);
    assert.match((await running).text, ended);
    assert.doesNotMatch((await room.call('cells', { path })).text, /running/);
  });

  it('run_cell ends at once with a short run of which its kernel tells no end, and with no other', async () => {
    const texts = ['no end', 'held no end', 'held, taken'];
    const notebook = await lay(...texts.map((text) => code(text)));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    assert.match(
      (await run(1, { wait: 600 })).text,
      /^cell 1 ended; its kernel does not .*-> no end$/s,
    );
    const running = run(2, { wait: 600 });
    await until('it runs', () => kernel.isHeld && notebook.cellAt(1).outputs.length > 0);
    kernel.release();
    assert.match((await running).text, /^cell 2 ended; its kernel does not say /);
    assert.match((await run(3, { wait: 2 })).text, /^cell 3 still runs after 2 s/);
    kernel.release();
    await until('it ends', () => notebook.cellAt(2).executionSummary?.success === true);
  });

  it('edit_cell does not call unsaved what is saved, while a cell prints', async () => {
    const notebook = await lay(code('prints'), code('second'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    const running = run(1, { wait: 600 });
    await until('it prints', () => notebook.cellAt(0).outputs.length > 2);
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) {
      assert.match(
        (await edit({ cell: 2, text })).text,
        /^[^:]*: cell 2 replaced, now 2 cells; saved$/,
      );
      assert.match(await readFile(file(), 'utf8'), new RegExp(`"${text}"`, 'u'));
    }
    kernel.release();
    assert.match((await running).text, /^cell 1 ran in /);
  });

  it('a run that goes on is told as that, whoever began it, and not as one of a later text', async () => {
    const notebook = await lay(code('held by the tool'), code('held by the person'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    assert.match((await run(1, { wait: 1 })).text, /^cell 1 still runs after 1 s/);
    assert.match((await room.call('cells', { path })).text, /\n\[1\] code python, running\n/);
    for (const cell of [1, 2]) {
      const asked = kernel.ran.length;
      if (cell === 2) {
        const given = { ranges: [{ start: 1, end: 2 }], document: notebook.uri };
        void vscode.commands.executeCommand('notebook.cell.execute', given);
        await until(
          'it runs',
          () => kernel.ran.length > asked && notebook.cellAt(1).outputs.length > 0,
        );
      }
      await edit({ cell, text: 'first' });
      const { text } = await run(cell, { wait: 4 });
      assert.match(text, /^cell \d still runs .*\nit ran already, with the text .*\n-> held/);
      assert.equal(kernel.ran.at(-1), cell === 1 ? 'held by the tool' : 'held by the person');
      kernel.release();
      await until('it ends', () => notebook.cellAt(cell - 1).executionSummary?.success === true);
      assert.match((await run(cell)).text, /^cell \d ran in [\d.]+ s\n-> first$/);
    }
  });

  it('two that want one cell run have it run once, and both are told how it went', async () => {
    const notebook = await lay(code('held by both'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    const both = [1, 2].map(() => run(1, { wait: 600 }));
    await until('it runs', () => kernel.isHeld && notebook.cellAt(0).outputs.length > 0);
    // Longer than a run may take to begin.
    setTimeout(() => kernel.release(), 4_000);
    for (const { text } of await Promise.all(both)) assert.match(text, /^cell 1 ran in .*-> held/s);
    assert.equal(kernel.ran.length, 1);
  });

  it('a run that somebody else began, and that ended without a word, does not go on for ever', async () => {
    const notebook = await lay(code('held, no end'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    const given = { ranges: [{ start: 0, end: 1 }], document: notebook.uri };
    const persons = vscode.commands.executeCommand('notebook.cell.execute', given);
    await until('it runs', () => kernel.isHeld && notebook.cellAt(0).outputs.length > 0);
    assert.match((await run(1, { wait: 1 })).text, /^cell 1 still runs .*\nit ran already/);
    kernel.release();
    await persons;
    await edit({ cell: 1, text: 'quick' });
    assert.match((await run(1)).text, /^cell 1 ran in [\d.]+ s\n-> quick$/);
  });

  it('outputs of an earlier run are not told as those of one that has not begun', async () => {
    const text = ['of the run before\n'];
    const outputs = [{ name: 'stdout', output_type: 'stream', text }];
    const notebook = await lay(code('queued', { execution_count: 4, outputs }));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    const stop = new AbortController();
    const running = room.call('run_cell', { path, cell: 1 }, stop.signal);
    await until('it is queued', () => kernel.isHeld);
    stop.abort();
    assert.equal((await running).text, 'cell 1 may still run: only the waiting was stopped');
    kernel.release();
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
});
