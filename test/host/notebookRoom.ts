import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Disposable } from '../../src/base/disposable';
import {
  closeAll,
  createEditorRoom,
  type EditorRoom,
  layPlanted,
  plantedFile,
  plantedPath,
  restorePlanted,
} from './editorRoom';

const KERNEL = 'patchbay-odd-kernel';

export const code = (source: string, more: object = {}): object => ({
  ...{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [source] },
  ...more,
});
export const ipynb = (cells: readonly object[]): string =>
  JSON.stringify({
    ...{ cells, metadata: { language_info: { name: 'python' } } },
    ...{ nbformat: 4, nbformat_minor: 5 },
  });

/** A kernel that runs a cell as its text says, and remembers which it ran. */
export interface OddKernel extends Disposable {
  readonly ran: readonly string[];
  /** Whether a cell waits in it. */
  readonly isHeld: boolean;
  /** Lets that go on. */
  release(): void;
}

export function createOddKernel(): OddKernel {
  const ran: string[] = [];
  let release: (() => void) | undefined;
  const held = (): Promise<void> => new Promise<void>((resolve) => (release = resolve));
  const item = vscode.NotebookCellOutputItem;
  /** Until it is released, as a progress bar does. */
  const prints = async (run: vscode.NotebookCellExecution): Promise<void> => {
    const over = new AbortController();
    void held().then(() => over.abort());
    while (!over.signal.aborted) {
      await run.appendOutput(new vscode.NotebookCellOutput([item.stdout('.')]));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const controller = vscode.notebooks.createNotebookController(KERNEL, 'jupyter-notebook', 'Odd');
  controller.supportedLanguages = ['python'];
  controller.executeHandler = async (cells) => {
    for (const cell of cells) {
      const running = runOne(cell);
      // Some take what they are given, and run it later.
      if (!cell.document.getText().startsWith('held, taken')) await running;
    }
  };
  const runOne = async (cell: vscode.NotebookCell): Promise<void> => {
    const text = cell.document.getText();
    const run = controller.createNotebookCellExecution(cell);
    if (text === 'queued') await held();
    run.start(Date.now());
    run.executionOrder = ran.push(text);
    const items =
      text === 'long'
        ? [item.stdout('a line\n'.repeat(2_000)), item.error(new Error('it broke'))]
        : [item.stdout(text)];
    await run.replaceOutput(items.map((one) => new vscode.NotebookCellOutput([one])));
    if (text.startsWith('held')) await held();
    if (text === 'prints') await prints(run);
    // As Jupyter does where it is restarted, and with an empty cell.
    if (text.endsWith('no end') || text === '') run.end(undefined);
    // As one does whose run was interrupted.
    else if (text === 'no verdict') run.end(undefined, Date.now());
    else if (text !== 'slow') run.end(text !== 'long', Date.now());
  };
  return {
    ran,
    get isHeld() {
      return release !== undefined;
    },
    release: () => {
      release?.();
      release = undefined;
    },
    dispose: () => {
      release?.();
      controller.dispose();
    },
  };
}

export async function chooseKernel(notebookEditor: vscode.NotebookEditor): Promise<void> {
  const given = { notebookEditor, id: KERNEL, extension: 'nullExtensionDescription' };
  await vscode.commands.executeCommand('notebook.selectKernel', given);
}

export async function insertCell(
  notebook: vscode.NotebookDocument,
  at: number,
  text: string,
): Promise<void> {
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python');
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(at, [cell])]);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

export async function type(cell: vscode.NotebookCell, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(cell.document.uri, new vscode.Position(0, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

export const textsOf = (notebook: vscode.NotebookDocument): readonly string[] =>
  notebook.getCells().map(({ document }) => document.getText());

/** What each test has anew: tools, a kernel, and a notebook's path that no other test uses. */
export interface NotebookRoom {
  readonly room: EditorRoom;
  readonly kernel: OddKernel;
  readonly path: string;
}

/**
 * For a whole suite of notebooks.
 * @param stem what its notebooks are called
 * @param begin told before each test
 * @returns what always means the notebook of the running test
 */
export function useNotebookRoom(stem: string, begin: (made: NotebookRoom) => void) {
  let count = 0;
  let path = '';
  let room: EditorRoom;
  let kernel: OddKernel;
  const file = (): string => plantedFile(`${stem}${count}.ipynb`);

  before(async () => {
    await closeAll();
    await layPlanted();
  });
  after(restorePlanted);

  const another = (): void => {
    count += 1;
    path = plantedPath(`${stem}${count}.ipynb`);
    begin({ room, kernel, path });
  };
  beforeEach(() => {
    room = createEditorRoom({ beginMs: 3_000 });
    kernel = createOddKernel();
    another();
  });

  afterEach(async () => {
    room.dispose();
    kernel.dispose();
    await closeAll();
  });

  return {
    file,
    /** From here on the test has a notebook more. */
    another,
    lay: async (...cells: readonly object[]): Promise<vscode.NotebookDocument> => {
      await writeFile(file(), ipynb(cells));
      return vscode.workspace.openNotebookDocument(vscode.Uri.file(file()));
    },
    edit: (input: object) => room.call('edit_cell', { path, action: 'replace', ...input }),
    run: (cell: number, more: object = {}) => room.call('run_cell', { path, cell, ...more }),
  };
}
