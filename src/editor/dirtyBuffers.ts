import * as vscode from 'vscode';
import { UserFacingError } from '../base/errors';
import * as l10n from '@vscode/l10n';
import { hasSameCells } from './notebookDisk';
import { openFile, openNotebookFile } from './openFile';
import { tabUris } from './openTabs';
import { ownEdits } from './ownEdits';
import { pause } from './boundedCall';
import { awaitDisk } from './diskState';

/** How long a notebook is asked to be reverted. */
const REVERTED_MS = 10_000;
const LOOK_MS = 250;

/** What the guard needs to know of files with unsaved changes. Paths are absolute ones of this machine. */
export interface DirtyBuffers {
  /** Whether the file is open with changes that are not on disk. */
  isDirty(path: string): boolean;
  /** All files with changes that are not on disk. */
  dirtyFiles(): readonly string[];
  /** Writes the buffer to disk. @throws UserFacingError when that failed; the buffer is kept */
  save(path: string): Promise<void>;
  /** Takes the text on disk in place of the buffer. @throws UserFacingError when that failed */
  discard(path: string): Promise<void>;
}

type Open = vscode.TextDocument | vscode.NotebookDocument;

export function createDirtyBuffers(): DirtyBuffers {
  return {
    isDirty: (path) => dirtyDocument(path) !== undefined,
    dirtyFiles: () =>
      [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments]
        .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
        .map(({ uri }) => uri.fsPath),
    save: async (path) => {
      const document = dirtyDocument(path);
      if (document === undefined || (await document.save())) return;
      throw new UserFacingError(l10n.t('{0} could not be saved.', path), {
        kept: l10n.t('Your unsaved changes are still in the editor.'),
        next: l10n.t('Save the file yourself, then try again.'),
      });
    },
    discard: async (path) => {
      const document = dirtyDocument(path);
      if (document) await revert(document, path);
    },
  };
}

/** Of a notebook the editor has no document of text: that of its file is the file as it was opened. */
function dirtyDocument(path: string): Open | undefined {
  return [openFile(path), openNotebookFile(path)].find((one) => one?.isDirty === true);
}

/**
 * The editor has a revert for the active editor only: the file is shown for a moment. Keeps the
 * focus where it was, as far as the editor lets it.
 */
async function revert(document: Open, path: string): Promise<void> {
  const before = vscode.window.activeTextEditor;
  if ('cellCount' in document) {
    await revertNotebook(document);
    if (!document.isDirty && !(await hasSameCells(document))) {
      await takeCells(document);
      await revertNotebook(document);
    }
  } else {
    const options = { preview: false, viewColumn: columnOf(document) };
    await vscode.window.showTextDocument(document, options);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await awaitDisk(document, new AbortController().signal);
  }
  if (before && before.document !== document && !before.document.isClosed) {
    await vscode.window.showTextDocument(before.document, before.viewColumn);
  }
  if (!document.isDirty) return;
  throw new UserFacingError(l10n.t('The changes of {0} could not be discarded.', path), {
    kept: l10n.t('Your unsaved changes are still in the editor.'),
    next: l10n.t('Revert the file yourself, then try again.'),
  });
}

/**
 * Just after a change the editor does not revert a notebook: it is asked again, bounded. It may take
 * the mark away and leave the cells as they were typed.
 */
async function revertNotebook(notebook: vscode.NotebookDocument): Promise<void> {
  const deadline = Date.now() + REVERTED_MS;
  const options = { preview: false, viewColumn: columnOf(notebook) };
  const isUnsaved = (): boolean => notebook.isDirty;
  while (isUnsaved() && Date.now() < deadline) {
    // Each time: the person may have gone to another file, which would be reverted.
    await vscode.window.showNotebookDocument(notebook, options);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    if (isUnsaved()) await pause(LOOK_MS, new AbortController().signal);
  }
}

/** Makes the cells those of the file; what is then unsaved is nothing. */
async function takeCells(notebook: vscode.NotebookDocument): Promise<void> {
  const { uri, notebookType, cellCount } = notebook;
  const { cells } = await vscode.commands.executeCommand<vscode.NotebookData>(
    'vscode.executeDataToNotebook',
    notebookType,
    await vscode.workspace.fs.readFile(uri),
  );
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.NotebookRange(0, cellCount);
  edit.set(uri, [vscode.NotebookEdit.replaceCells(all, cells)]);
  const uris = [uri, ...notebook.getCells().map(({ document }) => document.uri)];
  await ownEdits.run(uris, () => vscode.workspace.applyEdit(edit));
}

/** Where the document has a tab already, so that it does not get a second one. */
function columnOf(document: Open): vscode.ViewColumn | undefined {
  const key = document.uri.toString();
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some((tab) => tabUris(tab).some((uri) => uri.toString() === key)),
  )?.viewColumn;
}
