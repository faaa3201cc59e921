import * as vscode from 'vscode';
import { UserFacingError } from '../base/errors';
import * as l10n from '@vscode/l10n';
import { openFile } from './openFile';
import { tabUris } from './openTabs';
import { awaitDisk } from './diskState';

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

export function createDirtyBuffers(): DirtyBuffers {
  return {
    isDirty: (path) => openFile(path)?.isDirty === true,
    dirtyFiles: () =>
      vscode.workspace.textDocuments
        .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
        .map(({ uri }) => uri.fsPath),
    save: async (path) => {
      const document = openFile(path);
      if (!document?.isDirty) return;
      if (await document.save()) return;
      throw new UserFacingError(l10n.t('{0} could not be saved.', path), {
        kept: l10n.t('Your unsaved changes are still in the editor.'),
        next: l10n.t('Save the file yourself, then try again.'),
      });
    },
    discard: async (path) => {
      const document = openFile(path);
      if (document?.isDirty) await revert(document, path);
    },
  };
}

/**
 * The editor has a revert for the active editor only: the file is shown for a moment. Keeps the
 * focus where it was, as far as the editor lets it.
 */
async function revert(document: vscode.TextDocument, path: string): Promise<void> {
  const before = vscode.window.activeTextEditor;
  await vscode.window.showTextDocument(document, {
    preview: false,
    viewColumn: columnOf(document),
  });
  await vscode.commands.executeCommand('workbench.action.files.revert');
  if (before && before.document !== document && !before.document.isClosed) {
    await vscode.window.showTextDocument(before.document, before.viewColumn);
  }
  // The old text may still be on its way out when the command has ended.
  await awaitDisk(document, new AbortController().signal);
  if (!document.isDirty) return;
  throw new UserFacingError(l10n.t('The changes of {0} could not be discarded.', path), {
    kept: l10n.t('Your unsaved changes are still in the editor.'),
    next: l10n.t('Revert the file yourself, then try again.'),
  });
}

/** Where the document has a tab already, so that it does not get a second one. */
function columnOf(document: vscode.TextDocument): vscode.ViewColumn | undefined {
  const key = document.uri.toString();
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some((tab) => tabUris(tab).some((uri) => uri.toString() === key)),
  )?.viewColumn;
}
