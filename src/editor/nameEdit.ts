import * as vscode from 'vscode';
import { nameInWorkspace } from './servedFiles';
import { type EditParts, readWorkspaceEdit, writtenUris } from './workspaceEditParts';

/**
 * The same edit with the texts by their names in the workspace, where a folder of that is a link and a
 * server names files by where it leads: the documents that are open, and the rules, have those names.
 * One that does more than change texts stays as it is.
 */
export async function nameEdit(edit: vscode.WorkspaceEdit): Promise<vscode.WorkspaceEdit> {
  const parts = readWorkspaceEdit(edit);
  const uris = writtenUris(parts);
  const nameOf = await nameInWorkspace(uris);
  if (parts.operations.length > 0 || uris.every((uri) => nameOf(uri) === uri)) return edit;
  const named = new vscode.WorkspaceEdit();
  for (const [uri, edits] of namedTexts(parts, nameOf)) named.set(uri, edits);
  return named;
}

/** What a server says twice of one file, by both of its names, is done once. */
function namedTexts(
  { texts }: EditParts,
  nameOf: (uri: vscode.Uri) => vscode.Uri,
): Iterable<readonly [vscode.Uri, vscode.TextEdit[]]> {
  const byName = new Map<string, readonly [vscode.Uri, vscode.TextEdit[]]>();
  for (const [given, edits] of texts) {
    const uri = nameOf(given);
    const [, known = []] = byName.get(uri.toString()) ?? [];
    const isNew = (edit: vscode.TextEdit): boolean =>
      !known.some(({ range, newText }) => range.isEqual(edit.range) && newText === edit.newText);
    byName.set(uri.toString(), [uri, [...known, ...edits.filter(isNew)]]);
  }
  return byName.values();
}
