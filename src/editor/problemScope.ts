import * as vscode from 'vscode';
import { segmentsBelow, shapeUri } from '../rules/pathShape';
import type { FileReport } from './describeFreshness';
import { awaitDisk } from './diskState';
import { reportFile } from './fileReport';
import { findFile, type FoundFile } from './findFile';
import type { FileProblems } from './formatDiagnostics';
import { documentSize } from './openDocument';
import { shownDocuments } from './openTabs';
import { toProblem } from './problem';
import {
  type DeniedBy,
  leftByRules,
  lookAgain,
  lookAtRules,
  type ReadGuard,
  refuseIfDenied,
} from './readGuard';
import { relatedNames, relatedUris } from './relatedPlaces';
import { type ReportedDocument, reportedProblems } from './reportedProblems';
import { asTyped, bothNames } from './sameFile';
import { excludedFiles, holderOf, isInWorkspace, pathWorld, shownPath } from './servedFiles';
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
  | {
      readonly kind: 'tree';
      readonly name: string;
      /** The folder, by its names: where it is a link, also that to which it leads. */
      readonly roots?: readonly vscode.Uri[];
    };

export interface Collected {
  readonly files: readonly FileProblems[];
  /** Where they are, by path. */
  readonly uris: ReadonlyMap<string, vscode.Uri>;
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
/** Open files whose freshness is looked at in one call: what was just edited, then the nearest. */
const LOOKED_AT = 20;

/** @throws ToolProblem for an unknown path */
export async function readScope(
  path: string | undefined,
  guard: ReadGuard | undefined,
): Promise<Scope> {
  const name = path?.trim() ?? '';
  if (name === '') return { kind: 'tree', name: '' };
  if (name === 'open') return { kind: 'files', name, single: false, files: openFiles() };
  const found = await findFile(path ?? name, guard);
  if (found.isFolder) return { kind: 'tree', name: found.path, roots: await bothNames(found.uri) };
  const file = await asTyped(found, guard);
  return { kind: 'files', name: file.path, single: true, files: [file] };
}

/** @throws ToolProblem where the one file that was asked about is kept from the model */
export async function collectProblems(
  scope: Scope,
  deps: ProblemDeps,
  bounds: CollectBounds,
): Promise<Collected> {
  const nearness = deps.context.nearness();
  const old = bounds.wait ? await awaitTexts(bounds.signal) : [];
  const first = await reportedProblems();
  const denied = await lookAtRules(deps.readGuard, [...candidates(scope, first), ...old]);
  if (scope.kind === 'files' && scope.single) {
    for (const file of scope.files) refuseIfDenied(denied, file);
  }
  const isGiven = ({ uri }: FoundFile): boolean => denied(uri) === undefined;
  if (!bounds.wait) return collectPresent(scope, first, nearness, denied);
  if (scope.kind === 'files') {
    const given = scope.files.filter(isGiven);
    const reports = await reportAll(given, scope.single, nearness, deps, bounds);
    const notes = [
      ...(scope.single ? describeOld(old, given, denied) : []),
      ...leftByRules(scope.files.length - given.length),
    ];
    return { files: reports, uris: byPath(given), reports, notes };
  }
  const { freshness } = deps;
  const urgency = ({ uri }: FoundFile): number =>
    freshness.lastChange(uri) === 'edit' && !freshness.hasReport(uri) ? 0 : 1;
  const loaded = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  const excluded = excludedFiles();
  const open = openFiles()
    .filter((file) => isGiven(file) && !excluded(file.uri))
    .filter(({ uri }) => loaded.has(uri.toString()) && isBelow(uri, scope.roots))
    .sort((a, b) => urgency(a) - urgency(b) || nearness(a.uri) - nearness(b.uri))
    .slice(0, LOOKED_AT);
  const reports = await reportAll(open, false, nearness, deps, bounds);
  const reported = new Set(reports.map(({ path }) => path));
  const now = await reportedProblems();
  const deniedNow = await lookAgain(denied, deps.readGuard, candidates(scope, now));
  const present = collectPresent(scope, now, nearness, deniedNow);
  const others = present.files.filter(({ path }) => !reported.has(path));
  const uris = new Map([...present.uris, ...byPath(open)]);
  return { files: [...reports, ...others], uris, reports, notes: present.notes };
}

function byPath(files: readonly FoundFile[]): ReadonlyMap<string, vscode.Uri> {
  return new Map(files.map(({ path, uri }) => [path, uri]));
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
  reported: readonly ReportedDocument[],
  nearness: (uri: vscode.Uri) => number,
  denied: DeniedBy,
): Collected {
  const shown = shownDocuments();
  const loaded = new Map(vscode.workspace.textDocuments.map((open) => [open.uri.toString(), open]));
  const world = pathWorld();
  const excluded = excludedFiles(world);
  const files: FileProblems[] = [];
  const uris = new Map<string, vscode.Uri>();
  let left = 0;
  let deniedFiles = 0;
  for (const { uri, problems: diagnostics } of reported) {
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
    const path = shownPath(uri, world);
    uris.set(path, uri);
    files.push({
      path,
      nearness: nearness(uri),
      hasTab: shown.has(holderOf(uri).toString()),
      problems: diagnostics.map((diagnostic) => toProblem(diagnostic, size, nameRelated)),
    });
  }
  const notes = left > 0 ? [`(${left} more in excluded files or outside the workspace)`] : [];
  return { files, uris, reports: [], notes: [...notes, ...leftByRules(deniedFiles)] };
}

/** The documents that an answer may be about. */
function candidates(scope: Scope, reported: readonly ReportedDocument[]): readonly vscode.Uri[] {
  return [
    ...reported.flatMap(({ uri, problems }) => [uri, ...relatedUris(problems)]),
    ...(scope.kind === 'files' ? scope.files : openFiles()).map(({ uri }) => uri),
  ];
}

function openFiles(): readonly FoundFile[] {
  return [...shownDocuments().values()]
    .filter((uri) => isInWorkspace(uri))
    .map((uri) => ({ uri, path: shownPath(uri), isFolder: false }));
}

function isInScope(uri: vscode.Uri, scope: Scope): boolean {
  if (scope.kind === 'tree') return isBelow(uri, scope.roots);
  const key = uri.toString();
  return scope.files.some((file) => file.uri.toString() === key);
}

function isBelow(uri: vscode.Uri, roots: readonly vscode.Uri[] | undefined): boolean {
  if (roots === undefined) return true;
  const { platform } = process;
  const shape = shapeUri(uri, platform);
  return roots.some((root) => segmentsBelow(shape, shapeUri(root, platform)) !== undefined);
}

/** Texts that were waited for in vain: the editor does not see some changes at all. */
const inVain = new WeakSet<vscode.TextDocument>();

/**
 * What the CLI has just written is soon in the editor, and problems of one open text may come from
 * any other.
 * @returns those that are still older than their files
 */
async function awaitTexts(signal: AbortSignal): Promise<readonly vscode.Uri[]> {
  const shown = shownDocuments();
  const open = vscode.workspace.textDocuments.filter(({ uri }) => shown.has(uri.toString()));
  const states = await Promise.all(
    open.map((document) => awaitDisk(document, signal, inVain.has(document) ? 0 : undefined)),
  );
  const late = open.filter((document, index) => {
    const isOld = states[index] === 'diskNewer';
    if (isOld) inVain.add(document);
    else inVain.delete(document);
    return isOld;
  });
  return late.map(({ uri }) => uri);
}

/** Of one file's problems: which other texts, on which they may depend, are not those of the disk. */
function describeOld(
  old: readonly vscode.Uri[],
  given: readonly FoundFile[],
  denied: DeniedBy,
): readonly string[] {
  const own = new Set(given.map(({ uri }) => uri.toString()));
  const others = old.filter((uri) => !own.has(uri.toString()) && denied(uri) === undefined);
  if (others.length === 0) return [];
  return [
    `changed on disk, not yet in the editor: ${others
      .slice(0, 5)
      .map((uri) => shownPath(uri))
      .join(', ')}`,
  ];
}
