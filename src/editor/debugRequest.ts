import type * as vscode from 'vscode';
import { errorMessage } from '../base/errors';
import { boundedCall } from './boundedCall';
import type { DebugRun } from './debugRun';
import type { LiveRun } from './debugSessions';
import { ToolProblem } from './toolProblem';

/** Milliseconds that a debugger may take for an answer, unless said otherwise. */
export const ANSWER_MS = 10_000;

/** Longer than any debugger is waited for. */
const ANSWER_MOST_MS = 600_000;

export interface RequestBounds {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a session of a run. A debugger need not answer: one that does not know a request may keep
 * silent (Node's does), and one whose program has ended as well.
 * @throws ToolProblem that names the debugger and the request
 */
export async function askDebugger(
  { run, sessions }: LiveRun,
  sessionId: string,
  request: { readonly command: string; readonly args?: object },
  bounds: RequestBounds,
): Promise<unknown> {
  const session = sessions.get(sessionId);
  if (session === undefined || run.isEnded) throw ended(request.command);
  const stopWaiting = new AbortController();
  const signal = AbortSignal.any([bounds.signal, stopWaiting.signal]);
  const answered = boundedCall<unknown>(() => ask(session, request), {
    timeoutMs: bounds.timeoutMs,
    signal,
    who: `The debugger "${session.type}"`,
  });
  const over = run.waitForEnd(bounds.timeoutMs + 1_000, signal).then((end) => {
    if (end === 'ended') throw ended(request.command);
    // The other one settles first.
    return answered;
  });
  try {
    return await Promise.race([answered, over]);
  } catch (error) {
    // The editor drops what is open as a session ends, a moment before it tells of the end.
    if (isDropped(error)) await run.waitForEnd(DROPPED_MS, bounds.signal);
    if (hasEnded(run)) throw ended(request.command);
    throw silent(error, session, request.command);
  } finally {
    stopWaiting.abort();
    over.catch(() => undefined);
    answered.catch(() => undefined);
  }
}

/**
 * What was asked of a run, or what is made of a stop that comes before the answer: some debuggers
 * answer only as the program stops again, or goes on, or never.
 * @param after the stops that there were before it was asked
 */
export async function answerOrStop<T>(
  asked: Promise<T>,
  { run, after, signal }: { run: DebugRun; after: number; signal: AbortSignal },
  onStop: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const stopped = run
    .waitForStop(after, ANSWER_MOST_MS, either)
    .then((end) => (end === 'stopped' ? onStop(either) : asked));
  try {
    return await Promise.race([asked, stopped]);
  } finally {
    done.abort();
    for (const one of [asked, stopped]) one.catch(() => undefined);
  }
}

async function ask(
  session: vscode.DebugSession,
  { command, args }: { readonly command: string; readonly args?: object },
): Promise<unknown> {
  try {
    return (await session.customRequest(command, args)) as unknown;
  } catch (cause) {
    throw new Refusal(errorMessage(cause), { cause });
  }
}

const DROPPED_MS = 3_000;

function isDropped(error: unknown): boolean {
  const cause = error instanceof ToolProblem ? error.cause : undefined;
  return cause instanceof Refusal && /cancell?ed/iu.test(cause.message);
}

/** The debugger has not answered in its time: the next question may take as long. */
export class SilentDebugger extends ToolProblem {}

/** The debugger has answered, and its answer is no. */
class Refusal extends Error {}

function silent(error: unknown, { type }: vscode.DebugSession, command: string): Error {
  if (!(error instanceof ToolProblem))
    return new ToolProblem(errorMessage(error), { cause: error });
  if (error.cause instanceof Refusal) {
    const text = `The debugger "${type}" refused or lacks the request ${command}: ${error.cause.message}`;
    return new ToolProblem(text, { cause: error });
  }
  if (error.message.includes('did not answer')) {
    const seconds = /in ([\d.]+ s)/u.exec(error.message)?.[1] ?? 'time';
    return new SilentDebugger(
      `The debugger "${type}" did not answer the request ${command} in ${seconds}: it may lack it, or the program is busy (step with action pause)`,
      { cause: error },
    );
  }
  return error;
}

/** A call, since what was true before a wait need not be after it. */
function hasEnded({ isEnded }: LiveRun['run']): boolean {
  return isEnded;
}

function ended(command: string): ToolProblem {
  return new ToolProblem(`The session ended before it answered ${command}. See state`);
}
