import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { DebugAgent } from './debugAgent';
import { DebugRun, type SessionName } from './debugRun';
import { isToldAs } from './meantWords';
import { oneLine } from './resultBudget';
import { ToolProblem } from './toolProblem';

/** Ended runs that are still told of: which exit code, what was printed last. */
const ENDED_KEPT = 3;

/** A run with the sessions that requests go to. */
export interface LiveRun {
  readonly run: DebugRun;
  /** By id, those that are alive. */
  readonly sessions: ReadonlyMap<string, vscode.DebugSession>;
  /** That of the run. */
  readonly name: string;
}

/**
 * All that is debugged in this window. There is no list of sessions to ask for: they are known from
 * the trackers that are made for them, and what began before that only while it is the active one.
 */
export class DebugSessions implements Disposable {
  readonly #store = new DisposableStore();
  readonly #sessions = new Map<string, vscode.DebugSession>();
  /** By the id of the root session: those that are alive in the order of their start, those that have ended in that of their end. */
  readonly #runs = new Map<string, DebugRun>();
  /** By name, the number that was given last. */
  readonly #numbers = new Map<string, number>();
  /** Roots of those that are known only because one of them is the active one. */
  readonly #onlyActive = new Set<string>();
  /** The editor may name one as active for a while after its end. */
  readonly #gone = new WeakSet<vscode.DebugSession>();
  readonly #onStart = new Set<(run: DebugRun, session: vscode.DebugSession) => void>();

