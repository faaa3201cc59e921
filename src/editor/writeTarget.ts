import * as vscode from 'vscode';
import { tryStat } from './fileBytes';
import { candidates, isOpen, withBlanks } from './findFile';
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
  let places: readonly vscode.Uri[] = [];
  for (const some of [withBlanks(text, world), candidates(text, world)]) {
    places = await Promise.all(some.map((uri) => namedInWorkspace(uri, world)));
    const [present, ...more] = await presentOf(places, isUnclear(text));
    if (present && more.length > 0) throw severalMeant([present, ...more]);
    if (present) return present;
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

/** @param all those that are there, not only the first */
async function presentOf(
  places: readonly vscode.Uri[],
  all: boolean,
): Promise<readonly WriteTarget[]> {
  const world = pathWorld();
  const found: WriteTarget[] = [];
  for (const uri of places) {
    if (found.length > 0 && !all) break;
    refuseScheme(uri);
    const stat = await tryStat(uri);
    if (stat === undefined && !isOpen(uri)) continue;
    // Some disks know a name by both of its spellings.
    const name = uri.path.normalize();
    if (found.some((one) => one.uri.path.normalize() === name)) continue;
    const isFolder = stat?.isFolder === true;
    const path = shownPath(uri, world);
    found.push({ uri, path, exists: true, isFolder, ...(stat ? { size: stat.size } : {}) });
  }
  return found;
}

/**
 * The agent may work in any of the folders: what is to be changed is not guessed by their order.
 * @throws ToolProblem for a path that means a file in several folders
 */
export async function refuseSeveral(text: string): Promise<void> {
  for (const reading of [text, text.replace(/(?::\d+){1,2}$/u, '')]) {
    const world = pathWorld();
    const places = isUnclear(reading) ? candidates(reading, world) : [];
    const [first, ...more] = await presentOf(places, true);
    if (first && more.length > 0) throw severalMeant([first, ...more]);
    if (first) return;
  }
}

/** A path below no folder that it names, where there are several. */
function isUnclear(text: string): boolean {
  const world = pathWorld();
  const input = parsePath(text, world);
  if (input.kind !== 'relative' || world.folders.length < 2) return false;
  return input.places.length === world.folders.length;
}

function severalMeant(found: readonly WriteTarget[]): ToolProblem {
  const named = found.slice(0, 3).map(({ path }) => path.slice(-70));
  return new ToolProblem(`Nothing was changed: several files are meant: ${named.join(', ')}`);
}

/** Whether a path says by its end that it is a folder. */
export function namesFolder(text: string): boolean {
  return (process.platform === 'win32' ? /[\\/]\s*$/u : /\/\s*$/u).test(text);
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
