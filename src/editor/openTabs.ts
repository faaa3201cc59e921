import * as vscode from 'vscode';

/** The documents that a tab shows: one for a text tab, two for a diff, none for other kinds. */
export function tabUris(tab: vscode.Tab): readonly vscode.Uri[] {
  const { input } = tab;
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) return [input.modified, input.original];
  if (input instanceof vscode.TabInputNotebook) return [input.uri];
  if (input instanceof vscode.TabInputCustom) return [input.uri];
  return [];
}

/** The URIs, as text, of all documents that some tab shows. */
export function shownDocuments(): ReadonlyMap<string, vscode.Uri> {
  const uris = vscode.window.tabGroups.all.flatMap((group) => group.tabs.flatMap(tabUris));
  return new Map(uris.map((uri) => [uri.toString(), uri]));
}
