import {
  TabInputCustom,
  TabInputNotebook,
  TabInputText,
  TabInputTextDiff,
  type Uri,
  window,
  workspace,
} from 'vscode';
import type { WorkingFolder } from './conversationPlace';

/**
 * The workspace folder of what the person looks at, else the first one on a disk.
 * @param editor the document of the text editor used last
 */
export function pickWorkingFolder(editor: Uri | undefined): WorkingFolder {
  const uri = activeUri(editor);
  const active = uri && workspace.getWorkspaceFolder(uri);
  const folder = [active, ...(workspace.workspaceFolders ?? [])].find(
    (candidate) => candidate?.uri.scheme === 'file',
  );
  return folder && { name: folder.name, path: folder.uri.fsPath };
}

/** Absolute paths of all workspace folders on a disk. */
export function workspaceRoots(): readonly string[] {
  return workspaceFolders().map(({ path }) => path);
}

/** All workspace folders on a disk. */
export function workspaceFolders(): readonly { readonly name: string; readonly path: string }[] {
  return (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** Whether the workspace has folders, and none of them is on a disk. */
export function isVirtualWorkspace(): boolean {
  const folders = workspace.workspaceFolders ?? [];
  return folders.length > 0 && folders.every((folder) => folder.uri.scheme !== 'file');
}

/** An image or a notebook is no text editor: then what the tabs show counts. */
function activeUri(editor: Uri | undefined): Uri | undefined {
  if (editor?.scheme === 'file') return editor;
  const { activeTabGroup, all } = window.tabGroups;
  return [activeTabGroup, ...all]
    .map((group) => uriOfTab(group.activeTab?.input))
    .find((uri) => uri?.scheme === 'file');
}

function uriOfTab(input: unknown): Uri | undefined {
  if (
    input instanceof TabInputText ||
    input instanceof TabInputCustom ||
    input instanceof TabInputNotebook
  ) {
    return input.uri;
  }
  return input instanceof TabInputTextDiff ? input.modified : undefined;
}
