import * as vscode from 'vscode';
import type { FileReport } from './describeFreshness';
import { reportFile } from './fileReport';
import type { FoundFile } from './findFile';
import { pathsOf } from './formatDiagnostics';
import { formatNewProblems } from './formatNewProblems';
import { shownDocuments } from './openTabs';
import { severityOf } from './problem';
import { leftByRules, lookAtRules, type ReadGuard } from './readGuard';
import { isInWorkspace, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';
import type { ProblemDeps } from './toolDeps';

/** Before a change nothing is waited for that is not there nearly at once. */
const BEFORE_MS = 2_500;
const AFTER_MS = 6_000;
const SETTLE_MS = 3_000;
/** Of a file on which no server has ever reported, most likely none will. */
const SILENT_MS = 1_000;
/** A change of more files is looked at in these only; the rest is for `diagnostics`. */
const LOOKED_AT = 10;

/** Lines for the answer, and the files that they may name, to be told with `tellNamed`. */
export interface ToldProblems {
  readonly lines: readonly string[];
  readonly paths: readonly string[];
}

export interface ProblemWatch {
  /**
   * Waits, bounded, until the servers have reported on the changed files.
   * @param changed where that was not known beforehand; by default all that is watched
   */
  after(signal: AbortSignal, changed?: readonly FoundFile[]): Promise<ToldProblems>;
}

export interface WatchedFile extends FoundFile {
  /** What it is called after the change. */
  readonly later?: FoundFile;
}

/**
 * Looks at the problems of files before they are changed.
 * @param made files that the change makes: there is nothing before
 */
export async function watchProblems(
  files: readonly WatchedFile[],
  made: readonly FoundFile[],
  deps: ProblemDeps,
  signal: AbortSignal,
): Promise<ProblemWatch> {
  const all: readonly WatchedFile[] = [...files, ...made];
  const watched = all.slice(0, LOOKED_AT);
  const isMade = (file: WatchedFile): boolean => made.includes(file);
  const others = errorCounts();
  const before = await Promise.all(
    watched.map(async (file) =>
      isMade(file) ? emptyReport(file) : report(file, deps, 0, within(signal, BEFORE_MS)),
    ),
  );
  const known = new Map(
    watched.map(({ later, ...file }, index) => {
      const { uri, path } = later ?? file;
      const report = before[index];
      return [uri.toString(), report && { ...report, path }];
    }),
  );
  return {
    after: async (stop, changed = all) => {
      const bounded = within(stop, AFTER_MS);
      const looked = changed.slice(0, LOOKED_AT);
      const pairs = await Promise.all(
        looked.map(async (file) => {
          const first = known.get(file.uri.toString());
          const settleMs = isSilent(first) ? SILENT_MS : SETTLE_MS;
          return { before: first, after: await report(file, deps, settleMs, bounded) };
        }),
      );
      const left = changed.length - looked.length;
      const more = await moreErrors(others, changed, deps.readGuard);
      return {
        lines: [
          ...formatNewProblems(pairs),
          ...more.lines,
          ...(left > 0 ? [`(problems of ${left} more files not looked at: ask diagnostics)`] : []),
        ],
        paths: [...pathsOf(pairs.flatMap((pair) => pair.after ?? [])), ...more.paths],
      };
    },
  };
}

async function report(
  file: FoundFile,
  { freshness, context, readGuard }: ProblemDeps,
  settleMs: number,
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  try {
    const nearness = context.nearness()(file.uri);
    return await reportFile(file, nearness, freshness, { settleMs, signal, readGuard });
  } catch (error) {
    // Gone, or no text any more: of that the change itself tells.
    if (error instanceof ToolProblem) return undefined;
    throw error;
  }
}

function isSilent(report: FileReport | undefined): boolean {
  return report?.settled === false && !report.asked && report.problems.length === 0;
}

function emptyReport({ path }: FoundFile): FileReport {
  const plain = { since: 'open', disk: 'same', problems: [] } as const;
  return { path, nearness: 0, hasTab: true, settled: true, asked: false, ...plain };
}

function within(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

function isError(diagnostic: vscode.Diagnostic): boolean {
  return severityOf(diagnostic) === 'error';
}

/** Errors by open file, as the editor has them now. */
function errorCounts(): ReadonlyMap<string, number> {
  return new Map(
    [...shownDocuments()].map(([key, uri]) => {
      const errors = vscode.languages.getDiagnostics(uri).filter(isError);
      return [key, errors.length];
    }),
  );
}

/** Other open files that a change broke, as far as their servers have said so by now. */
async function moreErrors(
  before: ReadonlyMap<string, number>,
  changed: readonly FoundFile[],
  readGuard: ReadGuard | undefined,
): Promise<ToldProblems> {
  const own = new Set(changed.map(({ uri }) => uri.toString()));
  const worse = [...errorCounts()].flatMap(([key, errors]) => {
    const had = before.get(key);
    if (own.has(key) || had === undefined || errors <= had) return [];
    return [{ uri: vscode.Uri.parse(key, true), more: errors - had }];
  });
  if (worse.length === 0) return { lines: [], paths: [] };
  const denied = await lookAtRules(
    readGuard,
    worse.map(({ uri }) => uri),
  );
  const given = worse.filter(({ uri }) => isInWorkspace(uri) && denied(uri) === undefined);
  const left = leftByRules(worse.length - given.length);
  if (given.length === 0) return { lines: left, paths: [] };
  const named = given.slice(0, 5).map(({ uri, more }) => ({ path: shownPath(uri), more }));
  const names = named.map(({ path, more }) => `${path} (+${more})`).join(', ');
  const rest = given.length > 5 ? ` and ${given.length - 5} more` : '';
  return {
    lines: [`more errors in other open files: ${names}${rest}`, ...left],
    paths: named.map(({ path }) => path),
  };
}
