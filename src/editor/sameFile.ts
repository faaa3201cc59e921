import * as vscode from 'vscode';
import { fileId } from './fileBytes';
import type { FoundFile } from './findFile';
import { findOpen } from './openFile';
import { type ReadGuard, refuseDenied } from './readGuard';
import { followLinks, shownPath } from './servedFiles';

/** Documents with unsaved text, by what tells a file from all others. */
export type UnsavedFiles = ReadonlyMap<string, readonly vscode.TextDocument[]>;

export async function unsavedFiles(): Promise<UnsavedFiles> {
  const found = new Map<string, vscode.TextDocument[]>();
  for (const document of vscode.workspace.textDocuments) {
    const { uri, isDirty } = document;
    const id = isDirty && uri.scheme === 'file' ? await fileId(uri) : undefined;
    if (id !== undefined) found.set(id, [...(found.get(id) ?? []), document]);
  }
  return found;
}

/**
 * The document with unsaved text that is the same file under another name, such as that to which a
 * link leads; undefined where there is none.
 */
export async function unsavedTwin(
  uri: vscode.Uri,
  unsaved: UnsavedFiles,
): Promise<vscode.TextDocument | undefined> {
  const id = uri.scheme === 'file' && unsaved.size > 0 ? await fileId(uri) : undefined;
  const key = uri.toString();
  return unsaved.get(id ?? '')?.find((one) => one.uri.toString() !== key);
}

/**
 * A file by that of its names under which the person has typed in it; as it is given where that is
 * none. Otherwise the text on disk would pass for what they see.
 * @throws ToolProblem where it is kept from the model by any of both
 */
export async function asTyped(file: FoundFile, guard: ReadGuard | undefined): Promise<FoundFile> {
  if (findOpen(file.uri)?.isDirty === true) return file;
  const twin = await unsavedTwin(file.uri, await unsavedFiles());
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
