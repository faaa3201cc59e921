import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { createExclude, type PathTest } from './excludedPaths';
import { resolveRealPath } from '../workFiles/realPath';
import { displayPath, type PathWorld, relativePlace } from './pathDisplay';

/** The workspace folders and the platform as they are now. */
export function pathWorld(): PathWorld {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    name,
    scheme: uri.scheme,
    authority: uri.authority,
    path: uri.path,
  }));
  const { platform } = process;
  return { folders, platform: platform === 'win32' || platform === 'darwin' ? platform : 'linux' };
}

/** The path as the model sees it (see `displayPath`); a URI for other schemes. */
export function shownPath(uri: vscode.Uri, world: PathWorld = pathWorld()): string {
  return displayPath(uri, world) ?? uri.toString();
}

/** Whether a URI lies in the workspace by its name: unsaved documents and notebook cells count. */
export function isInWorkspace(uri: vscode.Uri, world: PathWorld = pathWorld()): boolean {
  if (uri.scheme === 'untitled') return true;
  return relativePlace(holderOf(uri), world) !== undefined;
}

/**
 * The file that a document is part of: of a cell the notebook. A cell's path is that of its
 * notebook, but in a remote window its authority is that of the window.
 */
export function holderOf(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== 'vscode-notebook-cell') return uri;
  const notebook = vscode.workspace.notebookDocuments.find((one) => one.uri.path === uri.path);
  return notebook?.uri ?? uri.with({ scheme: 'file', authority: '', fragment: '' });
}

/**
 * What a file is called in the workspace once its links are followed; undefined where they lead out
 * of it. A missing file has none.
 */
export async function followLinks(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (uri.scheme !== 'file') return uri;
  const target = await tryRealPath(uri);
  // Where no part of the path is a link, the folder is none either, and it lies where it seems to.
  const isPlain = target === undefined || (target.path === uri.path && isInWorkspace(uri));
  return isPlain ? uri : placeBehindLinks(target);
}

/** What a real path is called in the workspace. */
async function placeBehindLinks(target: vscode.Uri): Promise<vscode.Uri | undefined> {
  const named = vscode.workspace.workspaceFolders ?? [];
  const folders = await Promise.all(
    named.map(async (folder) => ({
      name: folder.name,
      ...parts((await tryRealPath(folder.uri)) ?? folder.uri),
    })),
  );
  const place = relativePlace(target, { ...pathWorld(), folders });
  const folder = place && named[place.folder];
  return folder && vscode.Uri.joinPath(folder.uri, place.path);
}

/**
 * A file by its name in the workspace, where a folder of that is a link and the file is named by where
 * that leads, as the CLI does. As it is given where that is not so; it need not be there.
 */
export async function namedInWorkspace(
  uri: vscode.Uri,
  world: PathWorld = pathWorld(),
): Promise<vscode.Uri> {
  if (uri.scheme !== 'file' || isInWorkspace(uri, world)) return uri;
  const real = vscode.Uri.file(await resolveRealPath(uri.fsPath));
  return (await placeBehindLinks(real)) ?? uri;
}

/**
 * Puts under its name in the workspace what a language server names by the place to which a folder of
 * that leads, as many do.
 * @param uris where it is asked about these only: of those that have such a name nothing is looked up
 */
export async function nameInWorkspace(
  uris?: readonly vscode.Uri[],
): Promise<(uri: vscode.Uri) => vscode.Uri> {
  const world = pathWorld();
  if (uris?.every((uri) => isInWorkspace(uri, world)) === true) return (uri) => uri;
  const named = vscode.workspace.workspaceFolders ?? [];
  const real = await Promise.all(named.map(({ uri }) => tryRealPath(uri)));
  const isLinked = named.some(({ uri }, index) => (real[index] ?? uri).path !== uri.path);
  if (!isLinked) return (uri) => uri;
  const behind = {
    ...world,
    folders: named.map(({ uri, name }, index) => ({ name, ...parts(real[index] ?? uri) })),
  };
  return (uri) => {
    const place = isInWorkspace(uri, world) ? undefined : relativePlace(uri, behind);
    const folder = place && named[place.folder];
    return folder ? vscode.Uri.joinPath(folder.uri, place.path) : uri;
  };
}

export async function linksStayInWorkspace(uri: vscode.Uri): Promise<boolean> {
  return (await followLinks(uri)) !== undefined;
}

/** Tests a file against `files.exclude` and `search.exclude` of its folder. */
export function excludedFiles(world: PathWorld = pathWorld()): (uri: vscode.Uri) => boolean {
  const tests = new Map<number, PathTest>();
  return (uri) => {
    const place = relativePlace(uri, world);
    if (place === undefined) return false;
    let test = tests.get(place.folder);
    if (test === undefined) {
      test = excludeTest(excludeGlobs(vscode.workspace.workspaceFolders?.[place.folder]?.uri));
      tests.set(place.folder, test);
    }
    return test(place.path);
  };
}

/** By their globs, those that were made last: one for each folder of a window, as long as no setting changes. */
const excludeTests = new Map<string, PathTest>();
const KEPT_TESTS = 50;

function excludeTest(globs: readonly string[]): PathTest {
  const key = JSON.stringify(globs);
  let test = excludeTests.get(key);
  if (test === undefined) {
    if (excludeTests.size >= KEPT_TESTS) excludeTests.clear();
    test = createExclude(globs);
    excludeTests.set(key, test);
  }
  return test;
}

function excludeGlobs(folder: vscode.Uri | undefined): readonly string[] {
  return ['files', 'search'].flatMap((section) => {
    const value: unknown = vscode.workspace.getConfiguration(section, folder).get('exclude');
    if (typeof value !== 'object' || value === null) return [];
    // A value may also be `{ when: … }`, which depends on siblings: those are not excluded here.
    return Object.entries(value).flatMap(([glob, on]) => (on === true ? [glob] : []));
  });
}

async function tryRealPath(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  try {
    return vscode.Uri.file(await realpath(uri.fsPath));
  } catch {
    return undefined;
  }
}

function parts({
  scheme,
  authority,
  path,
}: vscode.Uri): Pick<vscode.Uri, 'scheme' | 'authority' | 'path'> {
  return { scheme, authority, path };
}
