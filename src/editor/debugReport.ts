import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { ToolContext } from '../mcp/toolContext';
import { readFrames, type DapFrame, type DapSource } from './debugProtocol';
import type { DebugRun } from './debugRun';
import { SilentDebugger } from './debugRequest';
import { describeEnd, type LiveRun } from './debugSessions';
import {
  type AskOf,
  askOf,
  type DebugDeps,
  listThreads,
  pickThread,
  probeUntracked,
} from './debugThreads';
import { listScopes, listVariable, type VariableLimits } from './debugVariables';
import { formatStop, type ShownFrame } from './formatDebug';
import { OUTSIDE } from './keptBackReasons';
import { tellNamed } from './namedFiles';
import { type DeniedBy, lookAtRules } from './readGuard';
import { count, oneLine } from './resultBudget';
import { linksStayInWorkspace, shownPath } from './servedFiles';
import { tailLines, withoutSecretValues } from './terminalText';
import { ToolProblem } from './toolProblem';
import { toolState } from './toolState';

/** What is asked for besides the place. */
export interface ReportWish {
  readonly thread?: number | undefined;
  /** Counted from 0, the innermost. */
  readonly frame?: number | undefined;
  readonly variable?: string | undefined;
  readonly limits: VariableLimits;
  /** Threads and the whole stack as well. */
  readonly full: boolean;
}

const FRAMES_ASKED = 60;
const OUTPUT_LIMIT = 1_500;
const END_OUTPUT_LIMIT = 4_000;

/** The state of a run as the model reads it, whichever it is now. */
export async function reportRun(
  deps: DebugDeps,
  run: DebugRun,
  wish: ReportWish,
  ctx: ToolContext,
): Promise<string> {
  if (run.isEnded) return reportEnd(run, ctx);
  const live = deps.sessions.live(run);
  await probeUntracked(live, ctx.signal);
  if (run.stops.length === 0) return reportRunning(deps, live, ctx);
  try {
    return await reportStop(deps, live, wish, ctx);
  } catch (error) {
    // It may end while it is looked at.
    if (error instanceof ToolProblem && hasEnded(run)) return reportEnd(run, ctx);
    throw error;
  }
}

/** A call, since what was true before a wait need not be after it. */
function hasEnded({ isEnded }: DebugRun): boolean {
  return isEnded;
}

/** That it has ended, the exit code where one was told, and the last of what it printed. */
export function reportEnd(run: DebugRun, ctx: ToolContext): string {
  const output = newOutput(run, ctx, END_OUTPUT_LIMIT);
  return [`ended: ${describeEnd(run)}`, ...output].join('\n');
}

async function reportRunning(deps: DebugDeps, live: LiveRun, ctx: ToolContext): Promise<string> {
  const { run, name } = live;
  const threads = await listThreads(deps, live, ctx.signal).catch(ignoreProblem);
  const which = threads.length > 0 ? `, ${count(threads.length, 'thread')}` : '';
  return [
    `running, nothing stopped [session "${oneLine(name, 80)}", ${run.root.type}${which}]`,
    'step with action wait waits for a stop, action pause makes one',
    ...newOutput(run, ctx, OUTPUT_LIMIT),
    ...terminalNote(live),
  ].join('\n');
}

