import * as l10n from '@vscode/l10n';
import { describe, enum as choice, int, object, optional, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolContext } from '../mcp/toolContext';
import { pause } from './boundedCall';
import { agentOf } from './debugAgent';
import { reportRun } from './debugReport';
import { answerOrStop, SilentDebugger } from './debugRequest';
import type { DebugRun, WaitEnd } from './debugRun';
import type { LiveRun } from './debugSessions';
import {
  allThreads,
  askOf,
  type DebugDeps,
  pickThread,
  probeUntracked,
  standsStill,
  type StoppedThread,
} from './debugThreads';
import { waitMs } from './waitSeconds';
import { answer, ToolProblem } from './toolProblem';

const REQUESTS = { over: 'next', in: 'stepIn', out: 'stepOut', continue: 'continue' } as const;

const input = object({
  action: choice(['over', 'in', 'out', 'continue', 'pause', 'wait']),
  session: optional(string()),
  thread: optional(int()),
  wait: optional(int().check(describe('seconds'))),
});

export const STEP_LIMITS = { depth: 1, each: 12, from: 0 } as const;
const DEFAULT_WAIT_S = 20;
const PROBE_EVERY_MS = 300;

export function createDebugStepTool(deps: DebugDeps): ToolDefinition {
  return defineTool({
    name: 'step',
    title: l10n.t('Step'),
    description:
      'Moves the program on and waits until it stops or ends: place, variables, output, exit code.',
    input,
    searchHint: 'debugger: step over, into, out, continue, pause',
    run: ({ action, session, thread, wait }, ctx) =>
      answer(async () => {
        const { sessions } = deps;
        const agent = agentOf(ctx);
        const live =
          action === 'wait' ? sessions.pick(session, agent) : sessions.pickToMove(session, agent);
        await probeUntracked(live, ctx.signal);
        const { run } = live;
        const before = run.stopCount;
        const ms = waitMs(wait, DEFAULT_WAIT_S);
        const deadline = Date.now() + ms;
        let silent: SilentDebugger | undefined;
        if (action === 'wait' || action === 'pause') {
          if (await standsStill(deps, live, thread, ctx.signal)) {
            return report(deps, live, ctx, thread);
          }
          if (action === 'pause') await pauseRun(deps, live, thread, ctx);
        } else {
          const { sessionId, threadId } = await pickThread(deps, live, thread, ctx.signal);
          const asked = goOn(deps, live, { sessionId, threadId }, REQUESTS[action], ctx);
          silent = await answeredOrStopped(asked, run, before, ctx.signal);
        }
        const left = silent === undefined ? ms : Math.max(0, deadline - Date.now());
        const end = await waitForStop(live, before, left, ctx.signal);
        if (end === 'timeout' && silent) throw silent;
        if (end === 'cancelled') throw new ToolProblem('Stopped waiting; the program goes on');
        const told = await report(deps, live, ctx);
        if (end !== 'timeout' || run.stops.length === 0) return told;
        return `no new stop in ${ms / 1_000} s; what stood before:\n${told}`;
      }),
  });
}

function report(
  deps: DebugDeps,
  { run }: LiveRun,
  ctx: ToolContext,
  thread?: number,
): Promise<string> {
  return reportRun(deps, run, { thread, limits: STEP_LIMITS, full: false }, ctx);
}

/** That the program ends is an answer to the request as well. */
async function goOn(
  deps: DebugDeps,
  live: LiveRun,
  { sessionId, threadId }: Pick<StoppedThread, 'sessionId' | 'threadId'>,
  request: string,
  { signal }: ToolContext,
): Promise<void> {
  try {
    await askOf(deps, live, sessionId, signal)(request, { threadId });
  } catch (error) {
    if (!live.run.isEnded) throw error;
  }
}

/** @returns the silence of one that may answer yet */
async function answeredOrStopped(
  asked: Promise<void>,
  run: DebugRun,
  after: number,
  signal: AbortSignal,
): Promise<SilentDebugger | undefined> {
  try {
    // That it has stopped is an answer too.
    await answerOrStop(asked, { run, after, signal }, () => undefined);
    return undefined;
  } catch (error) {
    if (error instanceof SilentDebugger) return error;
    throw error;
  }
}

async function pauseRun(
  deps: DebugDeps,
  live: LiveRun,
  number: number | undefined,
  { signal }: ToolContext,
): Promise<void> {
  const thread = await runningThread(deps, live, number, signal);
  if (thread === undefined) throw new ToolProblem('There is no such thread to pause. See state');
  await askOf(deps, live, thread.sessionId, signal)('pause', { threadId: thread.threadId });
}

/** That of the number, or the first; one that was told of where the debugger lists them only at a stop. */
async function runningThread(
  deps: DebugDeps,
  live: LiveRun,
  number: number | undefined,
  signal: AbortSignal,
): Promise<Pick<StoppedThread, 'sessionId' | 'threadId'> | undefined> {
  try {
    const threads = await allThreads(deps, live, signal);
    return threads.find((one) => number === undefined || one.number === number);
  } catch (error) {
    if (number !== undefined || live.run.lastThread === undefined) throw error;
    return live.run.lastThread;
  }
}

/** A run whose messages are not seen is asked again and again. */
async function waitForStop(
  live: LiveRun,
  before: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<WaitEnd> {
  if (live.run.isTracked) return live.run.waitForStop(before, timeoutMs, signal);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    await pause(PROBE_EVERY_MS, signal);
    if (signal.aborted) return 'cancelled';
    if (live.run.isEnded) return 'ended';
    await probeUntracked(live, signal);
    if (live.run.stops.length > 0) return 'stopped';
    if (Date.now() >= deadline) return 'timeout';
  }
}
