import { array, looseObject, string, union } from 'zod/mini';
import type * as vscode from 'vscode';
import { pause } from './boundedCall';
import { readSmall } from './fileBytes';

const LARGEST = 50 * 1024 * 1024;
const RELOAD_MS = 2_500;

/** Of a Jupyter file what is compared. */
const notebookSchema = looseObject({
  cells: array(looseObject({ cell_type: string(), source: union([string(), array(string())]) })),
});
/** Cells of other kinds do not come into the editor. */
const KINDS = new Set(['code', 'markdown', 'raw']);

/**
 * Waits, bounded, until a notebook without changes of its own has the cells of its file: the CLI
 * writes it behind the editor's back, and saving would then fail.
 * @returns `same` as well where only what is around the cells is unsaved: the editor gives new cells
 * names of their own as it reads the file again
 */
export async function awaitNotebookDisk(
  notebook: vscode.NotebookDocument,
  signal: AbortSignal,
): Promise<'same' | 'unsaved' | 'diskNewer'> {
  const deadline = Date.now() + RELOAD_MS;
  const isUnsaved = (): boolean => notebook.isDirty;
  if (isUnsaved()) return 'unsaved';
  for (;;) {
    const isLike = notebook.isClosed || (await hasSameCells(notebook));
    // While it is being read again it passes for unsaved.
    if (isLike && !isUnsaved()) return 'same';
    if (Date.now() >= deadline || signal.aborted) {
      if (isLike) return 'same';
      return isUnsaved() ? 'unsaved' : 'diskNewer';
    }
    await pause(40, signal);
  }
}

/** Whether its file has its cells; true as well where that cannot be seen. */
export async function hasSameCells(notebook: vscode.NotebookDocument): Promise<boolean> {
  const onDisk = await readCells(notebook.uri);
  if (onDisk === undefined) return true;
  const cells = notebook.getCells();
  return (
    cells.length === onDisk.length &&
    cells.every(({ document }, index) => bareText(document.getText()) === onDisk[index])
  );
}

/** Undefined for what is no Jupyter file of today's form, has no cells, or cannot be read. */
async function readCells(uri: vscode.Uri): Promise<readonly string[] | undefined> {
  if (uri.scheme !== 'file') return undefined;
  try {
    const bytes = await readSmall(uri, LARGEST);
    const { cells } = notebookSchema.parse(JSON.parse(bytes?.toString('utf8') ?? ''));
    const known = cells.filter(({ cell_type: kind }) => KINDS.has(kind));
    if (known.length === 0) return undefined;
    return known.map(({ source }) => bareText([source].flat().join('')));
  } catch {
    return undefined;
  }
}

/** The editor may put line ends between the parts of a source. */
function bareText(text: string): string {
  return text.replaceAll(/[\r\n]/gu, '');
}
