import * as vscode from 'vscode';
import { errorMessage } from '../base/errors';
import { boundedCall } from './boundedCall';
import { outputText } from './cellOutputs';
import type { CellRuns } from './cellRuns';
import { fileId } from './fileBytes';
import type { FoundFile } from './findFile';
import type { CellText, NotebookText } from './formatCells';
import type { SaveState } from './formatWritten';
import { compareCells } from './notebookDisk';
import { isCell } from './movedUri';
import { findOpenNotebook } from './openFile';
import { ownEdits } from './ownEdits';
import { type ReadGuard, refuseDenied } from './readGuard';
import { shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';

/** Above this no notebook is opened, in bytes: it would be held whole, pictures included. */
const LARGEST = 50 * 1024 * 1024;
const SAVE_MS = 20_000;

/**
 * The notebook of a file, read in the background where it is not open: no tab appears. Where it is
 * open under another name only, such as that to which a link leads, it is that one: what is unsaved
 * there would be passed by.
 * @throws ToolProblem for what is no notebook, or cannot be read as one
 */
export async function openNotebook(
  { uri, path, isFolder, size }: Pick<FoundFile, 'uri' | 'path' | 'isFolder' | 'size'>,
  guard: ReadGuard | undefined,
): Promise<vscode.NotebookDocument> {
  const open = findOpenNotebook(uri) ?? (await openTwin(uri, guard));
  if (open) return open;
  // An untitled text would be read as a notebook without cells.
  if (uri.scheme === 'untitled') throw new ToolProblem(`${path} is no notebook. Use read_buffer`);
  if (isFolder) throw new ToolProblem(`${path} is a folder; give a notebook in it`);
  if (size !== undefined && size > LARGEST) {
    throw new ToolProblem(
      `${path} is too large for a notebook (50 MB). Read it in parts with Read`,
    );
  }
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch (cause) {
    throw new ToolProblem(
      `${path} cannot be read as a notebook: ${errorMessage(cause)}. For text files use read_buffer`,
      { cause },
    );
  }
}

async function openTwin(
  uri: vscode.Uri,
  guard: ReadGuard | undefined,
): Promise<vscode.NotebookDocument | undefined> {
  const others = vscode.workspace.notebookDocuments.filter((one) => one.uri.scheme === 'file');
  const id = uri.scheme === 'file' && others.length > 0 ? await fileId(uri) : undefined;
  if (id === undefined) return undefined;
  for (const other of others) {
    if ((await fileId(other.uri)) !== id) continue;
    await refuseDenied(guard, { uri: other.uri, path: shownPath(other.uri) });
    return other;
  }
  return undefined;
}

/** The notebook of a cell's text; undefined for other documents. */
export function notebookOf({ uri }: vscode.TextDocument): vscode.NotebookDocument | undefined {
  if (!isCell(uri)) return undefined;
  return vscode.workspace.notebookDocuments.find((one) => one.uri.path === uri.path);
}

/** A cell is unsaved where its notebook is. */
export function isUnsaved(document: vscode.TextDocument): boolean {
  return document.isDirty || notebookOf(document)?.isDirty === true;
}

/** Saves it with all of its cells. Never rejects. */
export async function saveNotebook(notebook: vscode.NotebookDocument): Promise<SaveState> {
  const uris = [notebook.uri, ...notebook.getCells().map(({ document }) => document.uri)];
  const bounds = { timeoutMs: SAVE_MS, signal: new AbortController().signal, who: 'Saving' };
  try {
    const isSaved = await boundedCall(() => ownEdits.run(uris, () => notebook.save()), bounds);
    const disk = await compareCells(notebook);
    // Of one whose cell prints meanwhile the editor says that it is not saved, since it is unsaved again;
    // what is read-only there takes a change, has nothing to save, and saves it well.
    return disk === 'same' || (isSaved && disk !== 'diskNewer') ? 'saved' : 'saveFailed';
  } catch (error) {
    if (error instanceof ToolProblem) return 'saveFailed';
    throw error;
  }
}

export function notebookText(
  notebook: vscode.NotebookDocument,
  { path, disk, runs }: Pick<NotebookText, 'path' | 'disk'> & { readonly runs: CellRuns },
): NotebookText {
  return {
    path,
    disk,
    cells: notebook.getCells().map((cell) => cellText(cell, runs)),
  };
}

function cellText(cell: vscode.NotebookCell, runs: CellRuns): CellText {
  return {
    number: cell.index + 1,
    kind: cell.kind === vscode.NotebookCellKind.Markup ? 'markdown' : 'code',
    language: cell.document.languageId,
    source: cell.document.getText(),
    uri: cell.document.uri.toString(),
    // Its number is told as it begins, as that of one that has run.
    run: runs.running(cell) ? 'running' : describeRun(cell.executionSummary),
    // Asked for only where they are shown: all of a notebook may be megabytes.
    get outputs() {
      return cell.outputs.map(({ items }) => outputText(items));
    },
  };
}

/** @throws ToolProblem for a number past the end */
export function cellAt(
  notebook: vscode.NotebookDocument,
  number: number,
  path: string,
): vscode.NotebookCell {
  if (number <= notebook.cellCount) return notebook.cellAt(number - 1);
  throw new ToolProblem(
    `${path} has ${notebook.cellCount} cells; cell=${number} is past the end. Look at them with cells`,
  );
}

function describeRun(summary: vscode.NotebookCellExecutionSummary | undefined): string | undefined {
  if (summary?.success !== undefined) return summary.success ? 'ran' : 'failed';
  return summary?.executionOrder === undefined ? undefined : 'ran';
}
