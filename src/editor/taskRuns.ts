import type * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import { pause } from './boundedCall';
import type { ProblemList } from './formatDiagnostics';
import { taskName } from './taskNames';

/** What the editor told of an execution. */
interface TaskEvents {
  readonly processId?: number;
  readonly exitCode?: number;
  readonly hasStarted?: boolean;
  readonly isOver?: boolean;
}

const RUNS_KEPT = 20;

/** A run of a task; what is not known of one that the tool did not start is absent. */
export interface TaskRun {
  readonly name: string;
  readonly execution: vscode.TaskExecution;
  readonly startedAt?: number;
  /** The problems that there were before a tool began it. */
  readonly before?: ProblemList;
}

/** Starts and ends of tasks, as the editor tells them: by events only. Holds the last runs, whoever began them. */
export class TaskRuns implements Disposable {
  readonly #events = new WeakMap<vscode.TaskExecution, TaskEvents>();
  readonly #ends = new WeakMap<vscode.TaskExecution, number>();
  readonly #changed = new Emitter<void>();
  #runs: readonly TaskRun[] = [];

  /** As the editor tells it; `at` is when. */
  started({ execution }: vscode.TaskStartEvent, at: number): void {
    this.#tell(execution, { hasStarted: true });
    // Of what the tool has started more is known, and may be already.
    if (this.#runs.some((run) => run.execution === execution)) return;
    this.add({ name: taskName(execution.task), execution, startedAt: at });
  }

  processStarted({ execution, processId }: vscode.TaskProcessStartEvent): void {
    this.#tell(execution, { processId });
  }

  processEnded({ execution, exitCode }: vscode.TaskProcessEndEvent, at: number): void {
    this.#endAt(execution, at);
    this.#tell(execution, exitCode === undefined ? {} : { exitCode });
  }

  ended({ execution }: vscode.TaskEndEvent, at: number): void {
    this.#endAt(execution, at);
    this.#tell(execution, { isOver: true });
  }

  /** Remembers a started one, in place of what was known of it; the oldest are let go of. */
  add(run: TaskRun): void {
    const others = this.#runs.filter(({ execution }) => execution !== run.execution);
    this.#runs = [...others, run].slice(-RUNS_KEPT);
  }

  /** In the order in which they were started, by whomever. */
  all(): readonly TaskRun[] {
    return this.#runs;
  }

  /** Tasks that began after a run of one and have ended, with their exit codes: it may be made of them. */
  endedSince(run: TaskRun): readonly (readonly [name: string, exitCode: number])[] {
    return this.#runs.flatMap(({ name, execution, startedAt = 0 }) => {
      const { exitCode } = this.eventsOf(execution);
      const isMeanwhile =
        startedAt >= (run.startedAt ?? Infinity) && startedAt <= this.endedAt(run.execution);
      const isPart = isMeanwhile && execution !== run.execution;
      return isPart && exitCode !== undefined ? [[name, exitCode] as const] : [];
    });
  }

  /**
   * Of one that has not begun, or has nothing of its own to begin: those that came after it and run, but
   * for what was begun by its name, as by another agent.
   */
  awaited({ execution, startedAt = Infinity }: TaskRun): readonly string[] {
    const { hasStarted = false, processId } = this.eventsOf(execution);
    if (hasStarted || processId !== undefined) return [];
    const others = this.#runs.filter(
      (one) =>
        one.execution !== execution &&
        one.before === undefined &&
        (one.startedAt ?? 0) >= startedAt &&
        this.eventsOf(one.execution).processId !== undefined &&
        !this.isOver(one.execution),
    );
    return others.map(({ name }) => name);
  }

  eventsOf(execution: vscode.TaskExecution): TaskEvents {
    return this.#events.get(execution) ?? {};
  }

  /** It has ended; one without a process tells no more than that. */
  isOver(execution: vscode.TaskExecution): boolean {
    const { isOver = false } = this.eventsOf(execution);
    return isOver;
  }

  /** Milliseconds from its start to its end, or to now; undefined where the start was not seen. */
  duration({ execution, startedAt }: TaskRun): number | undefined {
    return startedAt && (this.#ends.get(execution) ?? Date.now()) - startedAt;
  }

  /** Waits for the end. @returns whether it has ended. Never rejects. */
  async waitForEnd(
    execution: vscode.TaskExecution,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const over = new AbortController();
    const listening = this.#changed.event(() => {
      if (this.isOver(execution)) over.abort();
    });
    if (!this.isOver(execution)) await pause(timeoutMs, AbortSignal.any([signal, over.signal]));
    listening.dispose();
    return this.isOver(execution);
  }

  /** When it ended; `Infinity` for what has not. */
  endedAt(execution: vscode.TaskExecution): number {
    return this.#ends.get(execution) ?? Infinity;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #tell(execution: vscode.TaskExecution, told: TaskEvents): void {
    this.#events.set(execution, { ...this.#events.get(execution), ...told });
    this.#changed.fire();
  }

  /** The process ends first, the task with all that depends on it later. */
  #endAt(execution: vscode.TaskExecution, at: number): void {
    if (!this.#ends.has(execution)) this.#ends.set(execution, at);
  }
}
