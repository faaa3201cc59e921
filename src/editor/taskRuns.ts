import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter } from '../base/event';
import { pause } from './boundedCall';
import type { ProblemList } from './formatDiagnostics';

/** What the editor told of an execution. */
interface TaskEvents {
  readonly processId?: number;
  readonly exitCode?: number;
  readonly isProcessOver?: boolean;
  readonly isOver?: boolean;
}

const RUNS_KEPT = 20;

/** A task that is asked about; what is not known of one that the person started is absent. */
export interface TaskRun {
  readonly name: string;
  readonly execution: vscode.TaskExecution;
  readonly startedAt?: number;
  /** The problems that there were before it began. */
  readonly before?: ProblemList;
}

/** Ends of tasks, as the editor tells them: by events only. Holds what the tool has started. */
export class TaskRuns implements Disposable {
  readonly #store = new DisposableStore();
  readonly #events = new WeakMap<vscode.TaskExecution, TaskEvents>();
  readonly #ends = new WeakMap<vscode.TaskExecution, number>();
  readonly #changed = new Emitter<void>();
  readonly #runs: TaskRun[] = [];

  constructor() {
    const tell = (execution: vscode.TaskExecution, told: TaskEvents): void => {
      this.#events.set(execution, { ...this.#events.get(execution), ...told });
      if (told.isOver === true || told.isProcessOver === true) {
        this.#ends.set(execution, this.#ends.get(execution) ?? Date.now());
      }
      this.#changed.fire();
    };
    const { tasks } = vscode;
    for (const listener of [
      tasks.onDidStartTaskProcess(({ execution, processId }) => tell(execution, { processId })),
      tasks.onDidEndTaskProcess(({ execution, exitCode }) =>
        tell(execution, { isProcessOver: true, ...(exitCode === undefined ? {} : { exitCode }) }),
      ),
      tasks.onDidEndTask(({ execution }) => tell(execution, { isOver: true })),
    ]) {
      this.#store.add(listener);
    }
  }

  /** Remembers a started one; the oldest are let go of. */
  add(run: TaskRun): void {
    this.#runs.push(run);
    if (this.#runs.length > RUNS_KEPT) this.#runs.shift();
  }

  /** The last of this name. */
  find(name: string): TaskRun | undefined {
    return this.#runs.findLast((run) => run.name === name);
  }

  all(): readonly TaskRun[] {
    return this.#runs;
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

  dispose(): void {
    this.#store.dispose();
    this.#changed.dispose();
  }
}
