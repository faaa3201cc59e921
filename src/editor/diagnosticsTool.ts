import * as l10n from '@vscode/l10n';
import { boolean, describe, enum as choice, object, optional, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { CursorStore } from './cursor';
import { describeFile, describeFiles, isKnown } from './describeFreshness';
import type { DiagnosticsFreshness } from './diagnosticsFreshness';
import type { EditorContext } from './editorContext';
import { formatProblems, listProblems, type ProblemList } from './formatDiagnostics';
import { type Severity, SEVERITIES } from './problem';
import { compareProblems, formatChanges, sameProblems } from './problemChanges';
import { collectProblems, type Collected, readScope, type Scope } from './problemScope';
import { answer, ToolProblem } from './toolProblem';

export interface DiagnosticsDeps {
  readonly freshness: DiagnosticsFreshness;
  readonly context: EditorContext;
}

/** What one conversation was told: lists by question for the delta, lists by cursor for pages. */
interface Told {
  readonly byQuestion: Map<string, ProblemList>;
  readonly pages: CursorStore<ToldPage>;
}

interface ToldPage {
  readonly list: ProblemList;
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
  cursor: optional(string().check(describe('next page, as given by the last result'))),
});

export function createDiagnosticsTool(deps: DiagnosticsDeps): ToolDefinition {
  return defineTool({
    name: 'diagnostics',
    title: l10n.t('Problems'),
    description:
      'Errors and warnings of the language servers and linters, fresh after edits, unsaved text included. Faster than a build. A repeated call gives only what changed. Says where a file was not analysed.',
    input,
    annotations: { readOnlyHint: true },
    alwaysLoad: true,
    run: (given, ctx) =>
      answer(() =>
        given.cursor === undefined
          ? firstPage(deps, given.path, given.severity ?? 'warning', given.full ?? false, ctx)
          : nextPage(deps, given.cursor, ctx),
      ),
  });
}

async function firstPage(
  deps: DiagnosticsDeps,
  path: string | undefined,
  severity: Severity,
  full: boolean,
  ctx: ToolContext,
): Promise<string> {
  const told = toldOf(ctx);
  const scope = await readScope(path);
  const collected = await collectProblems(scope, deps, { wait: true, signal: ctx.signal });
  const list = listProblems(collected.files, severity);
  const { title, notes } = introduce(scope, collected);
  if (title !== undefined) return [title, ...notes].join('\n');
  const question = `${scope.kind}\0${scope.name}\0${severity}`;
  const before = told.byQuestion.get(question);
  told.byQuestion.set(question, list);
  if (before !== undefined && !full) {
    const changes = compareProblems(before, list);
    const page = { list: changes.added, scope, severity, full };
    const cursor = (offset: number): string => told.pages.issue(page, offset);
    return formatChanges(changes, list, { from: 0, full, cursor, notes });
  }
  const page = { list, scope, severity, full };
  const cursor = (offset: number): string => told.pages.issue(page, offset);
  const standing = scope.kind === 'files' ? [] : ['(files not open in a tab may be unanalysed)'];
  return formatProblems(list, { from: 0, full, cursor, notes: [...notes, ...standing] });
}

async function nextPage(deps: DiagnosticsDeps, cursor: string, ctx: ToolContext): Promise<string> {
  const told = toldOf(ctx);
  const place = told.pages.open(cursor);
  if (place === undefined) {
    throw new ToolProblem(
      'The cursor is stale or unknown. Call diagnostics without cursor, full=true',
    );
  }
  const { list, scope, severity, full } = place.snapshot;
  const now = await collectProblems(scope, deps, { wait: false, signal: ctx.signal });
  const current = listProblems(now.files, severity);
  const same = list.groups.every((group) => current.groups.some(({ key }) => key === group.key));
  const notes =
    same || sameProblems(list, current) ? [] : ['stale: problems changed since this list was made'];
  return formatProblems(list, {
    from: place.offset,
    full,
    cursor: (offset) => told.pages.issue(place.snapshot, offset),
    notes,
  });
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
  const lines = describeFile(only);
  if (isKnown(only) || files.some((file) => file.problems.length > 0)) return { notes: lines };
  const [title, ...rest] = lines;
  const next = only.hasTab
    ? 'Not the same as no problems: ask again, or run its checker'
    : 'Not the same as no problems: have it opened, or run its checker';
  return { title, notes: [...rest, next] };
}

function toldOf(ctx: ToolContext): Told {
  const known = ctx.state.get('diagnostics');
  // Only this function writes the key.
  if (known !== undefined) return known as Told;
  const told: Told = { byQuestion: new Map(), pages: new CursorStore('d') };
  ctx.state.set('diagnostics', told);
  return told;
}
