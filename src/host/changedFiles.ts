import { workspace } from 'vscode';
import { Emitter } from '../base/event';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { ChangedFilesPort } from '../conversation/changeDesk';
import { editorHand } from '../editor/editorHand';
import type { ChangeFolders } from './changeFolders';

/** The person's files, for whoever keeps track of what the agent changes. */
export function createChangedFiles(folders: ChangeFolders): ChangedFilesPort & Disposable {
  const store = new DisposableStore();
  const moved = store.add(new Emitter<readonly { from: string; to: string }[]>());
  store.add(
    workspace.onDidRenameFiles(({ files }) => {
      const local = files.filter(
        ({ oldUri, newUri }) => oldUri.scheme === 'file' && newUri.scheme === 'file',
      );
      moved.fire(local.map(({ oldUri, newUri }) => ({ from: oldUri.fsPath, to: newUri.fsPath })));
    }),
  );
  return {
    hand: editorHand,
    onDidMove: moved.event,
    folderOf: (sessionId) => folders.folderOf(sessionId),
    dispose: () => store.dispose(),
  };
}
