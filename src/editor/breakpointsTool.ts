import * as l10n from '@vscode/l10n';
import { describe, enum as choice, int, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { agentOf, type DebugAgent } from './debugAgent';
import {
  describeVerified,
  lackedFeatures,
  presentBreakpoints,
  removeBreakpoints,
  verification,
} from './breakpointState';
import type { DebugDeps } from './debugThreads';
import { findServed, type FoundFile } from './findFile';
import { meant } from './meantWords';
import { tellNamed } from './namedFiles';
import { openDocument } from './openDocument';
import { leftByRules, lookAtRules } from './readGuard';
import { count, fillPage, oneLine, RESULT_LIMIT } from './resultBudget';
import { shownPath } from './servedFiles';
import { answer, ToolProblem } from './toolProblem';
import { refuseSeveral } from './writeTarget';

const input = object({
  action: choice(['list', 'set', 'clear']),
  path: optional(string()),
  line: optional(int()),
  condition: optional(string()),
  hits: optional(string().check(describe('count of hits, as >5'))),
  log: optional(string().check(describe('print this with {expr} instead'))),
});
/** The editor gives an extension no way to see or set these. */
const NOT_SERVED = 'Exception and data breakpoints are only for the person to see and set';

/** Those of the tool, each of one agent: only its own are cleared without being named by their line. */
type OwnBreakpoints = WeakMap<vscode.Breakpoint, DebugAgent>;
type Wish = Readonly<Record<'condition' | 'hits' | 'log', string | undefined>>;

export function createBreakpointsTool(deps: DebugDeps): ToolDefinition {
  const own: OwnBreakpoints = new WeakMap();
  return defineTool({
    name: 'breakpoints',
    title: l10n.t('Breakpoints'),
    description: "The editor's breakpoints. clear without line: only those set by this tool.",
    input,
    searchHint: 'debugger: conditional breakpoint, log point',
    reads: ({ action }) => action === 'list',
    run: ({ action, line, condition, hits, log, ...given }, ctx) =>
      answer(async () => {
        const path = meant(given.path);
        if (path !== undefined && action !== 'list') await refuseSeveral(path);
        const file = path === undefined ? undefined : await findServed(path, deps.readGuard);
        if (action === 'list') return listBreakpoints(deps, file, ctx);
        if (action === 'clear') return clearBreakpoints(deps, own, { file, line }, ctx);
        if (file === undefined || line === undefined) {
          throw new ToolProblem(`set needs path and line (1-based). ${NOT_SERVED}`);
        }
        ctx.tellFile(file.path);
        const wish = { condition: meant(condition), hits: meant(hits), log: meant(log) };
        return setBreakpoint(deps, own, { file, line }, wish, ctx);
      }),
  });
}

async function setBreakpoint(
  deps: DebugDeps,
  own: OwnBreakpoints,
  { file, line }: { readonly file: FoundFile; readonly line: number },
  wish: Wish,
  ctx: ToolContext,
): Promise<string> {
  const document = await openDocument(file);
  if (line < 1 || line > document.lineCount) {
    throw new ToolProblem(
      `${file.path} has ${count(document.lineCount, 'line')}; line ${line} is not in it`,
    );
  }
  if (ctx.signal.aborted) throw stopped();
  // One at a column of its own is another one.
  const before = sourceBreakpoints(file.uri).filter(
    (one) => lineOf(one) === line && columnOf(one) === 0,
  );
  const place = new vscode.Location(file.uri, new vscode.Position(line - 1, 0));
  const fresh = new vscode.SourceBreakpoint(place, true, wish.condition, wish.hits, wish.log);
  const [old] = before;
  if (old !== undefined && old.enabled && describeBreakpoint(old) === describeBreakpoint(fresh)) {
    const state = await verification(deps, old, ctx.signal);
    return `already set: ${file.path}:${line}${describeBreakpoint(old)}${describeVerified(state, line)}`;
  }
  // Two at one place would be one to the person, who could not tell which counts.
  await removeBreakpoints(deps, before, ctx.signal);
  vscode.debug.addBreakpoints([fresh]);
  own.set(fresh, agentOf(ctx));
  const state = await verification(deps, fresh, ctx.signal);
  const replaced =
    old === undefined ? '' : `, in place of the one there${describeBreakpoint(old) || ' (plain)'}`;
  const code = document.lineAt(line - 1).text;
  return [
    `set: ${file.path}:${line}${describeBreakpoint(fresh)}${describeVerified(state, line)}${replaced}`,
    ` ${line}\t${oneLine(code, 120)}`,
    ...lackedFeatures(deps, wish),
  ].join('\n');
}

function stopped(): ToolProblem {
  return new ToolProblem('Stopped; no breakpoint was changed');
}

async function clearBreakpoints(
  deps: DebugDeps,
  own: OwnBreakpoints,
  { file, line }: { readonly file: FoundFile | undefined; readonly line: number | undefined },
  ctx: ToolContext,
): Promise<string> {
  if (line !== undefined && file === undefined) throw new ToolProblem('clear with line needs path');
  const agent = agentOf(ctx);
  const all = sourceBreakpoints(file?.uri);
  const meant = all.filter((one) =>
    line === undefined ? own.get(one) === agent : lineOf(one) === line,
  );
  if (meant.length === 0 && line !== undefined) {
    const lines = all.map(lineOf).sort((a, b) => a - b);
    const there =
      lines.length > 0 ? `There are some at ${lines.slice(0, 10).join(', ')}` : 'It has none';
    throw new ToolProblem(`No breakpoint at ${file?.path ?? ''}:${line}. ${there}`);
  }
  if (ctx.signal.aborted) throw stopped();
  await removeBreakpoints(deps, meant, ctx.signal);
  const kept = all.filter((one) => !meant.includes(one));
  const ofAgents = kept.filter((one) => own.has(one)).length;
  const named = [
    ...(kept.length > ofAgents ? [`${kept.length - ofAgents} of the person's`] : []),
    ...(ofAgents > 0 ? [`${ofAgents} of another agent's`] : []),
  ].join(' and ');
  const rest = named !== '' && line === undefined ? `; ${named} kept (name their line)` : '';
  return `${count(meant.length, 'breakpoint')} cleared${rest}`;
}

async function listBreakpoints(
  deps: DebugDeps,
  file: FoundFile | undefined,
  ctx: ToolContext,
): Promise<string> {
  const all = sourceBreakpoints(file?.uri);
  const others = file === undefined ? functionBreakpoints() : [];
  const denied = await lookAtRules(
    deps.readGuard,
    all.map(({ location }) => location.uri),
  );
  const given = all.filter(({ location }) => denied(location.uri) === undefined);
  const items = await Promise.all(
    given.map(async (one) => {
      const line = lineOf(one);
      const state = await verification(deps, one, ctx.signal, 0);
      const off = one.enabled ? '' : ' (disabled)';
      const column = columnOf(one);
      const at = column === 0 ? `${line}` : `${line}:${column + 1}`;
      const text = ` ${at}${describeBreakpoint(one)}${off}${describeVerified(state, line)}`;
      return { group: shownPath(one.location.uri), text, place: one.location.range.start };
    }),
  );
  items.sort((a, b) =>
    a.group === b.group ? a.place.compareTo(b.place) : a.group < b.group ? -1 : 1,
  );
  const { lines, end } = fillPage(items, 0, { chars: RESULT_LIMIT - 500, items: 200 });
  const rest = end < items.length ? [`left: ${items.length - end}; give a path`] : [];
  const text = [
    count(given.length + others.length, 'breakpoint'),
    ...lines,
    ...others.slice(0, 20),
    ...rest,
    ...leftByRules(all.length - given.length),
    `(${NOT_SERVED})`,
  ].join('\n');
  return tellNamed(
    text,
    items.map(({ group }) => group),
    ctx,
  );
}

function functionBreakpoints(): readonly string[] {
  return presentBreakpoints().flatMap((one) =>
    one instanceof vscode.FunctionBreakpoint
      ? [
          ` function ${oneLine(one.functionName, 100)}${describeBreakpoint(one)}${one.enabled ? '' : ' (disabled)'}`,
        ]
      : [],
  );
}

function sourceBreakpoints(uri?: vscode.Uri): readonly vscode.SourceBreakpoint[] {
  const key = uri?.toString();
  return presentBreakpoints().filter(
    (one): one is vscode.SourceBreakpoint =>
      one instanceof vscode.SourceBreakpoint &&
      (key === undefined || one.location.uri.toString() === key),
  );
}

function lineOf({ location }: vscode.SourceBreakpoint): number {
  return location.range.start.line + 1;
}

/** From 0, which is that of the line as a whole. */
function columnOf({ location }: vscode.SourceBreakpoint): number {
  return location.range.start.character;
}

/** Condition, count and text of a log point, as far as it has them. */
function describeBreakpoint({ condition, hitCondition, logMessage }: vscode.Breakpoint): string {
  const parts = [
    condition === undefined ? undefined : `if ${oneLine(condition, 120)}`,
    hitCondition === undefined ? undefined : `hits ${oneLine(hitCondition, 40)}`,
    logMessage === undefined ? undefined : `logs "${oneLine(logMessage, 120)}"`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
