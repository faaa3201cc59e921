import * as vscode from 'vscode';
import { segmentsBelow, shapeUri } from '../rules/pathShape';
import type { FileReport } from './describeFreshness';
import { reportFile } from './fileReport';
import { findFile, type FoundFile } from './findFile';
import type { FileProblems } from './formatDiagnostics';
import { documentSize } from './openDocument';
import { shownDocuments } from './openTabs';
import { toProblem } from './problem';
import {
  type DeniedBy,
  leftByRules,
  lookAtRules,
  type ReadGuard,
  refuseIfDenied,
} from './readGuard';
import { relatedNames, relatedUris } from './relatedPlaces';
import { excludedFiles, isInWorkspace, pathWorld, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';
import type { ProblemDeps } from './toolDeps';

/** What was asked about. */
export type Scope =
  | {
      readonly kind: 'files';
      readonly name: string;
      readonly single: boolean;
      readonly files: readonly FoundFile[];
    }
  | { readonly kind: 'tree'; readonly name: string; readonly root?: vscode.Uri };

export interface Collected {
  readonly files: readonly FileProblems[];
  /** Those of the files whose freshness was looked at: the asked ones, or the open ones. */
  readonly reports: readonly FileReport[];
  readonly notes: readonly string[];
}

interface CollectBounds {
  /** False to take what there is, at once. */
  readonly wait: boolean;
  readonly signal: AbortSignal;
}

const SETTLE_ONE_MS = 3_000;
const SETTLE_MANY_MS = 2_000;
/** Open files whose freshness is looked at in one call; the nearest ones. */
const LOOKED_AT = 20;

/** @throws ToolProblem for an unknown path */
export async function readScope(
  path: string | undefined,
  guard: ReadGuard | undefined,
): Promise<Scope> {
  const name = path?.trim() ?? '';
  if (name === '') return { kind: 'tree', name: '' };
  if (name === 'open') return { kind: 'files', name, single: false, files: openFiles() };
  const found = await findFile(name, guard);
  if (found.isFolder) return { kind: 'tree', name: found.path, root: found.uri };
  return { kind: 'files', name: found.path, single: true, files: [found] };
}

/** @throws ToolProblem where the one file that was asked about is kept from the model */
export async function collectProblems(
  scope: Scope,
  deps: ProblemDeps,
  bounds: CollectBounds,
): Promise<Collected> {
  const nearness = deps.context.nearness();
  const denied = await lookAtRules(deps.readGuard, candidates(scope));
  if (scope.kind === 'files' && scope.single) {
    for (const file of scope.files) refuseIfDenied(denied, file);
  }
  const isGiven = ({ uri }: FoundFile): boolean => denied(uri) === undefined;
  if (!bounds.wait) return collectPresent(scope, nearness, denied);
  if (scope.kind === 'files') {
    const given = scope.files.filter(isGiven);
    const reports = await reportAll(given, scope.single, nearness, deps, bounds);
    return { files: reports, reports, notes: leftByRules(scope.files.length - given.length) };
  }
  const loaded = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  const open = openFiles()
    .filter(isGiven)
    .filter(({ uri }) => loaded.has(uri.toString()) && isBelow(uri, scope.root))
    .sort((a, b) => nearness(a.uri) - nearness(b.uri))
    .slice(0, LOOKED_AT);
  const reports = await reportAll(open, false, nearness, deps, bounds);
  const reported = new Set(reports.map(({ path }) => path));
  const present = collectPresent(scope, nearness, denied);
  const others = present.files.filter(({ path }) => !reported.has(path));
  return { files: [...reports, ...others], reports, notes: present.notes };
}

async function reportAll(
  files: readonly FoundFile[],
  single: boolean,
  nearness: (uri: vscode.Uri) => number,
  { freshness, readGuard }: ProblemDeps,
  { signal }: CollectBounds,
): Promise<readonly FileReport[]> {
  const settleMs = single ? SETTLE_ONE_MS : SETTLE_MANY_MS;
  const reports = await Promise.all(
    files.map(async (file) => {
      try {
        return await reportFile(file, nearness(file.uri), freshness, {
          ...{ settleMs, signal, readGuard },
        });
      } catch (error) {
        // One of many that cannot be read, a picture say, does not spoil the answer on the rest.
        if (!single && error instanceof ToolProblem) return undefined;
        throw error;
      }
    }),
  );
  return reports.filter((report) => report !== undefined);
}

/** What the editor has reported so far, in all files of the scope. */
function collectPresent(
  scope: Scope,
  nearness: (uri: vscode.Uri) => number,
  denied: DeniedBy,
): Collected {
  const shown = shownDocuments();
  const loaded = new Map(vscode.workspace.textDocuments.map((open) => [open.uri.toString(), open]));
  const world = pathWorld();
  const excluded = excludedFiles(world);
  const files: FileProblems[] = [];
  let left = 0;
  let deniedFiles = 0;
  for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
    if (diagnostics.length === 0 || !isInScope(uri, scope)) continue;
    if (scope.kind === 'tree' && (!isInWorkspace(uri, world) || excluded(uri))) {
      left += diagnostics.length;
      continue;
    }
    if (denied(uri) !== undefined) {
      deniedFiles += 1;
      continue;
    }
    const document = loaded.get(uri.toString());
    const size = document && documentSize(document);
    const nameRelated = relatedNames(uri, denied);
    files.push({
      path: shownPath(uri, world),
      nearness: nearness(uri),
      hasTab: shown.has(uri.toString()),
      problems: diagnostics.map((diagnostic) => toProblem(diagnostic, size, nameRelated)),
    });
  }
  const notes = left > 0 ? [`(${left} more in excluded files or outside the workspace)`] : [];
  return { files, reports: [], notes: [...notes, ...leftByRules(deniedFiles)] };
}

/** The documents that an answer may be about. */
function candidates(scope: Scope): readonly vscode.Uri[] {
  const reported = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, problems]) => [uri, ...relatedUris(problems)]);
  return [
    ...reported,
    ...(scope.kind === 'files' ? scope.files : openFiles()).map(({ uri }) => uri),
  ];
}

function openFiles(): readonly FoundFile[] {
  return [...shownDocuments().values()]
    .filter((uri) => isInWorkspace(uri))
    .map((uri) => ({ uri, path: shownPath(uri), isFolder: false }));
}

function isInScope(uri: vscode.Uri, scope: Scope): boolean {
  if (scope.kind === 'tree') return isBelow(uri, scope.root);
  const key = uri.toString();
  return scope.files.some((file) => file.uri.toString() === key);
}

function isBelow(uri: vscode.Uri, root: vscode.Uri | undefined): boolean {
  if (root === undefined) return true;
  const { platform } = process;
  return segmentsBelow(shapeUri(uri, platform), shapeUri(root, platform)) !== undefined;
}
