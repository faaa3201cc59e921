import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type FileStatus, isAnything, tryStat } from './fileBytes';
import { unknownPath } from './nearestFiles';
import {
  parsePath,
  type PathWorld,
  readRelative,
  readWithBlanks,
  type RelativePlace,
  spellings,
} from './pathDisplay';
import { refuseOdd } from './plainFile';
import { lookAtRules, type ReadGuard, refuseIfDenied } from './readGuard';
import {
  isInWorkspace,
  linksStayInWorkspace,
  namedInWorkspace,
  pathWorld,
  shownPath,
} from './servedFiles';
import { ToolProblem } from './toolProblem';

export interface FoundFile {
  readonly uri: vscode.Uri;
  /** The path as the model sees it. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Bytes on disk; undefined for what is not on disk. */
  readonly size?: number;
}

/**
 * Finds what the model means by a path: relative to a workspace folder, `folder/path`, absolute,
 * or a URI; `path:line` and `path:line:col` are taken too. Nothing outside the workspace.
 * @throws ToolProblem for an unknown path (with the three nearest names), and for what is not served
 */
export async function findFile(text: string, guard: ReadGuard | undefined): Promise<FoundFile> {
  return find(text, guard, () => Promise.resolve(() => undefined));
}

/**
 * The same of a file that something is to be told of. All that is asked about it is asked side by side:
 * each question to the disk is a turn of an event loop that may be busy.
 * @param beside what is to be done with a file at that place meanwhile
 * @throws ToolProblem for a file that is kept from the model as well
 */
export async function findServed(
  text: string,
  guard: ReadGuard | undefined,
  beside?: (uri: vscode.Uri) => Promise<unknown>,
): Promise<FoundFile> {
  return find(text, guard, async (uri) => {
    const [denied] = await Promise.all([lookAtRules(guard, [uri]), beside?.(uri)]);
    return (file) => refuseIfDenied(denied, file);
  });
}

/** @param judge asked about each place where the file may lie; its answer may refuse what lies there */
async function find(
  text: string,
  guard: ReadGuard | undefined,
  judge: (uri: vscode.Uri) => Promise<(file: FoundFile) => void>,
): Promise<FoundFile> {
  const world = pathWorld();
  let refused: ToolProblem | undefined;
  const bare = text.replace(/(?::\d+){1,2}$/u, '');
  for (const reading of new Set([text, bare])) {
    for (const given of [...withBlanks(reading, world), ...candidates(reading, world)]) {
      const uri = await namedInWorkspace(given, world);
      if (!isInWorkspace(uri, world)) {
        refused ??= outside(uri, world);
        continue;
      }
      // Files with a place in their names are rare: nothing else is asked about one that is not there.
      if (reading !== bare && !isOpen(uri) && !(await isAnything(uri))) continue;
      const [stat, isInside, refuse] = await Promise.all([
        tryStat(uri),
        linksStayInWorkspace(uri),
        judge(uri),
      ]);
      if (stat === undefined && !isOpen(uri)) continue;
      const found = foundFile(uri, stat, world);
      if (!isInside) throw linksOut(found);
      refuse(found);
      // Last: what kind of thing it is tells of it too.
      if (uri.scheme === 'file') refuseOdd(stat, found.path);
      return found;
    }
  }
  throw refused ?? (await unknownPath(text, world, guard));
}

function foundFile(uri: vscode.Uri, stat: FileStatus | undefined, world: PathWorld): FoundFile {
  return {
    uri,
    path: shownPath(uri, world),
    isFolder: stat?.isFolder === true,
    ...(stat ? { size: stat.size } : {}),
  };
}

/** Where a path may lie, in the order in which it is looked for; each file by one URI only. */
export function candidates(text: string, world: PathWorld): readonly vscode.Uri[] {
  return spellings(text).flatMap((one) => placesOf(one, world));
}

/** A name may begin or end with a blank. None where the text does not: blanks are mostly a slip. */
export function withBlanks(text: string, world: PathWorld): readonly vscode.Uri[] {
  const trimmed = text.trim();
  if (trimmed === text || trimmed === '' || world.platform === 'win32') return [];
  return text.startsWith('/')
    ? [plainFile(vscode.Uri.file(oneSlash(text, world)))]
    : inFolders(readWithBlanks(text, world));
}

function placesOf(text: string, world: PathWorld): readonly vscode.Uri[] {
  const input = parsePath(text, world);
  switch (input.kind) {
    case 'uri':
      return [...namedLike(input.uri, world), parseUri(input.uri)];
    case 'absolute':
      return [plainFile(vscode.Uri.file(oneSlash(input.path, world)))];
    case 'relative':
      return inFolders(input.places);
  }
}

/** Two slashes begin the name of another machine, on Windows only. */
function oneSlash(path: string, { platform }: PathWorld): string {
  return platform === 'win32' ? path : path.replace(/^\/+/u, '/');
}

/**
 * Without `.`, `..`, double slashes and a slash at the end; and without `#L10` and the like, with
 * which it would be another document than the one that is open.
 */
function plainFile(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== 'file') return uri;
  const path = posix.normalize(uri.path).replace(/(?<=[^:/])\/$/u, '');
  return uri.with({ path, query: '', fragment: '' });
}

function inFolders(places: readonly RelativePlace[]): readonly vscode.Uri[] {
  return places.flatMap(({ folder, path }) => {
    const root = vscode.workspace.workspaceFolders?.[folder];
    return root ? [vscode.Uri.joinPath(root.uri, path)] : [];
  });
}

/** Files in whose names a colon stands, such as `note:a.txt`; Windows has none. */
function namedLike(uri: string, world: PathWorld): readonly vscode.Uri[] {
  const isPlain = uri.includes('://') || world.platform === 'win32';
  return isPlain ? [] : inFolders(readRelative(uri, world));
}

function parseUri(text: string): vscode.Uri {
  try {
    return plainFile(vscode.Uri.parse(text, true));
  } catch (cause) {
    throw new ToolProblem(`Not a path or URI: ${text}`, { cause });
  }
}

function linksOut({ path }: FoundFile): ToolProblem {
  return new ToolProblem(`Not served without asking: ${path} is a link out of the workspace`);
}

function outside(uri: vscode.Uri, world: PathWorld): ToolProblem {
  const path = shownPath(uri, world);
  if (uri.scheme === 'file') {
    const folder = world.folders.length === 0 ? 'no folder is open, so it' : 'it';
    return new ToolProblem(
      `Not served without asking: ${folder} is outside the workspace. Read may ask for it. ${path}`,
    );
  }
  return new ToolProblem(
    `Not served: '${uri.scheme}' documents are not files of the workspace. Give a file's path. ${path}`,
  );
}

export function isOpen(uri: vscode.Uri): boolean {
  const key = uri.toString();
  const { textDocuments, notebookDocuments } = vscode.workspace;
  return [...textDocuments, ...notebookDocuments].some(({ uri: open }) => open.toString() === key);
}
