import * as vscode from 'vscode';

/**
 * The documents that a tab shows: one for a text tab, two for a diff, more for a merge or a diff of
 * several files; none for other kinds.
 */
export function tabUris(tab: vscode.Tab): readonly vscode.Uri[] {
  const { input } = tab;
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) return [input.modified, input.original];
  if (input instanceof vscode.TabInputNotebook) return [input.uri];
  if (input instanceof vscode.TabInputNotebookDiff) return [input.modified, input.original];
  if (input instanceof vscode.TabInputCustom) return [input.uri];
  // Of a merge the result comes last, and beside it older states.
  const uris = [...urisWithin(input)];
  return uris.sort((a, b) => Number(b.scheme === 'file') - Number(a.scheme === 'file'));
}

/**
 * Kinds that the stable API does not name are handed over all the same (merge, diff of several
 * files, interactive window): their URIs stand in fields, or in lists of diffs.
 */
function urisWithin(value: unknown): readonly vscode.Uri[] {
  if (value instanceof vscode.Uri) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((part: unknown) =>
    Array.isArray(part) ? part.flatMap(urisWithin) : part instanceof vscode.Uri ? [part] : [],
  );
}

/** The URIs, as text, of all documents that some tab shows. */
export function shownDocuments(): ReadonlyMap<string, vscode.Uri> {
  const uris = vscode.window.tabGroups.all.flatMap((group) => group.tabs.flatMap(tabUris));
  return new Map(uris.map((uri) => [uri.toString(), uri]));
}
