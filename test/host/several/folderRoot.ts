import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Where the folder of the window lies, absolute. @param index from 0, in the order of the window */
export function folderRoot(index: number): string {
  const folder = vscode.workspace.workspaceFolders?.[index];
  assert.ok(folder);
  return folder.uri.fsPath;
}