  constructor() {
    this.#store.add(
      vscode.debug.onDidTerminateDebugSession((session) => {
        this.#ended(session);
      }),
    );
  }

  /** For the editor's factory of trackers, as a session begins. */
  track(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    const run = this.#join(session, true);
    this.#onlyActive.delete(run.root.id);
    for (const tell of this.#onStart) tell(run, session);
    return {
      onWillReceiveMessage: (message: unknown) => {
        this.#runOf(session.id, run).sent(session.id, message);
      },
      onDidSendMessage: (message: unknown) => {
        this.#runOf(session.id, run).received(session.id, message);
      },
    };
  }

  /** Calls back for each session that begins until the result is disposed. */
  onDidStart(tell: (run: DebugRun, session: vscode.DebugSession) => void): Disposable {
    this.#onStart.add(tell);
    return { dispose: () => this.#onStart.delete(tell) };
  }

  /** Those that are alive, the one that was begun last comes last. */
  alive(): readonly LiveRun[] {
    const { activeDebugSession: active } = vscode.debug;
    // Only while it is active can one be seen that began before we listened.
    const isNew = active !== undefined && !this.#sessions.has(active.id);
    if (isNew && !this.#gone.has(active)) this.#onlyActive.add(this.#join(active, false).root.id);
    this.#forgetInactive(active?.id ?? '');
    return [...this.#runs.values()].filter(({ isEnded }) => !isEnded).map((run) => this.#live(run));
  }

  /** The last to end of those that this one began, else of all. */
  lastEnded(agent: DebugAgent): DebugRun | undefined {
    const ended = [...this.#runs.values()].filter(({ isEnded }) => isEnded);
    return ended.findLast(({ owner }) => owner === agent) ?? ended.at(-1);
  }

  /** The last of this name to end, where none of it is alive. */
  endedOf(name: string): DebugRun | undefined {
    const ended = [...this.#runs.values()].filter(({ isEnded }) => isEnded);
    const isAlive = this.alive().some((run) => isToldAs(run.name, name));
    return isAlive ? undefined : ended.findLast((run) => isToldAs(run.name, name));
  }

  /**
   * The run that is meant: the named one; else of those that this one began the last that stands, or
   * the last; else the active one.
   * @throws ToolProblem where there is none, or several have the name
   */
  pick(name: string | undefined, agent: DebugAgent): LiveRun {
    const alive = this.alive();
    const wanted = name?.trim() ?? '';
    if (wanted !== '') return named(alive, wanted);
    const began = alive.filter(({ run }) => run.owner === agent);
    const own = began.findLast(({ run }) => run.stops.length > 0) ?? began.at(-1);
    const activeId = vscode.debug.activeDebugSession?.id ?? '';
    const active = alive.find(({ run }) => run.has(activeId)) ?? alive.at(-1);
    const picked = own ?? active;
    if (picked === undefined) throw new ToolProblem(this.#nothing(agent));
    return picked;
  }

  /**
   * The same, for what moves or changes a program: that of another agent is meant only by its name, and
   * that of the person as well where the one that was begun has ended.
   */
  pickToMove(name: string | undefined, agent: DebugAgent): LiveRun {
    const picked = this.pick(name, agent);
    const { owner } = picked.run;
    const last = this.lastEnded(agent);
    const own = last?.owner === agent ? last : undefined;
    const isPlain = owner === agent || (owner === undefined && own === undefined);
    if ((name?.trim() ?? '') !== '' || isPlain) return picked;
    const ended = own === undefined ? '' : `${describeEnd(own)}. `;
    const whose = owner === undefined ? 'the person debugs' : 'another agent began';
    throw new ToolProblem(
      `${ended}To move what ${whose}, name it as session: "${oneLine(picked.name, 80)}"`,
    );
  }

  /** A run as it is now. */
  live(run: DebugRun): LiveRun {
    return this.#live(run);
  }

  dispose(): void {
    this.#store.dispose();
    for (const run of this.#runs.values()) run.dispose();
  }

  /** One that ended before we listened, but was still named as active then, would live for ever. */
  #forgetInactive(activeId: string): void {
    for (const id of this.#onlyActive) {
      const run = this.#runs.get(id);
      if (run?.has(activeId) === true) continue;
      this.#onlyActive.delete(id);
      if (run === undefined || run.isEnded) continue;
      this.#runs.delete(id);
      for (const { id: session } of run.sessions) this.#sessions.delete(session);
    }
  }

  #nothing(agent: DebugAgent): string {
    const last = this.lastEnded(agent);
    if (last === undefined) return 'Nothing is being debugged. Begin with start';
    return `Nothing is being debugged: ${describeEnd(last)}. Begin with start`;
  }

  #live(run: DebugRun): LiveRun {
    const sessions = new Map(
      run.sessions.flatMap(({ id }) => {
        const session = this.#sessions.get(id);
        return session ? [[id, session] as const] : [];
      }),
    );
    return { run, sessions, name: run.name };
  }

  /** As long as one of the name lives a number means the same one: `stop` must not end another. */
  #numberFor(name: string): number {
    const isTaken = [...this.#runs.values()].some((run) => !run.isEnded && run.root.name === name);
    const number = isTaken ? (this.#numbers.get(name) ?? 1) + 1 : 1;
    this.#numbers.set(name, number);
    return number;
  }

  #join(session: vscode.DebugSession, isTracked: boolean): DebugRun {
    this.#sessions.set(session.id, session);
    const root = this.#rootOf(session);
    const known = this.#runs.get(root.id);
    const isRoot = root.id === session.id;
    // A session that is restarted ends, and begins anew under its id.
    const isAnew = known === undefined || (known.isEnded && isRoot);
    const run = isAnew ? this.#begin(root, isTracked && isRoot, known) : known;
    run.add(nameOf(session));
    return run;
  }

  #begin(root: vscode.DebugSession, isTracked: boolean, before: DebugRun | undefined): DebugRun {
    const number = before?.number ?? this.#numberFor(root.name);
    const run = new DebugRun(nameOf(root), isTracked, number);
    run.owner = before?.owner;
    before?.dispose();
    this.#runs.delete(root.id);
    this.#runs.set(root.id, run);
    this.#sessions.set(root.id, root);
    return run;
  }

  /** The one that a session is in now: one that outlives its root goes on in another. */
  #runOf(sessionId: string, before: DebugRun): DebugRun {
    if (before.has(sessionId)) return before;
    return [...this.#runs.values()].find((run) => run.has(sessionId)) ?? before;
  }

  /** The uppermost that is alive. */
  #rootOf(session: vscode.DebugSession): vscode.DebugSession {
    let root = session;
    for (let next = root.parentSession; next && !this.#gone.has(next); next = root.parentSession) {
      root = next;
    }
    return root;
  }

  #ended(session: vscode.DebugSession): void {
    this.#gone.add(session);
    this.#sessions.delete(session.id);
    for (const [id, run] of [...this.#runs]) {
      if (!run.has(session.id)) continue;
      const left = run.outlive(session.id);
      run.ended(session.id);
      if (!run.isEnded) continue;
      this.#runs.delete(id);
      this.#runs.set(id, run);
      for (const part of left) {
        const child = this.#sessions.get(part.session.id);
        if (child) this.#join(child, run.isTracked).takeOver(part, run.owner);
      }
    }
    const ended = [...this.#runs].filter(([, run]) => run.isEnded);
    for (const [id] of ended.slice(0, -ENDED_KEPT)) this.#runs.delete(id);
  }
}

/** `"app" has ended with exit code 3`. */
export function describeEnd(run: DebugRun): string {
  const { exitCode, name, hasPlainEnd } = run;
  if (exitCode !== undefined) return `"${name}" has ended with exit code ${exitCode}`;
  const code = hasPlainEnd
    ? ' with exit code 0 (its debugger told no other)'
    : ', no exit code told';
  return `"${name}" has ended${code}`;
}

function named(alive: readonly LiveRun[], wanted: string): LiveRun {
  const found = alive.find(({ name }) => name === wanted) ?? sole(alive, wanted);
  if (found !== undefined) return found;
  const names = alive.map(({ name }) => `"${name}"`).join(', ');
  throw new ToolProblem(
    `No session "${wanted}" is being debugged. ${names === '' ? 'None is' : `There are: ${names}`}`,
  );
}

/** The name of a child, or as it was told, will do where it is plain what is meant. */
function sole(alive: readonly LiveRun[], wanted: string): LiveRun | undefined {
  const fits = ({ name, run }: LiveRun): boolean =>
    [name, ...run.sessions.map((session) => session.name)].some((each) => isToldAs(each, wanted));
  const found = alive.filter(fits);
  return found.length === 1 ? found[0] : undefined;
}

/** The name that it was begun under: VS Code puts the parent's behind a child's. */
function nameOf(session: vscode.DebugSession): SessionName {
  const { id, name, type } = session;
  return { id, name, type };
}