async function reportStop(
  deps: DebugDeps,
  live: LiveRun,
  wish: ReportWish,
  ctx: ToolContext,
): Promise<string> {
  const { run, name } = live;
  const thread = await pickThread(deps, live, wish.thread, ctx.signal);
  const { sessionId, threadId, stop } = thread;
  const ask = askOf(deps, live, sessionId, ctx.signal);
  const index = wish.frame ?? 0;
  const { frames, total, problem } = await framesOf(
    ask,
    threadId,
    Math.max(wish.full ? FRAMES_ASKED : 0, index + 1),
    ctx.signal,
  );
  const frame = frames[index];
  if (frame === undefined && (wish.frame !== undefined || wish.variable !== undefined)) {
    throw problem ?? new ToolProblem(`No frame ${index}: the thread has ${count(total, 'frame')}`);
  }
  const noFrames = problem ? [`stack: ${problem.message}`] : [];
  const session = live.sessions.get(sessionId);
  const places = frames.map((one) => sourceUri(one.source, session));
  const ruled = frames.map((one) => ruledUri(one.source, session));
  const denied = await lookAtRules(
    deps.readGuard,
    ruled.filter((uri) => uri !== undefined),
  );
  const shown = frames.map((one, at) =>
    isKeptBack(ruled[at], denied) ? keptBackFrame(at) : shownFrame(one, at, session),
  );
  const isKept = isKeptBack(ruled[index], denied);
  if (isKept && wish.variable !== undefined) throw new ToolProblem(`Frame ${index}: ${KEPT_BACK}`);
  // The place is worth telling where the debugger lists none.
  const threads = wish.full ? await listThreads(deps, live, ctx.signal).catch(ignoreProblem) : [];
  const text = formatStop({
    session: name,
    type: run.root.type,
    reason: stop.reason,
    text: stop.text && withoutSecretValues(stop.text),
    frame: shown[index],
    code: frame && (await codeLine(denied, places[index], frame.line ?? 0)),
    threads,
    frames: wish.full && wish.variable === undefined ? shown : [],
    totalFrames: total,
    variables: isKept ? [KEPT_BACK] : frame ? await variablesOf(ask, frame, wish) : noFrames,
    output: newOutput(run, ctx, OUTPUT_LIMIT),
    notes: terminalNote(live),
  });
  const files = places.flatMap((uri) => (uri?.scheme === 'file' ? [shownPath(uri)] : []));
  return tellNamed(text, files, ctx);
}

function ignoreProblem(error: unknown): readonly [] {
  if (error instanceof ToolProblem) return [];
  throw error;
}

async function variablesOf(
  ask: AskOf,
  { id }: DapFrame,
  { variable, limits }: ReportWish,
): Promise<readonly string[]> {
  if (variable !== undefined) return listVariable(ask, id, variable, limits);
  try {
    return await listScopes(ask, id, limits);
  } catch (error) {
    // The place is worth telling without them.
    if (error instanceof ToolProblem) return [`variables: ${error.message}`];
    throw error;
  }
}

interface Frames {
  readonly frames: readonly DapFrame[];
  readonly total: number;
  /** Why there are none. */
  readonly problem?: ToolProblem;
}

async function framesOf(
  ask: AskOf,
  threadId: number,
  levels: number,
  signal: AbortSignal,
): Promise<Frames> {
  try {
    const body = await ask('stackTrace', { threadId, startFrame: 0, levels });
    const frames = readFrames(body);
    const given: unknown =
      typeof body === 'object' && body !== null ? Reflect.get(body, 'totalFrames') : 0;
    return { frames, total: Math.max(typeof given === 'number' ? given : 0, frames.length) };
  } catch (problem) {
    // That it stands is worth telling without a place: a step may have been done.
    const isRefused = problem instanceof ToolProblem && !(problem instanceof SilentDebugger);
    if (!isRefused || signal.aborted) throw problem;
    return { frames: [], total: 0, problem };
  }
}

/** What a frame of a file shows that is kept from the model: its number. */
const KEPT_BACK = 'variables kept back, as the file of the frame is by a rule or setting';

function keptBackFrame(index: number): ShownFrame {
  return { index, name: '(kept back)', place: '', isInternal: false };
}

/** Where a program goes outside the workspace is told: its runtime and its packages may lie there. */
export function isKeptBack(uri: vscode.Uri | undefined, denied: DeniedBy): boolean {
  const reason = uri && denied(uri);
  return reason !== undefined && reason !== OUTSIDE;
}

