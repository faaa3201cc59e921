import type * as vscode from 'vscode';

/** A file or folder that has another name now. */
export interface Renamed {
  readonly oldUri: vscode.Uri;
  readonly newUri: vscode.Uri;
}

/** The new name of a document, also of one in a renamed folder and of a notebook's cell. */
export function movedTo(uri: vscode.Uri, files: readonly Renamed[]): vscode.Uri | undefined {
  for (const { oldUri, newUri } of files) {
    if (uri.scheme !== oldUri.scheme && !isCell(uri)) continue;
    if (uri.path === oldUri.path) return uri.with({ path: newUri.path });
    const below = `${oldUri.path}/`;
    if (uri.path.startsWith(below)) {
      return uri.with({ path: `${newUri.path}/${uri.path.slice(below.length)}` });
    }
  }
  return undefined;
}

/** A cell turns unsaved with its notebook, and one that is read again is another document. */
export function isCell({ scheme }: vscode.Uri): boolean {
  return scheme === 'vscode-notebook-cell';
}
