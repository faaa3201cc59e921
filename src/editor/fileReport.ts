import { askTypeScript, TYPESCRIPT_SOURCES } from './askTypeScript';
import type { DiagnosticsFreshness } from './diagnosticsFreshness';
import { awaitDisk } from './diskState';
import type { FileReport } from './describeFreshness';
import type { FoundFile } from './findFile';
import { documentSize, openDocument } from './openDocument';
import { shownDocuments } from './openTabs';
import { type Problem, type RawProblem, toProblem } from './problem';
import { lookAtRules, type ReadGuard } from './readGuard';
import { relatedNames, relatedUris } from './relatedPlaces';
import { problemsOf, reportedNames } from './reportedProblems';
import { holderOf } from './servedFiles';

/** Servers start working only some time after an edit, so a younger report may be half a one. */
const FRESH_EDIT_MS = 3_000;
/** Once TypeScript has answered, only other checkers are waited for, and there may be none. */
const OTHERS_MS = 1_200;

export interface ReportBounds {
  /** How long to wait for a report after the last edit. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
  /** Names nothing of what it keeps back where a problem is also about another file. */
  readonly readGuard?: ReadGuard;
}

/**
 * The problems of one file and what they are worth. Opens the document in the background where it
 * is not open, waits, bounded, until its servers have reported, and asks TypeScript itself where
 * reports are missing.
 * @throws ToolProblem when the file cannot be opened as text
 */
export async function reportFile(
  file: FoundFile,
  nearness: number,
  freshness: DiagnosticsFreshness,
  { settleMs, signal, readGuard }: ReportBounds,
): Promise<FileReport> {
  const { uri, path } = file;
  const document = await openDocument(file);
  const [disk, names] = await Promise.all([awaitDisk(document, signal), reportedNames(uri)]);
  const hasTab = shownDocuments().has(holderOf(uri).toString());
  const doubtful =
    !hasTab ||
    !freshness.hasReport(uri) ||
    freshness.changeAge(uri) < FRESH_EDIT_MS ||
    freshness.isDoubtful(uri);
  const size = documentSize(document);
  const raw = doubtful ? await askTypeScript(document, signal) : undefined;
  const waitMs = raw ? Math.min(OTHERS_MS, settleMs) : settleMs;
  const settled = hasTab && (await freshness.settle(uri, waitMs, signal));
  const diagnostics = problemsOf(names);
  const denied = await lookAtRules(readGuard, relatedUris([...diagnostics, ...(raw ?? [])]));
  const nameRelated = relatedNames(uri, denied);
  const read = (one: RawProblem): Problem => toProblem(one, size, nameRelated);
  const reported = diagnostics.map(read);
  const asked = raw?.map(read);
  return {
    path,
    nearness,
    hasTab,
    settled,
    asked: asked !== undefined,
    since: freshness.lastChange(uri),
    disk,
    problems: asked ? mergeAnswers(reported, asked) : reported,
  };
}

/** TypeScript's own answer in place of its reports; what other servers reported stays. */
function mergeAnswers(reported: readonly Problem[], asked: readonly Problem[]): readonly Problem[] {
  const others = reported.filter((problem) => !TYPESCRIPT_SOURCES.has(problem.source ?? ''));
  return [...others, ...asked];
}
