import * as vscode from 'vscode';
import { errorMessage } from '../base/errors';
import { resolveRealPaths } from '../workFiles/realPath';
import { losesText } from './checkWritable';
import type { ChangedDocument } from './documentChanges';
import { DocumentLocks } from './documentLocks';
import type { SaveState, WrittenFile } from './formatWritten';
import { notebookOf, saveNotebook } from './notebookFile';
import { ownEdits } from './ownEdits';
import { type Saved, saveDocument } from './saveDocument';
import { count } from './resultBudget';
import { holderOf, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';

/** One for the window: calls of all conversations write the same documents. */
const locks = new DocumentLocks();

/** Runs `work` while no other call of these tools writes one of the documents. */
export async function holdDocuments<T>(
  uris: readonly vscode.Uri[],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  return locks.hold(await lockKeys(uris), async () => {
    if (signal.aborted) throw new ToolProblem('Stopped; nothing was changed');
    return work();
  });
}

/** Equal for all names of a file; of a cell that of its notebook. */
async function lockKeys(uris: readonly vscode.Uri[]): Promise<readonly string[]> {
  const holders = [...new Map(uris.map((uri) => [uri.toString(), holderOf(uri)])).values()];
  const files = holders.flatMap((uri) => (uri.scheme === 'file' ? uri.fsPath : []));
  const real = await resolveRealPaths(files);
  return holders.map((uri) =>
    uri.scheme === 'file'
      ? vscode.Uri.file(real.get(uri.fsPath) ?? uri.fsPath).path
      : uri.toString(),
  );
}

/**
 * Applies all of an edit as one undo step, or nothing of it.
 * @param uris all that it changes, where those are more than texts
 * @returns false where a document was changed since its text was read
 */
export async function applyWhole(
  edit: vscode.WorkspaceEdit,
  uris: readonly vscode.Uri[] = edit.entries().map(([uri]) => uri),
): Promise<boolean> {
  try {
    return await ownEdits.run(uris, () => vscode.workspace.applyEdit(edit));
  } catch (cause) {
    throw new ToolProblem(`The editor did not take the change: ${errorMessage(cause)}`, { cause });
  }
}

/**
 * Saves a changed document where that is ours to do: one that had the person's unsaved changes stays
 * unsaved.
 */
export async function settleDocument(
  document: vscode.TextDocument,
  wasDirty: boolean,
): Promise<Saved> {
  const notebook = notebookOf(document);
  if (notebook) return settleNotebook(notebook, wasDirty);
  if (document.isUntitled) return { state: 'untitled', isReformatted: false };
  // The editor may have saved it by itself (`files.refactoring.autoSave`).
  if (wasDirty && document.isDirty) return { state: 'keptUnsaved', isReformatted: false };
  return saveDocument(document);
}

/** Those that are being saved: each of their changed cells asks for it. */
const saving = new WeakMap<vscode.NotebookDocument, Promise<SaveState>>();

/** A cell has no file of its own. */
async function settleNotebook(
  notebook: vscode.NotebookDocument,
  wasDirty: boolean,
): Promise<Saved> {
  if (notebook.isUntitled) return { state: 'untitled', isReformatted: false };
  if (wasDirty && notebook.isDirty) return { state: 'keptUnsaved', isReformatted: false };
  const running = saving.get(notebook) ?? saveNotebook(notebook);
  saving.set(notebook, running);
  try {
    return { state: await running, isReformatted: false };
  } finally {
    saving.delete(notebook);
  }
}

/** The same of one that was changed by others on our behalf, for the answer. */
export async function settleChanged({
  document,
  wasDirty,
  places,
}: ChangedDocument): Promise<WrittenFile> {
  const changed = { path: shownPath(document.uri), what: count(places, 'place') };
  // Nobody has looked beforehand, since nobody knew.
  if (!wasDirty && (await losesText(document))) {
    return { ...changed, state: 'lossy', isReformatted: false };
  }
  return { ...changed, ...(await settleDocument(document, wasDirty)) };
}
