import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type OfferedAction, partsOf } from './askActions';
import { lookAtRules, type ReadGuard } from './readGuard';
import { isInWorkspace, pathWorld } from './servedFiles';
import { type EditParts, writtenUris } from './workspaceEditParts';

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/iu;
const ENDING = /(?:\.d)?\.[^.]+$/u;

/** What an action would change; undefined too where that cannot be seen. */
export function tryParts(action: OfferedAction): EditParts | undefined {
  try {
    return partsOf(action);
  } catch {
    return undefined;
  }
}

/**
 * Those that lead to no file of the workspace that is kept from the model: neither by what they
 * change nor by a module in quotes in their title. An alias of a module is not resolved.
 */
export async function withoutKeptBack(
  offered: readonly OfferedAction[],
  document: vscode.TextDocument,
  guard: ReadGuard | undefined,
): Promise<readonly OfferedAction[]> {
  if (guard === undefined || offered.length === 0) return offered;
  const world = pathWorld();
  const list = lister();
  const folders = foldersOf(document.uri);
  const files = await Promise.all(
    offered.map(async (action) => {
      const written = writtenUris(tryParts(action) ?? { texts: [], operations: [] });
      const named = await Promise.all(
        quoted(action.title).flatMap((module) =>
          (/^\.{1,2}\//u.test(module) ? folders.slice(0, 1) : folders).map((folder) =>
            filesOfModule(folder, module, list),
          ),
        ),
      );
      return [...written, ...named.flat()].filter((uri) => isInWorkspace(uri, world));
    }),
  );
  const denied = await lookAtRules(guard, files.flat());
  return offered.filter((_, index) => files[index]?.every((uri) => denied(uri) === undefined));
}

/** The document's own folder, and those above it up to that of the workspace. */
function foldersOf(uri: vscode.Uri): readonly vscode.Uri[] {
  if (uri.scheme !== 'file') return [];
  const folders: vscode.Uri[] = [];
  const world = pathWorld();
  let folder = vscode.Uri.joinPath(uri, '..');
  while (isInWorkspace(folder, world) && folder.path !== folders.at(-1)?.path) {
    folders.push(folder);
    folder = vscode.Uri.joinPath(folder, '..');
  }
  return folders;
}

function quoted(title: string): readonly string[] {
  return [...title.matchAll(/(["'`])(.+?)\1/gu)].map(([, , text = '']) => text);
}

type List = (folder: vscode.Uri) => Promise<readonly string[]>;

/** Names in a folder, looked at once. */
function lister(): List {
  const known = new Map<string, Promise<readonly string[]>>();
  return (folder) => {
    const names = known.get(folder.path) ?? readdir(folder.fsPath).catch(() => []);
    known.set(folder.path, names);
    return names;
  };
}

/** Files that a module may mean, without an ending or with another one as it may be. */
async function filesOfModule(
  base: vscode.Uri,
  module: string,
  list: List,
): Promise<readonly vscode.Uri[]> {
  const place = vscode.Uri.joinPath(base, module);
  const folder = vscode.Uri.joinPath(place, '..');
  const name = place.path.slice(place.path.lastIndexOf('/') + 1);
  const stems = new Set([name, ...(SCRIPT.test(name) ? [name.replace(ENDING, '')] : [])]);
  const names = await list(folder);
  const inside = names.includes(name) ? await list(place) : [];
  const found = [
    ...names
      .filter((one) => one === name || stems.has(one.replace(ENDING, '')))
      .map((one) => vscode.Uri.joinPath(folder, one)),
    ...inside
      .filter((one) => one.replace(ENDING, '') === 'index')
      .map((one) => vscode.Uri.joinPath(place, one)),
  ];
  const scripts = found.filter(({ path }) => SCRIPT.test(path));
  return scripts.length > 0 ? scripts : found;
}
