import * as vscode from 'vscode';
import type { ToolContext } from '../mcp/toolContext';
import { pause } from './boundedCall';
import { describeList, listProblems, type ProblemList } from './formatDiagnostics';
import { tellNamed } from './namedFiles';
import { compareProblems, formatChanges } from './problemChanges';
import { collectProblems } from './problemScope';
import { linesWithRest, oneLine, RESULT_LIMIT } from './resultBudget';
import type { TaskRun, TaskRuns } from './taskRuns';
import { seconds, type SeenCommand, type TerminalLog } from './terminalLog';
import { OutputTail, tailLines } from './terminalText';
import type { ProblemDeps } from './toolDeps';

export interface TasksDeps extends ProblemDeps {
  readonly tasks: TaskRuns;
  readonly terminals: TerminalLog;
}

/** Problem matchers report a moment after the end. */
const SETTLE_MS = 700;
const PROBLEMS_LIMIT = 2_000;
const OUTPUT_LIMIT = 2_500;
const FAILED_OUTPUT_LIMIT = 3_500;
/** For the line above an output. */
const TITLE_ROOM = 80;

/** The errors and warnings that the editor has now, whoever reported them. */
export async function problemsNow(deps: ProblemDeps, signal: AbortSignal): Promise<ProblemList> {
  const collected = await collectProblems({ kind: 'tree', name: '' }, deps, {
    wait: false,
    signal,
  });
  return listProblems(collected.files, 'warning');
}

/** How a task stands: its end with the exit code, the problems that came or went, what it printed. */
export async function reportTask(deps: TasksDeps, run: TaskRun, ctx: ToolContext): Promise<string> {
  const { execution } = run;
  const isOver = deps.tasks.isOver(execution);
  const { exitCode } = deps.tasks.eventsOf(execution);
  if (isOver) await pause(SETTLE_MS, ctx.signal);
  const now = await problemsNow(deps, ctx.signal);
  const problems = describeProblems(run, now);
  const above = [describeRun(deps, run), ...problems].join('\n');
  const most = exitCode === 0 ? OUTPUT_LIMIT : FAILED_OUTPUT_LIMIT;
  const limit = Math.min(most, RESULT_LIMIT - above.length - TITLE_ROOM);
  const output = hasNotBegun(deps, run) ? [] : await outputOf(deps, run, limit);
  const text = [above, ...output].join('\n');
  const paths = [...now.files, ...(run.before?.files ?? [])].map(({ path }) => path);
  return tellNamed(text, paths, ctx);
}

function describeRun(deps: TasksDeps, run: TaskRun): string {
  const { execution, name } = run;
  const task = `task "${oneLine(name, 100)}"`;
  const { exitCode } = deps.tasks.eventsOf(execution);
  const ms = deps.tasks.duration(run);
  if (hasNotBegun(deps, run)) {
    return `${task} did not begin: one that it depends on has failed, it could not be started, or the person dismissed what it asks${describeParts(deps, run)}`;
  }
  if (deps.tasks.isOver(execution)) {
    const code = exitCode === undefined ? 'no exit code told' : `exit code ${exitCode}`;
    const parts = exitCode === undefined ? describeParts(deps, run) : '';
    return `${task} ended, ${code}${ms === undefined ? '' : `, ${seconds(ms)}`}${parts}`;
  }
  const kind = execution.task.isBackground ? ' (a background task, it goes on)' : '';
  const time = ms === undefined ? '' : ` after ${seconds(ms)}`;
  const others = deps.tasks.awaited(run).map((one) => `"${oneLine(one, 80)}"`);
  if (others.length > 0) {
    return `${task} waits${time} for ${oneLine(others.join(', '), 200)}. status waits on; to end it stop those`;
  }
  return `${task} is still running${time}${kind}. status waits on, stop ends it`;
}

/** It has ended, and the editor never told that what it is made of was started. */
function hasNotBegun({ tasks }: TasksDeps, { execution, startedAt }: TaskRun): boolean {
  const { hasStarted = false, processId, exitCode } = tasks.eventsOf(execution);
  const work = execution.task.execution;
  const isProcess =
    work instanceof vscode.ShellExecution || work instanceof vscode.ProcessExecution;
  const hasBegun = hasStarted || processId !== undefined || exitCode !== undefined;
  return startedAt !== undefined && isProcess && !hasBegun && tasks.isOver(execution);
}

/** One without a process tells nothing but that it ended, also where what it depends on has failed. */
function describeParts({ tasks }: TasksDeps, run: TaskRun): string {
  const parts = tasks.endedSince(run).map(([name, code]) => `"${name}" ${code}`);
  return parts.length === 0
    ? ''
    : `; exit codes of tasks that ran meanwhile: ${oneLine(parts.join(', '), 400)}`;
}

function describeProblems(run: TaskRun, now: ProblemList): readonly string[] {
  if (run.before === undefined) return [];
  const changes = compareProblems(run.before, now);
  const moved = changes.addedCount + changes.fixed.length + changes.closed;
  if (moved === 0) return [`problems: no change, ${describeList(now)}`];
  // No pages: diagnostics gives them.
  const request = { from: 0, full: false, cursor: () => 'none, use diagnostics' };
  const [title = '', ...lines] = formatChanges(changes, now, request).split('\n');
  return [`problems: ${title}`, ...linesWithRest(lines, PROBLEMS_LIMIT, '… the rest: diagnostics')];
}

async function outputOf(
  { terminals, tasks }: TasksDeps,
  run: TaskRun,
  limit: number,
): Promise<readonly string[]> {
  const { processId } = tasks.eventsOf(run.execution);
  // A terminal goes on: other tasks use it again, and the person types in it.
  const until = tasks.endedAt(run.execution) + SETTLE_MS;
  const seen = terminals
    .commands()
    .filter(({ startedAt }) => startedAt >= (run.startedAt ?? 0) && startedAt <= until);
  const all: SeenCommand[] = [];
  for (const command of seen.reverse()) {
    if (await isOfTask(command, run.execution.task, processId)) all.push(command);
  }
  // Of one whose start was not seen: runs before it have printed into the same terminal.
  const found = run.startedAt === undefined ? all.slice(-1) : all;
  const tail = new OutputTail(16_000);
  for (const { output } of found) tail.push(output.since());
  const length = found.reduce((sum, { output }) => sum + output.length, 0);
  const lines = tailLines(tail.since(), limit, length);
  if (lines.length > 0) return lines;
  return found.length > 0
    ? ['output: none']
    : ["output: not captured (the task's terminal shows it)"];
}

/** By the name that its terminal has, or had then: the next task renames it. */
async function isOfTask(
  { terminal, terminalName }: SeenCommand,
  task: vscode.Task,
  processId: number | undefined,
): Promise<boolean> {
  const plain = [task.name, `${task.source}: ${task.name}`];
  // In a window with several folders the editor puts that of the task behind.
  const folder = typeof task.scope === 'object' ? task.scope.name : undefined;
  const names = plain.flatMap((name) =>
    folder === undefined ? [name] : [name, `${name} (${folder})`],
  );
  if (names.includes(terminal.name) || names.includes(terminalName)) return true;
  const pid = await Promise.race([terminal.processId, Promise.resolve(undefined)]);
  return pid !== undefined && pid === processId;
}
