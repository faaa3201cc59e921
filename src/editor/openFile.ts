import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { uriKey } from '../rules/pathShape';

/**
 * The document of a file where the editor has it open, by whichever of its names.
 * @param path of this machine; none is open by a relative one
 */
export function openFile(path: string): vscode.TextDocument | undefined {
  if (!isAbsolute(path)) return undefined;
  const key = keyOf(vscode.Uri.file(path));
  return vscode.workspace.textDocuments.find(({ uri }) => keyOf(uri) === key);
}

/** The same of a notebook. */
export function openNotebookFile(path: string): vscode.NotebookDocument | undefined {
  if (!isAbsolute(path)) return undefined;
  const key = keyOf(vscode.Uri.file(path));
  return vscode.workspace.notebookDocuments.find(({ uri }) => keyOf(uri) === key);
}

/** The document of just this URI where the editor has it open. */
export function findOpen(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((open) => open.uri.toString() === key);
}

/** The same of a notebook. */
export function findOpenNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.notebookDocuments.find((open) => open.uri.toString() === key);
}

function keyOf(uri: vscode.Uri): string {
  return uriKey(uri, process.platform);
}
