import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter } from '../base/event';

/** How a run was seen to end. */
export type RunEnd = 'ran' | 'failed' | 'ended' | 'notBegun' | 'gone' | 'closed';

/** A kernel whose command lasts so long beyond the start of a run waits for its end. */
const WAITED_MS = 3_000;
/** How late the end of a run may be told behind that of the command. */
const LATE_MS = 500;

/**
 * A run that the editor was asked for, to its end. No call tells whether a kernel is chosen, and the
 * command's promise may end before the run: the cell's own events tell what happens.
 */
export class CellRun implements Disposable {
  readonly cell: vscode.NotebookCell;
  readonly #store = new DisposableStore();
  readonly #ended = this.#store.add(new Emitter<RunEnd>());
  /** Events of this run. */
  #told = 0;
  #startedAt: number | undefined;
  #hasShown = false;
  #hasOutputs = false;
  #order: number | undefined;
  /** The last that was told is nothing new: as where a run ends of which the kernel tells no end. */
  #isRepeated = false;
  #late: ReturnType<typeof setTimeout> | undefined;
  #isEarlier = false;
  #isOver = false;
  #end: RunEnd | undefined;

  constructor(cell: vscode.NotebookCell) {
    this.cell = cell;
    const { onDidChangeNotebookDocument, onDidCloseNotebookDocument } = vscode.workspace;
    this.#store.add(
      onDidChangeNotebookDocument(({ notebook, cellChanges }) => {
        if (notebook !== cell.notebook) return;
        for (const change of cellChanges) if (change.cell === cell) this.#changed(change);
        if (cell.index < 0) this.#settle('gone');
      }),
    );
    this.#store.add(
      onDidCloseNotebookDocument((notebook) => {
        if (notebook === cell.notebook) this.#settle('closed');
      }),
    );
  }

  get end(): RunEnd | undefined {
    return this.#end;
  }

  /** The cell ran already as the run was asked for: the editor begins no second one beside it. */
  get isEarlier(): boolean {
    return this.#isEarlier;
  }

  /** What the cell shows is of this run, and not of one before it. */
  get hasOutputs(): boolean {
    return this.#hasOutputs || this.#isEarlier;
  }

  /** It runs, as far as the kernel tells. */
  get isRunning(): boolean {
    return this.hasBegun && this.isOpen;
  }

  /** Neither the command nor the run has ended: asking once more begins no other one. */
  get isOpen(): boolean {
    return !this.#isOver && this.#end === undefined;
  }

  /**
   * The first event says that the cell waits to be run, which it does without a kernel as well; and
   * where none is chosen, or the kernel does not know the language, a second one that it waits no more.
   */
  get hasBegun(): boolean {
    return this.#hasShown || this.#isEarlier || this.#told > (this.#isOver ? 2 : 1);
  }

  /** Calls back once it has ended. */
  onDidEnd(tell: (end: RunEnd) => void): Disposable {
    return this.#ended.event(tell);
  }

  /** The command has ended. */
  over(): void {
    if (this.#told === 0) {
      this.#isEarlier = true;
      const { success } = this.cell.executionSummary ?? {};
      if (success !== undefined) this.#settle(success ? 'ran' : 'failed');
      return;
    }
    this.#isOver = true;
    const ran = Date.now() - (this.#startedAt ?? Infinity);
    const isWaited =
      ran >= WAITED_MS || this.#isRepeated || this.cell.document.getText().trim() === '';
    // As where the person has stopped it, or its kernel was started anew: then no end is told.
    if (!isWaited || !this.hasBegun) return;
    this.#late = setTimeout(() => this.#settle('ended'), LATE_MS);
    this.#store.add({ dispose: () => clearTimeout(this.#late) });
  }

  /** The editor did not take the command. */
  refused(): void {
    this.#settle('notBegun');
  }

  dispose(): void {
    this.#store.dispose();
  }

  #changed({ executionSummary: summary, outputs }: vscode.NotebookDocumentCellChange): void {
    const { success, timing, executionOrder } = summary ?? {};
    const hasEnded = success !== undefined || timing !== undefined;
    const isKnown = hasEnded || executionOrder !== undefined;
    // It begins with taking away what is known of the last one: what comes before that is of that.
    const isOfLast = this.#told === 0 && !this.#isEarlier;
    if (isOfLast && (summary === undefined || isKnown)) return;
    if (outputs !== undefined) this.#outputsCame();
    if (outputs !== undefined || executionOrder !== undefined) this.#hasShown = true;
    if (summary === undefined) return;
    this.#told += 1;
    this.#isRepeated = this.#told > 2 && !hasEnded && executionOrder === this.#order;
    this.#order = executionOrder;
    if (this.#told > 1) this.#startedAt ??= Date.now();
    if (success !== undefined) this.#settle(success ? 'ran' : 'failed');
    // A kernel need not say whether it went well.
    else if (timing !== undefined) this.#settle('ended');
  }

  #outputsCame(): void {
    this.#hasOutputs = true;
    // Its kernel goes on though the command has ended.
    if (this.#isRepeated) clearTimeout(this.#late);
    this.#isRepeated = false;
  }

  #settle(end: RunEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#ended.fire(end);
    this.dispose();
  }
}

/** What the tools have had run, in all notebooks of the window. */
export class CellRuns {
  readonly #last = new WeakMap<vscode.NotebookCell, CellRun>();
  readonly #saved = new WeakSet<vscode.NotebookDocument>();

  begin(cell: vscode.NotebookCell): CellRun {
    const run = new CellRun(cell);
    this.#last.set(cell, run);
    if (!cell.notebook.isDirty) this.#saved.add(cell.notebook);
    return run;
  }

  /** The run of a cell that goes on. */
  running(cell: vscode.NotebookCell): CellRun | undefined {
    const run = this.#last.get(cell);
    return run?.isRunning === true ? run : undefined;
  }

  /**
   * The run of a cell that was asked for and goes on, whether it has begun or not. Of one that somebody
   * else began it is asked again whether it does: it may have ended without a word.
   */
  open(cell: vscode.NotebookCell): CellRun | undefined {
    const run = this.#last.get(cell);
    return run?.isOpen === true && !run.isEarlier ? run : undefined;
  }

  /** Nothing was unsaved before cells were run by a tool: outputs alone are nobody's typing. */
  wasSaved(notebook: vscode.NotebookDocument): boolean {
    return this.#saved.has(notebook);
  }
}
