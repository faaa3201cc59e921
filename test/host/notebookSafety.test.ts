import assert from 'node:assert/strict';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { createToolContext } from '../../src/mcp/toolContext';
import { closeAll, type EditorRoom, plantedFile, plantedPath, until } from './editorRoom';
import {
  chooseKernel,
  code,
  insertCell,
  ipynb,
  type OddKernel,
  textsOf,
  type,
  useNotebookRoom,
} from './notebookRoom';

describe('a notebook that the person works in, and kernels that are not as they should be', () => {
  let room: EditorRoom;
  let kernel: OddKernel;
  let path = '';
  const { file, another, lay, edit, run } = useNotebookRoom('worked', (made) => {
    ({ room, kernel, path } = made);
  });

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
    assert.deepEqual(kernel.ran, ['first']);
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

  it('edit_cell takes no other cell in a notebook that was closed and has changed since', async () => {
    await writeFile(file(), ipynb([code('first'), code('second')]));
    const uri = vscode.Uri.file(file());
    await vscode.commands.executeCommand('vscode.openWith', uri, 'jupyter-notebook');
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    await room.call('cells', { path });
    await closeAll();
    await until('it is closed', () => notebook?.isClosed === true);
    const cells = [code('above'), code('first'), code('second')];
    await writeFile(file(), ipynb(cells));
    for (const input of [{ text: 'x' }, { action: 'delete' }, { action: 'insert', text: 'x' }]) {
      const { text } = await edit({ cell: 2, ...input });
      assert.match(text, /^Cell 2 is not as cells told it: it was changed since\. Look with cells/);
    }
    assert.equal(await readFile(file(), 'utf8'), ipynb(cells));
  });

  it('edit_cell inserts nothing behind a cell that it was to stand before', async () => {
    const notebook = await lay(code('first'), code('second'), code('third'));
    await vscode.window.showNotebookDocument(notebook);
    await room.call('cells', { path });
    const deleted = new vscode.WorkspaceEdit();
    deleted.set(notebook.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(0, 1))]);
    assert.ok(await vscode.workspace.applyEdit(deleted));
    const { text } = await edit({ cell: 3, action: 'insert', text: 'x' });
    assert.match(text, /^Cell 3 is cell 2 by now: the cells have changed/);
    assert.deepEqual(textsOf(notebook), ['second', 'third']);
  });

  /** Of one conversation, in turns. */
  const state = new Map<string, unknown>();
  const talk =
    (turnStart: number) =>
    async (tool: string, input: object): Promise<string> => {
      const server = room.servers.find((one) => one.getTool(tool) !== undefined);
      const result = await server?.execute(tool, input, createToolContext({ state, turnStart }));
      const [block] = result?.content ?? [];
      assert.equal(block?.type, 'text');
      return block.text;
    };

  it('a number that means another cell since the agent itself put in or took out one is asked for twice', async () => {
    const changes = [
      { change: { cell: 2, action: 'delete' }, left: 'a c d e', at: 3, other: 4 },
      {
        change: { cell: 2, action: 'insert', text: 'new' },
        left: 'a new b c d e',
        at: 4,
        other: 3,
      },
    ];
    for (const [turn, { change, left, at, other }] of [...changes, ...changes].entries()) {
      const notebook = await lay(...['a', 'b', 'c', 'd', 'e'].map((text) => code(text)));
      const inTurn = talk(turn);
      const alter = (given: object): Promise<string> =>
        inTurn('edit_cell', { path, action: 'replace', text: 'x', ...given });
      // Whether it has read them here, or by other means.
      if (turn > 1) await inTurn('cells', { path });
      assert.match(await alter(change), /, the numbers behind it are one \w+; saved$/);
      // They may be of one message with it, and mean what was there before.
      const calls = [
        () => inTurn('run_cell', { path, cell: at }),
        () => alter({ cell: other, action: 'delete' }),
        () => alter({ cell: at, action: 'insert' }),
        () => alter({ cell: other }),
      ];
      for (const call of calls) {
        const text = await call();
        assert.match(text, /^Nothing was done: .* is what was cell \d \("[a-e]"\)\. Call again/);
        assert.ok(text.length <= 240, text);
      }
      assert.equal(textsOf(notebook).join(' '), left);
      // Those before it, the new one, and one right behind that are plain.
      assert.match(await alter({ cell: 1 }), /cell 1 replaced/);
      if (other === 3) {
        assert.match(await alter({ cell: 2 }), /cell 2 replaced/);
        assert.match(await alter({ cell: 3, action: 'insert' }), /cell 3 inserted/);
      }
      const again = { cell: at, action: 'delete' };
      assert.match(await alter(again), /^Nothing was done: /);
      assert.match(await alter(again), new RegExp(`cell ${at} deleted`));
      assert.match(await alter({ cell: at }), /^Nothing was done: /);
      await inTurn('cells', { path });
      assert.match(await alter({ cell: at }), new RegExp(`cell ${at} replaced`));
      // The answers of an earlier turn are known.
      assert.match(await alter({ cell: 1, action: 'delete' }), /cell 1 deleted/);
      const later = { path, cell: 1, action: 'replace', text: 'later' };
      assert.match(await talk(turn + 1)('edit_cell', later), /cell 1 replaced/);
      another();
    }
  });

  it('edit_cell saves where nothing but the outputs of its own runs is unsaved', async () => {
    const notebook = await lay(code('first'), code('second'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    await run(1);
    await until('its outputs are unsaved', () => notebook.isDirty);
    assert.match((await edit({ cell: 2, text: 'by the tool' })).text, /; saved$/);
    await run(1);
    await type(notebook.cellAt(0), 'typed ');
    assert.match((await edit({ cell: 2, text: 'once more' })).text, /; left unsaved: /);
  });

  it('edit_cell does not save what the person has made of a cell', async () => {
    const notebook = await lay(code('first'), code('second'));
    await chooseKernel(await vscode.window.showNotebookDocument(notebook));
    await run(1);
    const { Markup } = vscode.NotebookCellKind;
    const made = new vscode.NotebookCellData(Markup, 'second', 'markdown');
    const change = new vscode.WorkspaceEdit();
    const second = new vscode.NotebookRange(1, 2);
    change.set(notebook.uri, [vscode.NotebookEdit.replaceCells(second, [made])]);
    assert.ok(await vscode.workspace.applyEdit(change));
    assert.match((await edit({ cell: 1, text: 'by the tool' })).text, /; left unsaved: /);
    assert.match(await readFile(file(), 'utf8'), /second/);
    assert.doesNotMatch(await readFile(file(), 'utf8'), /markdown/);
  });

  it('cells says that the file was removed', async () => {
    await vscode.window.showNotebookDocument(await lay(code('first')));
    await rm(file());
    assert.match((await room.call('cells', { path })).text, /: 1 cell, removed from the disk\n/);
  });

  it('edit_cell and cells know what is unsaved under another name of the file', async () => {
    const notebook = await lay(code('first'), code('second'));
    await vscode.window.showNotebookDocument(notebook);
    await type(notebook.cellAt(0), 'typed ');
    const alias = `alias-${basename(file())}`;
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

  it('what was written is waited for, also where only blanks or lines have changed', async () => {
    for (const [tool, source] of [
      ['cells', 'if x:\n    go()'],
      ['cells', 'if x:\n\n    go()'],
      ['edit_cell', 'if x:\n\n    go()'],
      ['run_cell', 'if x:\n    go()'],
    ] as const) {
      const notebook = await lay(code('if x:\n  go()'), code('second'));
      await chooseKernel(await vscode.window.showNotebookDocument(notebook));
      await room.call('cells', { path });
      await writeFile(file(), ipynb([code(source), code('second')]));
      if (tool === 'cells') {
        assert.ok((await room.call('cells', { path })).text.includes(`\n${source}\n`));
      } else if (tool === 'run_cell') {
        // What the model has seen is another text; that one is told now.
        assert.match((await run(1)).text, /^Cell 1 is not as cells told it/);
        await room.call('cells', { path });
        assert.match((await run(1)).text, /^cell 1 ran/);
        assert.deepEqual(kernel.ran, [source]);
      } else {
        assert.match((await edit({ cell: 2, text: 'by the tool' })).text, /; saved$/);
        const now = await readFile(file(), 'utf8');
        for (const part of ['    go()', 'by the tool']) assert.ok(now.includes(part), now);
      }
      // A file of its own for each.
      another();
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
