import * as vscode from 'vscode';
import { pause } from './boundedCall';
import { breakpointSchema, tryRead } from './debugProtocol';
import type { LiveRun } from './debugSessions';
import type { DebugDeps } from './debugThreads';
import { oneLine } from './resultBudget';

/** What the debuggers that run say of a breakpoint. */
export type Verification =
  | { readonly kind: 'noSession' }
  | { readonly kind: 'verified'; readonly line: number | undefined }
  | { readonly kind: 'unverified'; readonly message: string | undefined };

const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 50;

/** Features of a breakpoint, each with what an adapter calls it. */
const FEATURES = {
  condition: 'supportsConditionalBreakpoints',
  hits: 'supportsHitConditionalBreakpoints',
  log: 'supportsLogPoints',
} as const;

/** Asks, bounded, until one of them has bound it: they are told of a new one only after a while. */
export async function verification(
  { sessions }: DebugDeps,
  breakpoint: vscode.Breakpoint,
  signal: AbortSignal,
  waitMs = WAIT_MS,
): Promise<Verification> {
  const alive = sessions.alive();
  if (alive.length === 0) return { kind: 'noSession' };
  const deadline = Date.now() + waitMs;
  for (;;) {
    const state = await askAll(alive, breakpoint, signal);
    if (state.kind === 'verified' || Date.now() >= deadline || signal.aborted) return state;
    await pause(LOOK_EVERY_MS, signal);
  }
}

/** Ids of those that were removed here. The editor may tell late of one that was set just before. */
const removed = new Set<string>();

/** The editor's breakpoints, without those that are only told late. */
export function presentBreakpoints(): readonly vscode.Breakpoint[] {
  return vscode.debug.breakpoints.filter(({ id }) => !removed.has(id));
}

/**
 * Takes breakpoints away and waits, bounded, until the debuggers that run have heard of it: the program
 * would stop at one of them once more.
 */
export async function removeBreakpoints(
  { sessions }: DebugDeps,
  breakpoints: readonly vscode.Breakpoint[],
  signal: AbortSignal,
): Promise<void> {
  if (breakpoints.length === 0) return;
  const before = sessions
    .alive()
    .flatMap(({ run }) =>
      run.sessions.map(({ id }) => ({ run, id, answers: run.breakpointAnswers(id) })),
    );
  for (const { id } of breakpoints) removed.add(id);
  vscode.debug.removeBreakpoints(breakpoints);
  const deadline = Date.now() + WAIT_MS;
  const isOpen = (): boolean =>
    before.some(({ run, id, answers }) => run.has(id) && run.breakpointAnswers(id) <= answers);
  while (isOpen() && Date.now() < deadline && !signal.aborted) await pause(LOOK_EVERY_MS, signal);
}

/** Nothing for a plain one that is verified where it was asked for. */
export function describeVerified(state: Verification, line: number): string {
  switch (state.kind) {
    case 'noSession':
      return '';
    case 'verified':
      return state.line === undefined || state.line === line
        ? ', verified'
        : `, verified at line ${state.line}`;
    case 'unverified': {
      const reason = state.message === undefined ? '' : ` (${oneLine(state.message, 120)})`;
      return `, not verified${reason}: it may never stop`;
    }
  }
}

/** A line for each that a running debugger does not have. */
export function lackedFeatures(
  { sessions }: DebugDeps,
  wish: Readonly<Record<keyof typeof FEATURES, string | undefined>>,
): readonly string[] {
  return sessions
    .alive()
    .flatMap(({ run }) =>
      (['condition', 'hits', 'log'] as const)
        .filter(
          (feature) =>
            wish[feature] !== undefined && run.can(run.root.id, FEATURES[feature]) === false,
        )
        .map(
          (feature) => `the debugger "${run.root.type}" has no ${feature} (${FEATURES[feature]})`,
        ),
    );
}

async function askAll(
  alive: readonly LiveRun[],
  breakpoint: vscode.Breakpoint,
  signal: AbortSignal,
): Promise<Verification> {
  const sessions = alive.flatMap((live) => [...live.sessions.values()]);
  const answers = await Promise.all(
    sessions.map(async (session) => {
      const asked = Promise.resolve(session.getDebugProtocolBreakpoint(breakpoint)).catch(
        () => undefined,
      );
      const late = pause(WAIT_MS, signal).then(() => undefined);
      return tryRead(breakpointSchema, await Promise.race([asked, late]));
    }),
  );
  const verified = answers.find((one) => one?.verified === true);
  if (verified) return { kind: 'verified', line: verified.line };
  const messages = answers.flatMap((one) => one?.message ?? []);
  return { kind: 'unverified', message: messages.at(-1) };
}
