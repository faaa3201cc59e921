import * as l10n from '@vscode/l10n';
import { describe, enum as choice, int, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { boundedCall } from './boundedCall';
import { problemsNow, reportTask, type TasksDeps } from './taskReport';
import { findTask, refuseSeveralNames, taskMarks, taskName, tasksCalled } from './taskNames';
import type { TaskRun } from './taskRuns';
import { count, linesWithin, oneLine, RESULT_LIMIT } from './resultBudget';
import { answer, ToolProblem } from './toolProblem';
import { requireTrust } from './trust';
import { waitMs } from './waitSeconds';

const LIST_MS = 15_000;
const END_MS = 15_000;
const END_EVERY_MS = 1_000;
/** Tasks take minutes; the call's own time goes beyond that. */
const WAIT_MOST_S = 600;
const CALL_MS = (WAIT_MOST_S + 60) * 1_000;
const DEFAULT_WAIT_S = 60;
/** What never ends by itself is looked at soon. */
const BACKGROUND_WAIT_S = 5;

export function createTasksTool(deps: TasksDeps): ToolDefinition {
  return defineTool({
    name: 'tasks',
    title: l10n.t('Tasks'),
    description:
      'Tasks of the workspace. run waits and gives exit code, output, problems that came or went; status waits on.',
    input: object({
      action: choice(['list', 'run', 'status', 'stop']),
      name: optional(string().check(describe('as listed'))),
      wait: optional(int().check(describe('seconds'))),
    }),
    searchHint: 'run build, lint, npm script or other task',
    timeout: CALL_MS,
    run: ({ action, name, wait }, ctx) =>
      answer(async () => {
        requireTrust('Running tasks');
        if (action === 'list') return listTasks(name, ctx.signal);
        const wanted = name?.trim() ?? '';
        if (wanted === '') throw new ToolProblem(`${action} needs a name. action list gives them`);
        if (action === 'run') return runTask(deps, wanted, wait, ctx);
        const run = findRun(deps, wanted);
        if (action === 'stop') await endTask(deps, run, ctx.signal);
        const ms = waitMs(wait, run.execution.task.isBackground ? 0 : DEFAULT_WAIT_S, WAIT_MOST_S);
        if (action === 'status') await deps.tasks.waitForEnd(run.execution, ms, ctx.signal);
        return reportTask(deps, run, ctx);
      }),
  });
}

async function knownTasks(signal: AbortSignal): Promise<readonly vscode.Task[]> {
  const who = 'The list of tasks';
  return boundedCall(() => vscode.tasks.fetchTasks(), { timeoutMs: LIST_MS, signal, who });
}

async function listTasks(filter: string | undefined, signal: AbortSignal): Promise<string> {
  const running = new Set(vscode.tasks.taskExecutions.map(({ task }) => taskName(task)));
  const words = filter?.trim().toLowerCase() ?? '';
  const all = await knownTasks(signal);
  const shown = all.filter((task) => taskName(task).toLowerCase().includes(words));
  const described = shown.map((task) => {
    const name = taskName(task);
    return ` ${oneLine(name, 120)}${taskMarks(task, running.has(name))}`;
  });
  const lines = linesWithin(described, RESULT_LIMIT - 300);
  const left = shown.length - lines.length;
  return [
    count(shown.length, 'task'),
    ...lines,
    ...(left > 0 ? [`left: ${left}; give a part of the name`] : []),
  ].join('\n');
}

async function runTask(
  deps: TasksDeps,
  wanted: string,
  wait: number | undefined,
  ctx: ToolContext,
): Promise<string> {
  const task = findTask(await knownTasks(ctx.signal), wanted);
  const name = taskName(task);
  const twin = vscode.tasks.taskExecutions.find((one) => taskName(one.task) === name);
  // VS Code would ask the person whether to end the one that runs.
  if (twin !== undefined) {
    throw new ToolProblem(
      `"${oneLine(name, 80)}" is running already. status waits for it, stop ends it`,
    );
  }
  const before = await problemsNow(deps, ctx.signal);
  const startedAt = Date.now();
  const ms = waitMs(wait, task.isBackground ? BACKGROUND_WAIT_S : DEFAULT_WAIT_S, WAIT_MOST_S);
  const who = `The task "${oneLine(name, 80)}" (VS Code may be asking the person something; it)`;
  const execution = await boundedCall(() => vscode.tasks.executeTask(task), {
    timeoutMs: Math.max(ms, END_MS),
    signal: ctx.signal,
    who,
  });
  const run: TaskRun = { name, execution, startedAt, before };
  deps.tasks.add(run);
  await deps.tasks.waitForEnd(execution, ms, ctx.signal);
  return reportTask(deps, run, ctx);
}

/** The last that was started of those that run, else of all; one that began before we listened only while it runs. */
function findRun({ tasks }: TasksDeps, wanted: string): TaskRun {
  const seen = new Set(tasks.all().map(({ execution }) => execution));
  const others = vscode.tasks.taskExecutions.filter((execution) => !seen.has(execution));
  const all: readonly TaskRun[] = [
    ...others.map((execution) => ({ name: taskName(execution.task), execution })),
    ...tasks.all(),
  ];
  const taskOf = ({ execution }: TaskRun): vscode.Task => execution.task;
  const meant = tasksCalled(all, wanted, taskOf);
  const running = meant.filter(({ execution }) => !tasks.isOver(execution));
  refuseSeveralNames(running.map(taskOf));
  const last = running.at(-1) ?? meant.at(-1);
  if (last !== undefined) return last;
  const known = [...new Set(all.map(({ name }) => name))]
    .slice(-5)
    .map((each) => `"${oneLine(each, 40)}"`);
  throw new ToolProblem(
    `"${oneLine(wanted, 60)}" was not run. ${known.length > 0 ? `There are: ${known.join(', ')}` : 'Use action run'}`,
  );
}

async function endTask(deps: TasksDeps, run: TaskRun, signal: AbortSignal): Promise<void> {
  const { execution, name } = run;
  const others = deps.tasks.awaited(run).map((one) => `"${oneLine(one, 40)}"`);
  // The editor ends only what has a process.
  if (!deps.tasks.isOver(execution) && others.length > 0) {
    throw new ToolProblem(
      `"${oneLine(name, 60)}" waits for tasks that run: stop ${others.join(', ')}`,
    );
  }
  const deadline = Date.now() + END_MS;
  while (!deps.tasks.isOver(execution)) {
    if (Date.now() >= deadline || signal.aborted) {
      throw new ToolProblem(`"${oneLine(name, 80)}" did not end yet. See status`);
    }
    // Again and again: a task that has only just been started is not yet there to be ended.
    execution.terminate();
    await deps.tasks.waitForEnd(execution, END_EVERY_MS, signal);
  }
}
