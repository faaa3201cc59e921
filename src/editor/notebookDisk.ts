import { array, looseObject, string, union } from 'zod/mini';
import * as vscode from 'vscode';
import { isAbsent } from '../base/errors';
import { pause } from './boundedCall';
import { readSmall } from './fileBytes';
import { ToolProblem } from './toolProblem';

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
): Promise<'same' | 'unsaved' | 'diskNewer' | 'removed'> {
  const deadline = Date.now() + RELOAD_MS;
  const isUnsaved = (): boolean => notebook.isDirty;
  if (isUnsaved()) return 'unsaved';
  for (;;) {
    const state = notebook.isClosed ? 'same' : knownState(await compareCells(notebook));
    const isLike = state !== 'diskNewer';
    // While it is being read again it passes for unsaved.
    if (isLike && !isUnsaved()) return state;
    if (Date.now() >= deadline || signal.aborted) {
      if (isLike) return state;
      return isUnsaved() ? 'unsaved' : 'diskNewer';
    }
    await pause(40, signal);
  }
}

/** The same before cells are changed or run. @throws ToolProblem where the editor has still the old ones */
export async function requireNotebookDisk(
  notebook: vscode.NotebookDocument,
  path: string,
  signal: AbortSignal,
): Promise<'same' | 'unsaved' | 'removed'> {
  const disk = await awaitNotebookDisk(notebook, signal);
  if (disk !== 'diskNewer') return disk;
  throw new ToolProblem(
    `${path} has changed on disk and the editor still has the old cells. Try again in a moment`,
  );
}

/** Whether its file has its cells; true as well where that cannot be seen, or the file is gone. */
export async function hasSameCells(notebook: vscode.NotebookDocument): Promise<boolean> {
  return (await compareCells(notebook)) !== 'diskNewer';
}

/** What cannot be seen passes for being alike. */
function knownState(compared: Compared): Exclude<Compared, 'unknown'> {
  return compared === 'unknown' ? 'same' : compared;
}

interface DiskCell {
  readonly kind: string;
  readonly source: string;
}

type Compared = 'same' | 'diskNewer' | 'removed' | 'unknown';

/** Whether its file has its cells; `unknown` where that cannot be seen. */
export async function compareCells(notebook: vscode.NotebookDocument): Promise<Compared> {
  const onDisk = await readCells(notebook.uri);
  if (onDisk === undefined || onDisk === 'removed') return onDisk ?? 'unknown';
  const cells = notebook.getCells();
  const isLike =
    cells.length === onDisk.length &&
    cells.every((cell, index) => {
      const there = onDisk[index];
      return kindOf(cell) === there?.kind && plainSource(cell.document.getText()) === there.source;
    });
  return isLike ? 'same' : 'diskNewer';
}

/** Raw cells pass for code in the editor, and never run. */
export function kindOf({ kind, document }: vscode.NotebookCell): 'code' | 'markdown' | 'raw' {
  if (kind === vscode.NotebookCellKind.Markup) return 'markdown';
  return document.languageId === 'raw' ? 'raw' : 'code';
}

/** Undefined for what is no Jupyter file of today's form, has no cells, or cannot be read. */
async function readCells(uri: vscode.Uri): Promise<readonly DiskCell[] | 'removed' | undefined> {
  if (uri.scheme !== 'file') return undefined;
  try {
    const bytes = await readSmall(uri, LARGEST);
    const { cells } = notebookSchema.parse(JSON.parse(bytes?.toString('utf8') ?? ''));
    const known = cells.filter(({ cell_type: kind }) => KINDS.has(kind));
    if (known.length === 0) return undefined;
    return known.map(({ cell_type: kind, source }) => ({
      kind,
      source: plainSource(joined([source].flat())),
    }));
  } catch (error) {
    return isAbsent(error) ? 'removed' : undefined;
  }
}

/** As the editor joins the parts of a source: each is a line, whether it ends as one or not. */
function joined(parts: readonly string[]): string {
  const last = parts.length - 1;
  return parts.map((part, at) => (at < last && !part.endsWith('\n') ? `${part}\n` : part)).join('');
}

/** The editor may take blanks away around a source, and has line ends of its own. */
function plainSource(text: string): string {
  return text.replaceAll(/\r\n?/gu, '\n').trim();
}
