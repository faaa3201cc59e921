import * as vscode from 'vscode';
import { tryStat } from './fileBytes';
import { nearestNames, parsePath, type PathWorld } from './pathDisplay';
import { isInWorkspace, linksStayInWorkspace, pathWorld, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';

export interface FoundFile {
  readonly uri: vscode.Uri;
  /** The path as the model sees it. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Bytes on disk; undefined for what is not on disk. */
  readonly size?: number;
}

const LISTED_FILES = 3_000;
const LISTING_MS = 1_500;

/**
 * Finds what the model means by a path: relative to a workspace folder, `folder/path`, absolute,
 * or a URI; `path:line` and `path:line:col` are taken too. Nothing outside the workspace.
 * @throws ToolProblem for an unknown path (with the three nearest names), and for what is not served
 */
export async function findFile(text: string): Promise<FoundFile> {
  const world = pathWorld();
  const found =
    (await lookUp(text, world)) ?? (await lookUp(text.replace(/(?::\d+){1,2}$/u, ''), world));
  if (found) {
    if (await linksStayInWorkspace(found.uri)) return found;
    throw new ToolProblem(
      `Not served without asking: ${found.path} is a link out of the workspace`,
    );
  }
  throw await unknownPath(text, world);
}

async function lookUp(text: string, world: PathWorld): Promise<FoundFile | undefined> {
  for (const uri of candidates(text, world)) {
    if (!isInWorkspace(uri, world)) throw outside(uri, world);
    const stat = await tryStat(uri);
    if (stat === undefined && !isOpen(uri)) continue;
    return {
      uri,
      path: shownPath(uri, world),
      isFolder: stat?.isFolder === true,
      ...(stat ? { size: stat.size } : {}),
    };
  }
  return undefined;
}

/** Where a path may lie, in the order in which it is looked for. */
export function candidates(text: string, world: PathWorld): readonly vscode.Uri[] {
  const input = parsePath(text, world);
  switch (input.kind) {
    case 'uri':
      return [parseUri(input.uri)];
    case 'absolute':
      return [vscode.Uri.file(input.path)];
    case 'relative':
      return input.places.flatMap(({ folder, path }) => {
        const root = vscode.workspace.workspaceFolders?.[folder];
        return root ? [vscode.Uri.joinPath(root.uri, path)] : [];
      });
  }
}

function parseUri(text: string): vscode.Uri {
  try {
    return vscode.Uri.parse(text, true);
  } catch (cause) {
    throw new ToolProblem(`Not a path or URI: ${text}`, { cause });
  }
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

/** Names the files that are most like it. */
export async function unknownPath(text: string, world: PathWorld): Promise<ToolProblem> {
  if (world.folders.length === 0) {
    return new ToolProblem(
      `No such file: ${text.slice(0, 80)}. No folder is open: there are only the documents that open_editors lists`,
    );
  }
  const names = nearestNames(text, await knownFiles(world));
  const nearest =
    names.length > 0 ? ` Nearest: ${names.join(', ')}` : ' The workspace has no files';
  return new ToolProblem(`No such file: ${text.slice(0, 80)}.${nearest}`);
}

async function knownFiles(world: PathWorld): Promise<readonly string[]> {
  const source = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => source.cancel(), LISTING_MS);
  try {
    const files = await vscode.workspace.findFiles(
      '**/*',
      '**/{node_modules,.git}/**',
      LISTED_FILES,
      source.token,
    );
    return files.map((uri) => shownPath(uri, world));
  } finally {
    clearTimeout(timer);
    source.dispose();
  }
}

export function isOpen(uri: vscode.Uri): boolean {
  const key = uri.toString();
  const { textDocuments, notebookDocuments } = vscode.workspace;
  return [...textDocuments, ...notebookDocuments].some(({ uri: open }) => open.toString() === key);
}
