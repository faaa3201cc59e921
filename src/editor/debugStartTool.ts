import * as l10n from '@vscode/l10n';
import { describe, int, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { pause } from './boundedCall';
import { agentOf } from './debugAgent';
import { reportRun } from './debugReport';
import type { DebugRun } from './debugRun';
import { STEP_LIMITS } from './debugStepTool';
import type { DebugDeps } from './debugThreads';
import { findServed } from './findFile';
import { fileChoice, findChoice, type LaunchChoice, launchChoices } from './launchConfigs';
import { meant } from './meantWords';
import { leftByRules, lookAtRules } from './readGuard';
import { count, oneLine } from './resultBudget';
import { shownPath } from './servedFiles';
import { tailLines } from './terminalText';
import { answer, ToolProblem } from './toolProblem';
import { requireTrust } from './trust';
import { waitMs } from './waitSeconds';
import { refuseSeveral } from './writeTarget';

const LISTED = 60;
const DEFAULT_WAIT_S = 20;

export function createDebugStartTool(deps: DebugDeps): ToolDefinition {
  /** What other calls are about to begin: the editor tells of it only later. */
  const starting = new Set<string>();
  return defineTool({
    name: 'start',
    title: l10n.t('Start debugging'),
    description:
      'Debugs a launch configuration or file up to its first stop or end. No arguments: lists them.',
    input: object({
      config: optional(string()),
      path: optional(string().check(describe('file to run instead'))),
      wait: optional(int().check(describe('seconds'))),
    }),
    searchHint: 'debug a program: launch configurations',
    run: ({ wait, ...given }, ctx) =>
      answer(async () => {
        requireTrust('Debugging');
        const config = meant(given.config);
        const path = meant(given.path);
        if (config === undefined && path === undefined) return listChoices();
        const choice =
          config === undefined ? await chooseFile(deps, path ?? '') : findChoice(config);
        refuseTwice(deps, choice);
        const key = `${choice.folder?.uri.toString() ?? ''}\0${choice.name}`;
        if (starting.has(key)) throw twice(choice.name);
        if (ctx.signal.aborted) throw new ToolProblem('Stopped; nothing was started');
        starting.add(key);
        const settled = (): void => void starting.delete(key);
        return start(deps, choice, waitMs(wait, DEFAULT_WAIT_S), settled, ctx);
      }),
  });
}

function listChoices(): string {
  const all = launchChoices();
  if (all.length === 0) return '0 launch configurations. Give a path to debug a file';
  const lines = all.slice(0, LISTED).map(({ text }) => ` ${text}`);
  const rest = all.length > LISTED ? [`left: ${all.length - LISTED}`] : [];
  return [count(all.length, 'launch configuration'), ...lines, ...rest].join('\n');
}

async function chooseFile(deps: DebugDeps, path: string): Promise<LaunchChoice> {
  await refuseSeveral(path);
  const file = await findServed(path, deps.readGuard);
  if (file.uri.scheme !== 'file') {
    throw new ToolProblem(`${file.path} was never saved: a debugger runs files on the disk only`);
  }
  return fileChoice(file);
}

/** VS Code would ask the person whether a second one is meant; one of another folder may have the name. */
function refuseTwice({ sessions }: DebugDeps, choice: LaunchChoice): void {
  const twin = sessions
    .alive()
    .find(({ run, sessions: alive }) => isOf(choice, alive.get(run.root.id)));
  if (twin === undefined) return;
  throw twice(twin.name);
}

function twice(name: string): ToolProblem {
  return new ToolProblem(
    `"${oneLine(name, 80)}" is being debugged already: use state and step, or stop it first`,
  );
}

/** By its configuration and folder, as far as both are known: the editor itself numbers the names of sessions. */
function isOf({ sessions }: LaunchChoice, session: vscode.DebugSession | undefined): boolean {
  if (session === undefined) return false;
  const known = session.workspaceFolder?.uri.toString();
  return sessions.some(({ name, folder }) => {
    const wanted = folder?.uri.toString();
    return name === session.configuration.name && (known ?? wanted) === (wanted ?? known);
  });
}

async function start(
  deps: DebugDeps,
  choice: LaunchChoice,
  ms: number,
  settled: () => void,
  ctx: ToolContext,
): Promise<string> {
  const deadline = Date.now() + ms;
  const agent = agentOf(ctx);
  const begun: DebugRun[] = [];
  const listening = deps.sessions.onDidStart((run, session) => {
    if (session.parentSession !== undefined || !isOf(choice, session)) return;
    run.owner = agent;
    begun.push(run);
  });
  const asked = askEditor(choice);
  // What begins later, as behind its preLaunchTask, is the tool's as well.
  void asked.then(() => {
    listening.dispose();
    settled();
  });
  const started = await within(asked, ms, ctx.signal);
  if (started !== 'yes') return notStarted(deps, choice, begun, started, ctx);
  return firstStop(deps, choice, begun, deadline, ctx);
}

type Started = 'yes' | 'no' | 'pending';

/** Never rejects. */
async function askEditor({ folder, start: what }: LaunchChoice): Promise<Started> {
  try {
    // What is unsaved stays so: nobody asked for saving it.
    const options = { suppressSaveBeforeStart: true };
    return (await vscode.debug.startDebugging(folder, what, options)) ? 'yes' : 'no';
  } catch {
    return 'no';
  }
}

async function within(asked: Promise<Started>, ms: number, signal: AbortSignal): Promise<Started> {
  const done = new AbortController();
  const late = pause(ms, AbortSignal.any([signal, done.signal])).then((): Started => 'pending');
  try {
    return await Promise.race([asked, late]);
  } finally {
    done.abort();
  }
}

async function notStarted(
  deps: DebugDeps,
  { name }: LaunchChoice,
  [run]: readonly DebugRun[],
  started: Started,
  ctx: ToolContext,
): Promise<string> {
  if (run !== undefined && !run.isEnded && run.stops.length > 0) return report(deps, run, ctx);
  if (ctx.signal.aborted) throw new ToolProblem('Stopped waiting. See state');
  if (started === 'pending') {
    return `not started yet: "${name}". VS Code may be asking the person something, or runs its preLaunchTask. Look again with state`;
  }
  const text = run === undefined ? '' : ` ${tailLines(run.output.since(), 120).slice(1).join(' ')}`;
  throw new ToolProblem(
    `"${oneLine(name, 80)}" did not start; VS Code shows the person why. Check the configuration or the path.${text}`,
  );
}

async function firstStop(
  deps: DebugDeps,
  { name }: LaunchChoice,
  begun: readonly DebugRun[],
  deadline: number,
  ctx: ToolContext,
): Promise<string> {
  const [first] = begun;
  // Only where the editor asked no tracker for it.
  if (first === undefined) return `started: "${name}". See state`;
  const over = new AbortController();
  const signal = AbortSignal.any([ctx.signal, over.signal]);
  const left = Math.max(0, deadline - Date.now());
  await Promise.race(begun.map((run) => run.waitForStop(0, left, signal)));
  over.abort();
  const run =
    begun.find(({ stops }) => stops.length > 0) ?? begun.find((one) => !one.isEnded) ?? first;
  return [await report(deps, run, ctx), ...(await unsavedNote(deps))].join('\n');
}

function report(deps: DebugDeps, run: DebugRun, ctx: ToolContext): Promise<string> {
  return reportRun(deps, run, { limits: STEP_LIMITS, full: false }, ctx);
}

async function unsavedNote({ readGuard }: DebugDeps): Promise<readonly string[]> {
  const unsaved = vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
    .map(({ uri }) => uri);
  if (unsaved.length === 0) return [];
  const denied = await lookAtRules(readGuard, unsaved);
  const given = unsaved.filter((uri) => denied(uri) === undefined).map((uri) => shownPath(uri));
  const [kept] = leftByRules(unsaved.length - given.length);
  const names = oneLine(given.slice(0, 5).join(', '), 300);
  const parts = [names, kept].filter((part) => part !== undefined && part !== '');
  return [`not saved, so not in the program: ${parts.join(' ')}`];
}
