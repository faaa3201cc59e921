import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Disposable } from '../../src/base/disposable';

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
  const controller = vscode.notebooks.createNotebookController(KERNEL, 'jupyter-notebook', 'Odd');
  const item = vscode.NotebookCellOutputItem;
  controller.supportedLanguages = ['python'];
  controller.executeHandler = async (cells) => {
    for (const cell of cells) {
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
      // As Jupyter does where it is restarted, and with an empty cell.
      if (text === 'held, no end' || text === '') run.end(undefined);
      // As one does whose run was interrupted.
      else if (text === 'no verdict') run.end(undefined, Date.now());
      else if (text !== 'slow') run.end(text !== 'long', Date.now());
    }
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
