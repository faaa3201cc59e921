import * as vscode from 'vscode';
import { boundedCall, pause } from './boundedCall';
import { awaitDisk } from './diskState';
import {
  type AskBounds,
  askOutline,
  isSymbolInformation,
  type OutlineNode,
  RETRY_MS,
} from './documentOutline';
import type { FoundFile } from './findFile';
import type { SymbolPlace } from './formatSymbols';
import { openDocument } from './openDocument';
import { lookAtRules, type ReadGuard } from './readGuard';
import { excludedFiles, isInWorkspace, nameInWorkspace, pathWorld, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';
import { whySilent } from './whySilent';

/** Once a provider has found something, an empty answer is an answer. */
let workspaceAnswered = false;

type FoundSymbol = Pick<vscode.SymbolInformation, 'name' | 'kind' | 'containerName'> & {
  readonly location: { readonly uri: vscode.Uri; readonly range: vscode.Range | undefined };
};

export interface FoundSymbols {
  readonly symbols: readonly SymbolPlace[];
  /** Where they are, in the same order. */
  readonly uris: readonly vscode.Uri[];
  /** Hits in files that are not served, such as type files of libraries. */
  readonly outside: number;
  /** Hits in files that the workspace's settings exclude. */
  readonly excluded: number;
  /** Hits in files that a rule forbids reading. */
  readonly denied: number;
  /** Says that there may be more; none where these are all. */
  readonly notes: readonly string[];
}

/** TypeScript's server gives no more hits than this, and does not say that it has cut them. */
const MOST_HITS = 256;

/** @throws ToolProblem when nothing is found, no provider answers, or one fails */
export async function findSymbols(
  query: string,
  nearness: (uri: vscode.Uri) => number,
  bounds: AskBounds,
  guard?: ReadGuard,
): Promise<FoundSymbols> {
  let found = await askWorkspace(query, bounds);
  if (found.length === 0) await wakeServer();
  const tries = workspaceAnswered ? RETRY_MS.slice(0, 1) : RETRY_MS;
  for (const ms of tries) {
    if (found.length > 0) break;
    await pause(ms, bounds.signal);
    found = await askWorkspace(query, bounds);
  }
  if (found.length > 0) workspaceAnswered = true;
  if (found.length === 0) throw nothingFound(query);
  const world = pathWorld();
  const nameOf = await nameInWorkspace(found.map(({ location }) => location.uri));
  const named = found.map((symbol) => renamedSymbol(symbol, nameOf(symbol.location.uri)));
  const inside = named.filter(({ location }) => isInWorkspace(location.uri, world));
  const isExcluded = excludedFiles(world);
  const shown = inside.filter(({ location }) => !isExcluded(location.uri));
  const isDenied = await lookAtRules(
    guard,
    shown.map(({ location }) => location.uri),
  );
  const given = shown.filter(({ location }) => isDenied(location.uri) === undefined);
  return {
    symbols: given.map((symbol) => toPlace(symbol, nearness)),
    uris: given.map(({ location }) => location.uri),
    outside: found.length - inside.length,
    excluded: inside.length - shown.length,
    denied: shown.length - given.length,
    notes:
      found.length < MOST_HITS
        ? []
        : ['(the language server may have left some out: give more of the name)'],
  };
}

function renamedSymbol(symbol: vscode.SymbolInformation, uri: vscode.Uri): FoundSymbol {
  const { name, kind, containerName, location } = symbol;
  // A provider may name a file without a place in it and fill that in on demand; nobody asks it here.
  const { range } = location as { range?: vscode.Range };
  return { name, kind, containerName, location: { uri, range } };
}

/** @throws ToolProblem when there is no outline: no provider, an empty file, a server that starts */
export async function readOutline(
  file: FoundFile,
  bounds: AskBounds,
): Promise<readonly OutlineNode[]> {
  const document = await openDocument(file);
  await awaitDisk(document, bounds.signal);
  const { nodes, isKnown } = await askOutline(document, bounds);
  if (nodes.length > 0) return nodes;
  throw new ToolProblem(
    isKnown || document.getText().trim() === ''
      ? `No symbols in ${file.path}`
      : `No outline of ${file.path.slice(-90)}: ${whySilent(document.languageId)}. Try again, or Read it`,
  );
}

function nothingFound(query: string): ToolProblem {
  const name = query.slice(0, 60);
  if (vscode.workspace.workspaceFolders === undefined) {
    return new ToolProblem(
      `No symbol matches '${name}': no folder is open. Give path for the outline of an open document`,
    );
  }
  if (!vscode.workspace.isTrusted && !workspaceAnswered) {
    return new ToolProblem(
      `No symbol matches '${name}': the workspace is not trusted, so language servers may not run here. Grep`,
    );
  }
  return new ToolProblem(
    workspaceAnswered
      ? `No symbol matches '${name}'. Try a shorter part of the name, or search the text with Grep`
      : `No symbol matches '${name}' yet: the language server may be still starting. Try again in a few seconds, or Grep`,
  );
}

/**
 * Some servers, TypeScript's among them, know a project only once one of its files is open. Reads
 * one file in the background; no tab appears.
 */
async function wakeServer(): Promise<void> {
  const known = vscode.workspace.textDocuments.some(({ languageId }) =>
    languageId.includes('script'),
  );
  if (known) return;
  const [uri] = await vscode.workspace.findFiles(
    '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}',
    '**/{node_modules,.git,dist,out}/**',
    1,
  );
  if (uri === undefined) return;
  try {
    await vscode.workspace.openTextDocument(uri);
  } catch {
    // Not readable: the search stays as it is.
  }
}

async function askWorkspace(
  query: string,
  bounds: AskBounds,
): Promise<readonly vscode.SymbolInformation[]> {
  const answer = await boundedCall(
    () => vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', query),
    { ...bounds, who: 'The language server' },
  );
  return Array.isArray(answer) ? answer.filter(isSymbolInformation) : [];
}

function toPlace(
  { name, kind, containerName, location: { uri, range } }: FoundSymbol,
  nearness: (uri: vscode.Uri) => number,
): SymbolPlace {
  return {
    name,
    kind,
    container: containerName,
    path: shownPath(uri),
    nearness: nearness(uri),
    ...(range ? { line: range.start.line + 1, column: range.start.character + 1 } : {}),
  };
}
