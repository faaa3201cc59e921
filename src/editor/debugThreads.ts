import { readFrames, readThreads } from './debugProtocol';
import { ANSWER_MS, askDebugger } from './debugRequest';
import { type DebugRun, type DebugStop, FIRST_THREAD } from './debugRun';
import type { DebugSessions, LiveRun } from './debugSessions';
import type { ShownThread } from './formatDebug';
import type { ReadGuard } from './readGuard';
import { ToolProblem } from './toolProblem';

export interface DebugDeps {
  readonly sessions: DebugSessions;
  readonly readGuard?: ReadGuard;
  /** Milliseconds that a debugger may take for one answer. */
  readonly answerMs?: number;
}

/** A thread that stands still, in its session. */
export interface StoppedThread {
  readonly sessionId: string;
  readonly threadId: number;
  readonly stop: DebugStop;
}

const PROBED_THREADS = 10;
const PROBE_MS = 2_000;

export type AskOf = (command: string, args?: object) => Promise<unknown>;

export function askOf(
  { answerMs = ANSWER_MS }: DebugDeps,
  live: LiveRun,
  sessionId: string,
  signal: AbortSignal,
): AskOf {
  return (command, args) =>
    askDebugger(
      live,
      sessionId,
      { command, ...(args ? { args } : {}) },
      { timeoutMs: answerMs, signal },
    );
}

/**
 * The thread that is meant, which must stand still; without a number the one that stopped last.
 * @throws ToolProblem where it runs, or there is no such thread
 */
export async function pickThread(
  deps: DebugDeps,
  live: LiveRun,
  number: number | undefined,
  signal: AbortSignal,
): Promise<StoppedThread> {
  const { run } = live;
  const last = run.stops.at(-1);
  if (last === undefined) {
    throw new ToolProblem('Nothing is stopped: the program runs. step with action pause, or wait');
  }
  if (number === undefined) return stoppedAt(deps, live, last, signal);
  const found = await findThread(deps, live, number, signal);
  const stop = stopOf(run, found.sessionId, found.threadId);
  if (stop === undefined) throw new ToolProblem(`Thread ${number} is running; it has no frames`);
  return { sessionId: found.sessionId, threadId: found.threadId, stop };
}

async function findThread(
  deps: DebugDeps,
  live: LiveRun,
  number: number,
  signal: AbortSignal,
): Promise<KnownThread> {
  const threads = await allThreads(deps, live, signal);
  const found = threads.find((thread) => thread.number === number);
  if (found !== undefined) return found;
  const names = threads.map((thread) => String(thread.number)).join(', ');
  throw new ToolProblem(`No thread ${number}. There are: ${names || 'none'}`);
}

async function stoppedAt(
  deps: DebugDeps,
  live: LiveRun,
  stop: DebugStop,
  signal: AbortSignal,
): Promise<StoppedThread> {
  const { sessionId } = stop;
  if (stop.threadId !== FIRST_THREAD) return { sessionId, threadId: stop.threadId, stop };
  const [first] = readThreads(await askOf(deps, live, sessionId, signal)('threads'));
  return { sessionId, threadId: first?.id ?? 0, stop };
}

function stopOf(run: DebugRun, sessionId: string, threadId: number): DebugStop | undefined {
  const ofSession = run.stops.filter((stop) => stop.sessionId === sessionId);
  return (
    ofSession.find((stop) => stop.threadId === threadId) ??
    ofSession.find((stop) => stop.allThreads || stop.threadId === FIRST_THREAD)
  );
}

interface KnownThread {
  readonly number: number;
  readonly name: string;
  readonly sessionId: string;
  readonly threadId: number;
}

/** Of all sessions of the run. A session that keeps silent has none, unless all do. */
export async function allThreads(
  deps: DebugDeps,
  live: LiveRun,
  signal: AbortSignal,
): Promise<readonly KnownThread[]> {
  const { run } = live;
  const asked = await Promise.allSettled(
    [...live.sessions.keys()].map(async (sessionId) => {
      const body = await askOf(deps, live, sessionId, signal)('threads');
      return readThreads(body).map(({ id, name = '' }) => ({
        number: run.threadNumber(sessionId, id),
        name,
        sessionId,
        threadId: id,
      }));
    }),
  );
  const failed = asked.find((one) => one.status === 'rejected');
  const threads = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (threads.length === 0 && failed) throw failed.reason;
  return threads;
}

/** The thread of this number, or any where none is given. @throws ToolProblem where there is no such thread */
export async function standsStill(
  deps: DebugDeps,
  live: LiveRun,
  number: number | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (number === undefined || live.run.stops.length === 0) return live.run.stops.length > 0;
  const { sessionId, threadId } = await findThread(deps, live, number, signal);
  return stopOf(live.run, sessionId, threadId) !== undefined;
}

export async function listThreads(
  deps: DebugDeps,
  live: LiveRun,
  signal: AbortSignal,
): Promise<readonly ShownThread[]> {
  const threads = await allThreads(deps, live, signal);
  return threads.map(({ number, name, sessionId, threadId }) => ({
    number,
    name,
    stopped: stopOf(live.run, sessionId, threadId)?.reason,
  }));
}

/** Asks a run that began before anybody listened where it stands: a stack is given only at a stop. */
export async function probeUntracked(live: LiveRun, signal: AbortSignal): Promise<void> {
  const { run, sessions } = live;
  if (run.isTracked || run.isEnded) return;
  const bounds = { timeoutMs: PROBE_MS, signal };
  const stops: DebugStop[] = [];
  for (const sessionId of sessions.keys()) {
    try {
      const body = await askDebugger(live, sessionId, { command: 'threads' }, bounds);
      for (const { id } of readThreads(body).slice(0, PROBED_THREADS)) {
        const args = { threadId: id, startFrame: 0, levels: 1 };
        const stack = await askDebugger(live, sessionId, { command: 'stackTrace', args }, bounds);
        if (readFrames(stack).length === 0) continue;
        const stop = {
          sessionId,
          threadId: id,
          reason: 'paused',
          text: undefined,
          allThreads: false,
        };
        stops.push(stop);
      }
    } catch (error) {
      // It runs: that is what refusing a stack means.
      if (!(error instanceof ToolProblem)) throw error;
    }
  }
  run.setStops(stops);
}
