import * as vscode from 'vscode';
import { fileId } from './fileBytes';
import type { FoundFile } from './findFile';
import { findOpen } from './openFile';
import { type ReadGuard, refuseDenied } from './readGuard';
import { followLinks, shownPath } from './servedFiles';

/**
 * The document with unsaved text that is the same file under another name, such as that to which a
 * link leads; undefined where there is none.
 */
export async function unsavedTwin(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const key = uri.toString();
  const others = vscode.workspace.textDocuments.filter(
    (one) => one.isDirty && one.uri.scheme === 'file' && one.uri.toString() !== key,
  );
  if (others.length === 0) return undefined;
  const id = await fileId(uri);
  if (id === undefined) return undefined;
  for (const other of others) if ((await fileId(other.uri)) === id) return other;
  return undefined;
}

/**
 * A file by that of its names under which the person has typed in it; as it is given where that is
 * none. Otherwise the text on disk would pass for what they see.
 * @throws ToolProblem where it is kept from the model by any of both
 */
export async function asTyped(file: FoundFile, guard: ReadGuard | undefined): Promise<FoundFile> {
  const twin = findOpen(file.uri)?.isDirty === true ? undefined : await unsavedTwin(file.uri);
  if (twin === undefined) return file;
  await refuseDenied(guard, file);
  const typed = { ...file, uri: twin.uri, path: shownPath(twin.uri) };
  await refuseDenied(guard, typed);
  return typed;
}

/** A folder as it is named and, where links lead elsewhere in the workspace, as it is named there. */
export async function bothNames(uri: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const real = await followLinks(uri);
  return real === undefined || real.toString() === uri.toString() ? [uri] : [uri, real];
}
