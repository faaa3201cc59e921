import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  type EditorRoom,
  plantedFile,
  plantedPath,
  replaceAll,
  show,
  until,
  usePlantedRoom,
} from './editorRoom';

const CELL = { cell_type: 'code', metadata: {}, outputs: [], execution_count: null };

describe('what the person sees', () => {
  let room: EditorRoom;

  usePlantedRoom((made) => {
    room = made;
  });

  const layNotebook = async (name: string, ...sources: readonly string[]): Promise<vscode.Uri> => {
    const cells = sources.map((source) => ({ ...CELL, source: [source] }));
    const book = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await writeFile(plantedFile(name), JSON.stringify(book));
    return vscode.Uri.file(plantedFile(name));
  };

  const showNotebook = async (uri: vscode.Uri): Promise<vscode.NotebookDocument> => {
    const book = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(book, { preview: false });
    return book;
  };

  const tabs = (): readonly vscode.Tab[] =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs);

  describe('open_editors', () => {
    it('tells of a file in two groups which one is active, and the cursor of each', async () => {
      const { document } = await show('src/plantedOrder.ts');
      await vscode.window.showTextDocument(document, {
        viewColumn: vscode.ViewColumn.Two,
        preview: false,
      });
      const setCursors = (): void => {
        for (const editor of vscode.window.visibleTextEditors) {
          const line = editor.viewColumn === vscode.ViewColumn.One ? 5 : 1;
          editor.selection = new vscode.Selection(line, 0, line, 0);
        }
      };
      const expected =
        /group 1\n(?:.*\n)*.*Order\.ts \(visible, cursor at line 6\)\n(?:.*\n)*group 2\n .*Order\.ts \(active, cursor at line 2\)$/;
      await vscode.commands.executeCommand('workbench.action.focusSecondEditorGroup');
      let told = '';
      const isTold = async (): Promise<boolean> => {
        setCursors();
        told = (await room.call('open_editors')).text;
        return expected.test(told);
      };
      await until('both cursors are told', isTold).catch(() => assert.match(told, expected));
    });

    it('tells that a notebook is the active one while one of its cells is edited', async () => {
      await showNotebook(await layNotebook('active.ipynb', 'one'));
      await vscode.commands.executeCommand('notebook.cell.edit');
      await until('the cell is edited', () =>
        vscode.window.visibleTextEditors.some(
          ({ document }) => document.uri.scheme === 'vscode-notebook-cell',
        ),
      );
      const { text } = await room.call('open_editors');
      assert.match(text, /active\.ipynb \(notebook, active\)$/);
    });
  });

  describe('read_buffer', () => {
    it('does not pass the file of an unsaved notebook off as what is seen', async () => {
      const book = await showNotebook(await layNotebook('typed.ipynb', 'one', 'two'));
      const path = plantedPath('typed.ipynb');
      assert.match((await room.call('read_buffer', { path })).text, /, as on disk\n/);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(book.cellAt(0).document.uri, new vscode.Position(0, 0), 'typed ');
      assert.ok(await vscode.workspace.applyEdit(edit));
      await until('it is unsaved', () => book.isDirty);
      const { text, isError } = await room.call('read_buffer', { path });
      assert.ok(isError, text);
      assert.match(text, /typed\.ipynb is a notebook with unsaved changes\. Read it with cells$/);
      assert.match((await room.call('cells', { path })).text, /unsaved changes\n.*\ntyped one\n/);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('is the document that a URI names, whatever place stands behind it', async () => {
      const { document } = await show('src/plantedEdited.ts');
      await replaceAll(document, 'typed\n');
      for (const end of ['#L1', '#1,2', '?version=2']) {
        const path = `${document.uri.toString()}${end}`;
        const { text } = await room.call('read_buffer', { path });
        assert.match(text, /plantedEdited\.ts: .*, unsaved changes\n1\ttyped/, end);
      }
    });

    it('takes for text what the editor does, zero bytes or not', async () => {
      const wide = Buffer.from('one\r\ntwo\r\n', 'utf16le');
      const files: Readonly<Record<string, Buffer>> = {
        'wideLittle.txt': wide,
        'wideBig.txt': Buffer.from(wide).swap16(),
        'late.log': Buffer.from(`one\n${'line of a log\n'.repeat(60)}\0\0\nend\n`),
        'zeros.bin': Buffer.from([1, 0, 2, 0, 0, 1]),
      };
      for (const [name, bytes] of Object.entries(files)) {
        await writeFile(plantedFile(name), bytes);
        const { text, isError } = await room.call('read_buffer', { path: plantedPath(name) });
        const opened = await vscode.workspace.openTextDocument(plantedFile(name)).then(
          () => true,
          () => false,
        );
        assert.equal(isError, !opened, `${name}: ${text}`);
        if (opened) assert.match(text, /, as on disk\n1\tone\n/, name);
      }
    });

    it('answers at once of a pipe, on which all reading would wait', async () => {
      execFileSync('mkfifo', [plantedFile('pipe.txt')]);
      const tools = ['read_buffer', 'diagnostics', 'symbols', 'show', 'cells'];
      const late = new Promise<string>((resolve) => setTimeout(resolve, 20_000, 'late'));
      try {
        for (const tool of tools) {
          const call = room.call(tool, { path: plantedPath('pipe.txt') });
          const told = await Promise.race([call.then(({ text }) => text), late]);
          assert.match(told, /pipe\.txt is neither a file nor a folder/, tool);
        }
      } finally {
        // Who waits for it is let go of.
        await (await open(plantedFile('pipe.txt'), 'r+')).close();
      }
    });
  });

  describe('show', () => {
    it('marks lines of a file that the CLI has just written', async () => {
      await writeFile(plantedFile('written.txt'), 'a\nb\n');
      await show('written.txt');
      await writeFile(plantedFile('written.txt'), 'a\nb\n'.repeat(20));
      const input = { path: plantedPath('written.txt'), from: 30, to: 31 };
      const { text } = await room.call('show', input);
      assert.match(text, /written\.txt, lines 30-31 highlighted$/);
    });

    it('opens a notebook and a picture as such', async () => {
      await layNotebook('shown.ipynb', 'one');
      await writeFile(plantedFile('shown.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]));
      for (const [name, kind] of [
        ['shown.ipynb', vscode.TabInputNotebook],
        ['shown.png', vscode.TabInputCustom],
      ] as const) {
        const { text } = await room.call('show', { path: plantedPath(name), from: 1 });
        assert.match(text, new RegExp(`^shown: .*${name}, which is no text: no lines`));
        await until(`${name} is shown`, () => tabs().some(({ input }) => input instanceof kind));
      }
      assert.ok(tabs().every(({ input }) => !(input instanceof vscode.TabInputText)));
    });
  });

  it('cells tells what the CLI has just written', async () => {
    const path = plantedPath('fresh.ipynb');
    // Without a tab the editor gives it one as it is read again, and at any time.
    await showNotebook(await layNotebook('fresh.ipynb', 'one'));
    assert.match((await room.call('cells', { path })).text, /as on disk\n.*\none$/);
    await layNotebook('fresh.ipynb', 'two', 'three');
    assert.match((await room.call('cells', { path })).text, /2 cells, as on disk\n.*\ntwo\n/);
  });
});