function shownFrame(
  frame: DapFrame,
  index: number,
  session: vscode.DebugSession | undefined,
): ShownFrame {
  const { name = 'unknown', line = 0, column = 0, source, presentationHint } = frame;
  const uri = sourceUri(source, session);
  const file = uri?.scheme === 'file' ? shownPath(uri) : (source?.name ?? source?.path);
  const isLabel = presentationHint === 'label' || file === undefined;
  return {
    index,
    name: oneLine(name, 80),
    place: isLabel ? '' : `${oneLine(file, 200)}:${line}${column > 0 ? `:${column}` : ''}`,
    isInternal: isLabel || presentationHint === 'deemphasize' || presentationHint === 'subtle',
  };
}

/** The file that rules are asked about: also of a text that the debugger has, as of one that has changed since. */
export function ruledUri(
  source: DapSource | undefined,
  session: vscode.DebugSession | undefined,
): vscode.Uri | undefined {
  const uri = sourceUri(source && { ...source, sourceReference: 0 }, session);
  return uri?.scheme === 'file' ? uri : sourceUri(source, session);
}

/** Undefined for a source that is no file on this machine: its text is the debugger's. */
export function sourceUri(
  source: DapSource | undefined,
  session: vscode.DebugSession | undefined,
): vscode.Uri | undefined {
  const path = source?.path;
  if (source === undefined || path === undefined || (source.sourceReference ?? 0) > 0) {
    return undefined;
  }
  try {
    // In a remote window the editor has made URIs of the paths, as the window sees them.
    if (path.startsWith('vscode-remote:')) return vscode.Uri.file(vscode.Uri.parse(path).path);
    // Such as a cell of a notebook; one letter is a drive.
    if (/^[a-z][\w+.-]+:/iu.test(path)) return vscode.Uri.parse(path);
    // What the runtime calls its own, as `<frozen importlib>`, is no file.
    if (path.startsWith('<')) return undefined;
    const folder = session && workingFolder(session);
    if (folder !== undefined && !isAbsolute(path)) return vscode.Uri.joinPath(folder, path);
    return vscode.debug.asDebugSourceUri(source, session);
  } catch {
    return undefined;
  }
}

/** To which the paths of a debugger are relative, where they are. */
function workingFolder({
  configuration: { cwd },
  workspaceFolder,
}: vscode.DebugSession): vscode.Uri | undefined {
  return typeof cwd === 'string' && isAbsolute(cwd) ? vscode.Uri.file(cwd) : workspaceFolder?.uri;
}

/** The line in the editor; nothing of a file outside, or that a rule keeps back. */
async function codeLine(
  denied: DeniedBy,
  uri: vscode.Uri | undefined,
  line: number,
): Promise<string | undefined> {
  if (uri?.scheme !== 'file' || line < 1 || denied(uri) !== undefined) return undefined;
  if (!(await linksStayInWorkspace(uri))) return undefined;
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return line <= document.lineCount ? document.lineAt(line - 1).text : undefined;
  } catch {
    return undefined;
  }
}

/** What was printed since this agent of the conversation was last told of it. */
function newOutput(run: DebugRun, ctx: ToolContext, limit: number): readonly string[] {
  const marks = marksOf(ctx);
  const mark = marks.get(run) ?? 0;
  const { length } = run.output;
  marks.set(run, length);
  return tailLines(run.output.sinceLine(mark), limit, length - mark);
}

type Marks = WeakMap<DebugRun, number>;

function marksOf(ctx: ToolContext): Marks {
  const byAgent = toolState(ctx, 'debugOutput', () => {
    const told = new Map<string | undefined, Marks>();
    ctx.onDidReset(() => told.clear());
    return told;
  });
  const marks: Marks = byAgent.get(ctx.agent) ?? new WeakMap();
  byAgent.set(ctx.agent, marks);
  return marks;
}

function terminalNote({ run, sessions }: LiveRun): readonly string[] {
  const root = sessions.get(run.root.id);
  const console: unknown = root?.configuration.console;
  const isElsewhere = console === 'integratedTerminal' || console === 'externalTerminal';
  return isElsewhere && run.output.length === 0 ? [`(the program prints into the ${console})`] : [];
}
