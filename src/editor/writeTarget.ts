import * as vscode from 'vscode';
import { tryStat } from './fileBytes';
import { candidates, isOpen } from './findFile';
import { unknownPath } from './nearestFiles';
import { parsePath } from './pathDisplay';
import type { ReadGuard } from './readGuard';
import { isInWorkspace, namedInWorkspace, pathWorld, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';

/** A file that a call would write. It may lie outside the workspace: the permission policy judges that. */
export interface WriteTarget {
  readonly uri: vscode.Uri;
  /** The path as the model sees it. */
  readonly path: string;
  /** On disk, or open in the editor. */
  readonly exists: boolean;
  readonly isFolder: boolean;
  /** Bytes on disk; undefined for what is not on disk. */
  readonly size?: number;
}

/**
 * What the model means by a path that it wants written.
 * @throws ToolProblem for documents that cannot be written, and for a new file of an unclear folder
 */
export async function findTarget(text: string): Promise<WriteTarget> {
  const world = pathWorld();
  const places = await Promise.all(
    candidates(text, world).map((uri) => namedInWorkspace(uri, world)),
  );
  for (const uri of places) {
    refuseScheme(uri);
    const stat = await tryStat(uri);
    if (stat === undefined && !isOpen(uri)) continue;
    const isFolder = stat?.isFolder === true;
    const path = shownPath(uri, world);
    return { uri, path, exists: true, isFolder, ...(stat ? { size: stat.size } : {}) };
  }
  const [uri, ...others] = newPlaces(text, places);
  if (uri === undefined) throw new ToolProblem('No folder is open: give an absolute path');
  if (others.length > 0) {
    throw new ToolProblem(
      `No such file, and several folders are open: begin the path with its folder. ${text}`,
    );
  }
  return { uri, path: shownPath(uri, world), exists: false, isFolder: false };
}

/** @throws ToolProblem with the nearest names where there is no such file */
export async function requireTarget(
  text: string,
  guard: ReadGuard | undefined,
): Promise<WriteTarget> {
  const target = await findTarget(text);
  if (target.exists) return target;
  throw await unknownPath(text, pathWorld(), guard);
}

/** The path on disk, for the permission policy; undefined for what is not on disk. */
export function diskPath({ uri }: Pick<WriteTarget, 'uri'>): string | undefined {
  return uri.scheme === 'file' ? uri.fsPath : undefined;
}

/** A path that begins with the name of a folder means that folder, where there are several. */
function newPlaces(text: string, places: readonly vscode.Uri[]): readonly vscode.Uri[] {
  const world = pathWorld();
  const input = parsePath(text, world);
  // What looks like a URI is one where no file has such a name.
  if (input.kind === 'uri') return places.slice(-1);
  if (input.kind !== 'relative' || world.folders.length < 2) return places.slice(0, 1);
  const named = input.places.length > world.folders.length;
  return named ? places.slice(0, 1) : places;
}

function refuseScheme(uri: vscode.Uri): void {
  const { scheme } = uri;
  if (scheme === 'file' || scheme === 'untitled') return;
  if (scheme === 'vscode-notebook-cell') {
    throw new ToolProblem('A cell of a notebook: change it with edit_cell of the server notebook');
  }
  const isWritable = vscode.workspace.fs.isWritableFileSystem(scheme) === true;
  if (isWritable && isInWorkspace(uri)) return;
  throw new ToolProblem(
    `Not written: '${scheme}' documents are read-only, or no files of the workspace. ${uri.toString()}`,
  );
}
