import * as l10n from '@vscode/l10n';
import { boolean, describe, enum as choice, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { keepLatest } from '../base/keepLatest';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { CursorStore, takePage } from './cursor';
import { describeFile, describeFiles, isKnown } from './describeFreshness';
import type { DiagnosticsFreshness } from './diagnosticsFreshness';
import { formatProblems, listProblems, pathsOf, type ProblemList } from './formatDiagnostics';
import { tellNamed } from './namedFiles';
import { type Severity, SEVERITIES } from './problem';
import { compareProblems, formatChanges, sameProblems } from './problemChanges';
import { collectProblems, type Collected, readScope, type Scope } from './problemScope';
import { forOneCall, lookAtRules, type ReadGuard, refuseKeptSince } from './readGuard';
import { shownPath } from './servedFiles';
import { answer, ToolProblem } from './toolProblem';
import type { ProblemDeps } from './toolDeps';
import { toolState } from './toolState';

/** What one conversation was told: lists by question for the delta, lists by cursor for pages. */
interface Told {
  readonly byQuestion: Map<string, ToldList>;
  readonly pages: CursorStore<ToldPage>;
}

/** A whole list, to tell later whether it still holds. */
interface ToldList {
  readonly whole: ProblemList;
  /** Its files, by path. */
  readonly uris: ReadonlyMap<string, vscode.Uri>;
}

interface ToldPage extends ToldList {
  /** What is paged: the whole list, or what is new in it. */
  readonly list: ProblemList;
  readonly question: Question;
  /** Files whose problems came by asking: those are not in the editor's own list. */
  readonly asked: ReadonlySet<string>;
  /** `freshness.edits` when the list was made. */
  readonly edits: number;
}

interface Question {
  readonly scope: Scope;
  readonly severity: Severity;
  readonly full: boolean;
}

const input = object({
  path: optional(
    string().check(describe('file or folder; "open": all open files; none: workspace')),
  ),
  severity: optional(choice(SEVERITIES).check(describe('least severe to list; default warning'))),
  full: optional(boolean().check(describe('all again, not only changes since the last call'))),
  cursor: optional(string()),
});

/** Lists that a conversation was told, each by its question and agent. */
const KEPT_LISTS = 100;
const AGAIN = 'diagnostics without cursor and with full: true';

export function createDiagnosticsTool(deps: ProblemDeps): ToolDefinition {
  return defineTool({
    name: 'diagnostics',
    title: l10n.t('Problems'),
    description:
      'Errors and warnings of the language servers and linters, fresh after edits, unsaved text included. Faster than a build. A repeated call gives only what changed.',
    input,
    annotations: { readOnlyHint: true },
    alwaysLoad: true,
    run: (given, ctx) =>
      answer(async () => {
        const { path, severity = 'warning', full = false, cursor } = given;
        if (cursor !== undefined) return nextPage(deps, cursor, ctx);
        const here = forOneCall(deps);
        const scope = await readScope(path, here.readGuard);
        return firstPage(here, { scope, severity, full }, ctx);
      }),
  });
}

async function firstPage(
  deps: ProblemDeps,
  { scope, severity, full }: Question,
  ctx: ToolContext,
): Promise<string> {
  const told = toldOf(ctx);
  // Another agent has not read what this one was told.
  const name = [scope.kind, scope.name, severity, ctx.agent].join('\0');
  const collected = await collectProblems(scope, deps, { wait: true, signal: ctx.signal });
  const whole = listProblems(collected.files, severity);
  const known = told.byQuestion.get(name);
  const before = known && (await withoutKeptBack(known, whole, deps.readGuard));
  // What is not told is not to be left out the next time.
  if (ctx.signal.aborted) throw new ToolProblem('Stopped');
  const { title, notes } = introduce(scope, collected);
  // The result is about it, also where it does not name it.
  if (scope.kind === 'files' && scope.single) ctx.tellFile(scope.name);
  if (title !== undefined) return [title, ...notes].join('\n');
  const { uris } = collected;
  remember(told, name, { whole, uris });
  const changes = before === undefined || full ? undefined : compareProblems(before, whole);
  const page: ToldPage = {
    list: changes?.added ?? whole,
    question: { scope, severity, full },
    ...{ whole, uris },
    asked: new Set(collected.reports.filter(({ asked }) => asked).map(({ path }) => path)),
    edits: deps.freshness.edits,
  };
  const cursor = (offset: number): string => told.pages.issue(page, offset);
  const paths = pathsOf([...whole.files, ...(before?.files ?? [])]);
  if (changes) {
    return tellNamed(formatChanges(changes, whole, { from: 0, full, cursor, notes }), paths, ctx);
  }
  const standing = scope.kind === 'files' ? [] : [standingNote()];
  const text = formatProblems(whole, { from: 0, full, cursor, notes: [...notes, ...standing] });
  return tellNamed(text, paths, ctx);
}

/** What was told of files that are kept back by now is neither fixed nor to be named again. */
async function withoutKeptBack(
  { whole: { files, groups, ...before }, uris }: ToldList,
  now: ProblemList,
  guard: ReadGuard | undefined,
): Promise<ProblemList> {
  const present = new Set(now.files.map(({ path }) => path));
  const gone = [...uris].filter(([path]) => !present.has(path));
  const denied = await lookAtRules(guard, new Map(gone).values());
  const kept = new Set(gone.flatMap(([path, uri]) => (denied(uri) === undefined ? [] : path)));
  return {
    ...before,
    files: files.filter(({ path }) => !kept.has(path)),
    groups: groups.filter(({ group }) => !kept.has(group)),
  };
}

/** What a list of the whole workspace cannot know. */
function standingNote(): string {
  return vscode.workspace.workspaceFolders === undefined
    ? '(no folder is open: only documents that were never saved are looked at)'
    : '(files not open in a tab may be unanalysed)';
}

async function nextPage(deps: ProblemDeps, cursor: string, ctx: ToolContext): Promise<string> {
  const told = toldOf(ctx);
  const place = takePage(told.pages, cursor, AGAIN);
  const page = place.snapshot;
  await refuseKeptSince(deps.readGuard, [...page.uris.values()], AGAIN);
  const notes = (await isStale(page, deps, ctx.signal))
    ? ['stale: problems changed since this list was made']
    : [];
  const text = formatProblems(page.list, {
    from: place.offset,
    full: page.question.full,
    cursor: (offset) => told.pages.issue(page, offset),
    notes,
  });
  return tellNamed(text, pathsOf(page.list.files), ctx);
}

async function isStale(page: ToldPage, deps: ProblemDeps, signal: AbortSignal): Promise<boolean> {
  if (isEdited(page, deps.freshness)) return true;
  const { scope, severity } = page.question;
  const now = await collectProblems(scope, deps, { wait: false, signal });
  const reported = ({ groups, ...list }: ProblemList): ProblemList => ({
    ...list,
    groups: groups.filter(({ group }) => !page.asked.has(group)),
  });
  return !sameProblems(reported(page.whole), reported(listProblems(now.files, severity)));
}

/** Whether something was edited that the list is about: no server need have reported on it yet. */
function isEdited({ whole, asked, edits }: ToldPage, freshness: DiagnosticsFreshness): boolean {
  const edited = freshness.editedSince(edits);
  if (asked.size > 0 && edited.some(({ isScript }) => isScript)) return true;
  const listed = new Set(whole.files.map(({ path }) => path));
  return edited.some(({ uri }) => listed.has(shownPath(uri)));
}

/** Notes about freshness; a title in place of the counts where one file's state is unknown. */
function introduce(
  scope: Scope,
  { files, reports, notes }: Collected,
): { readonly title?: string; readonly notes: readonly string[] } {
  const [only] = reports;
  if (scope.kind !== 'files' || !scope.single || only === undefined) {
    return { notes: [...describeFiles(reports), ...notes] };
  }
  const lines = [...describeFile(only), ...notes];
  if (isKnown(only) || files.some((file) => file.problems.length > 0)) return { notes: lines };
  const [title, ...rest] = lines;
  const next = only.hasTab
    ? 'Not the same as no problems: ask again, or run its checker'
    : 'Not the same as no problems: have it opened, or run its checker';
  return { title, notes: [...rest, next] };
}

/** As the last one; of too many the oldest goes, and is given whole again. */
function remember({ byQuestion }: Told, name: string, list: ToldList): void {
  byQuestion.delete(name);
  byQuestion.set(name, list);
  keepLatest(byQuestion, KEPT_LISTS);
}

function toldOf(ctx: ToolContext): Told {
  return toolState(ctx, 'diagnostics', () => {
    const told: Told = { byQuestion: new Map(), pages: new CursorStore('d') };
    // What was told is forgotten there: the next answer is the whole list, not what has changed.
    ctx.onDidReset(() => told.byQuestion.clear());
    return told;
  });
}
