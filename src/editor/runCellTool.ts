import * as l10n from '@vscode/l10n';
import { describe, int, maximum, minimum, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { isError, outputText } from './cellOutputs';
import { findFile } from './findFile';
import { outputLines } from './formatCells';
import { cellAt, openNotebook } from './notebookFile';
import { type ReadGuard, refuseDenied } from './readGuard';
import { answer, ToolProblem } from './toolProblem';

/** Seconds that a run is waited for. */
const WAIT = 60;
const LONGEST = 600;
/** How long nothing may happen before that counts as "no kernel", in milliseconds. */
const BEGIN_MS = 10_000;
const OUTPUTS_LIMIT = 5_000;

const input = object({
  path: string(),
  cell: int().check(minimum(1)),
  wait: optional(int().check(minimum(1), maximum(LONGEST), describe('seconds; default 60'))),
});

export interface RunCellDeps {
  readonly readGuard?: ReadGuard;
  /** How long a run may take to begin, in milliseconds. */
  readonly beginMs?: number;
}

export function createRunCellTool(deps: RunCellDeps): ToolDefinition {
  return defineTool({
    name: 'run_cell',
    title: l10n.t('Run notebook cell'),
    description: 'Runs a code cell with the kernel that the person chose; gives its outputs.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: true },
    searchHint: 'execute a Jupyter notebook cell',
    timeout: (LONGEST + 30) * 1_000,
    run: ({ path, cell: number, wait = WAIT }, { signal, tellFile }) =>
      answer(async () => {
        const file = await findFile(path, deps.readGuard);
        await refuseDenied(deps.readGuard, file);
        if (!vscode.workspace.isTrusted) {
          throw new ToolProblem('Nothing runs in a workspace that the person does not trust');
        }
        const notebook = await openNotebook(file);
        const cell = cellAt(notebook, number, file.path);
        if (cell.kind !== vscode.NotebookCellKind.Code) {
          throw new ToolProblem(`Cell ${number} of ${file.path} is markdown; only code runs`);
        }
        const outcome = await runCell(cell, {
          signal,
          waitMs: wait * 1_000,
          beginMs: deps.beginMs ?? BEGIN_MS,
        });
        const text = describeOutcome(cell, { outcome, number, wait });
        tellFile(file.path, Buffer.byteLength(text));
        return text;
      }),
  });
}

type Outcome = 'ran' | 'failed' | 'running' | 'notBegun' | 'stopped' | 'gone';

interface RunBounds {
  readonly signal: AbortSignal;
  readonly waitMs: number;
  readonly beginMs: number;
}

/**
 * Has the editor run a cell and waits for its end. No call tells whether a kernel is chosen, and the
 * command's promise may end before the run: the cell's own events tell what happens.
 */
async function runCell(
  cell: vscode.NotebookCell,
  { signal, waitMs, beginMs }: RunBounds,
): Promise<Outcome> {
  const { uri } = cell.notebook;
  const range = { start: cell.index, end: cell.index + 1 };
  // The command looks for an editor of the notebook; the focus stays where it is.
  await vscode.window.showNotebookDocument(cell.notebook, { preserveFocus: true, preview: false });
  return new Promise<Outcome>((resolve) => {
    let hasBegun = false;
    let told = 0;
    const end = (outcome: Outcome): void => {
      clearTimeout(begin);
      clearTimeout(limit);
      listener.dispose();
      signal.removeEventListener('abort', stop);
      resolve(outcome);
    };
    const stop = (): void => end('stopped');
    const listener = vscode.workspace.onDidChangeNotebookDocument(({ notebook, cellChanges }) => {
      if (notebook !== cell.notebook) return;
      if (!notebook.getCells().includes(cell)) end('gone');
      for (const change of cellChanges) {
        if (change.cell !== cell) continue;
        const { executionSummary: summary, outputs } = change;
        // The first one says that it waits to be run, which it does without a kernel as well.
        if (summary !== undefined) told += 1;
        if (told > 1 || outputs !== undefined) hasBegun = true;
        if (summary?.success !== undefined) end(summary.success ? 'ran' : 'failed');
      }
    });
    const begin = setTimeout(() => {
      if (!hasBegun) end('notBegun');
    }, beginMs);
    const limit = setTimeout(() => end(hasBegun ? 'running' : 'notBegun'), waitMs);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    vscode.commands
      .executeCommand('notebook.cell.execute', { ranges: [range], document: uri })
      .then(undefined, () => end('notBegun'));
  });
}

function describeOutcome(
  cell: vscode.NotebookCell,
  {
    outcome,
    number,
    wait,
  }: { readonly outcome: Outcome; readonly number: number; readonly wait: number },
): string {
  const name = `cell ${number}`;
  if (outcome === 'notBegun') {
    throw new ToolProblem(
      `${name} did not begin to run: no kernel is chosen, or it is busy. Ask the person to choose one in the notebook, then try again`,
    );
  }
  if (outcome === 'gone') {
    throw new ToolProblem(
      `${name} was deleted before its run had ended; others may have its number now. Look with cells`,
    );
  }
  const outputs = cell.outputs.map(({ items }) => items);
  const hasFailed = outcome === 'failed' || outputs.some(isError);
  const titles: Record<Exclude<Outcome, 'notBegun' | 'gone'>, string> = {
    ran: `${name} ${hasFailed ? 'failed' : `ran${tookOf(cell)}`}`,
    failed: `${name} failed`,
    running: `${name} still runs after ${wait} s; see its outputs later with cells`,
    stopped: `${name} may still run: only the waiting was stopped`,
  };
  return [titles[outcome], ...outputLines(outputs.map(outputText), OUTPUTS_LIMIT)].join('\n');
}

function tookOf({ executionSummary: summary }: vscode.NotebookCell): string {
  const { startTime, endTime } = summary?.timing ?? {};
  if (startTime === undefined || endTime === undefined) return '';
  return ` in ${Math.round((endTime - startTime) / 100) / 10} s`;
}
