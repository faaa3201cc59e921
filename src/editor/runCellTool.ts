import * as l10n from '@vscode/l10n';
import { describe, int, maximum, minimum, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { requireMeant } from './cellMoves';
import { isError, outputText } from './cellOutputs';
import type { CellRun, CellRuns, RunEnd } from './cellRuns';
import { findServed } from './findFile';
import { outputLines } from './formatCells';
import { kindOf, requireNotebookDisk } from './notebookDisk';
import { cellAt, openNotebook } from './notebookFile';
import { tabUris } from './openTabs';
import type { ReadGuard } from './readGuard';
import { requireSameCell } from './toldCells';
import { answer, ToolProblem } from './toolProblem';
import { refuseSeveral } from './writeTarget';

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
  readonly runs: CellRuns;
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
    run: ({ path, cell: number, wait = WAIT }, ctx) =>
      answer(async () => {
        const { signal, tellFile } = ctx;
        await refuseSeveral(path);
        const file = await findServed(path, deps.readGuard);
        if (!vscode.workspace.isTrusted) {
          throw new ToolProblem('Nothing runs in a workspace that the person does not trust');
        }
        const notebook = await openNotebook(file, deps.readGuard);
        await requireNotebookDisk(notebook, file.path, signal);
        requireSameCell(ctx, notebook, number);
        requireMeant(ctx, notebook, number);
        const cell = cellAt(notebook, number, file.path);
        const kind = kindOf(cell);
        if (kind !== 'code') {
          throw new ToolProblem(`Cell ${number} of ${file.path} is ${kind}; only code runs`);
        }
        await showNotebook(notebook);
        if (signal.aborted) throw new ToolProblem('Stopped; nothing was run');
        // As the notebook was shown, cells may have come or gone.
        if (cell.index < 0) throw gone(number);
        // Two agents may want the same one run.
        const earlier = deps.runs.open(cell);
        const run = earlier ?? begin(deps.runs, cell);
        const bounds = { signal, waitMs: wait * 1_000, beginMs: deps.beginMs ?? BEGIN_MS };
        const outcome = await awaitRun(run, bounds);
        const isEarlier = earlier !== undefined || run.isEarlier;
        const text = describeOutcome(run, { outcome, isEarlier, number, wait });
        tellFile(file.path, Buffer.byteLength(text));
        return text;
      }),
  });
}

/** The command looks for an editor of the notebook: one in sight will do, and the focus stays where it is. */
async function showNotebook(notebook: vscode.NotebookDocument): Promise<void> {
  const { visibleNotebookEditors, tabGroups } = vscode.window;
  if (visibleNotebookEditors.some((editor) => editor.notebook === notebook)) return;
  const key = notebook.uri.toString();
  const group = tabGroups.all.find(({ tabs }) =>
    tabs.some((tab) => tabUris(tab).some((uri) => uri.toString() === key)),
  );
  await vscode.window.showNotebookDocument(notebook, {
    preserveFocus: true,
    preview: false,
    ...(group ? { viewColumn: group.viewColumn } : {}),
  });
}

type Outcome = RunEnd | 'running' | 'stopped';

interface RunBounds {
  readonly signal: AbortSignal;
  readonly waitMs: number;
  readonly beginMs: number;
}

/** Has the editor run the cell. */
function begin(runs: CellRuns, cell: vscode.NotebookCell): CellRun {
  const run = runs.begin(cell);
  const ranges = [{ start: cell.index, end: cell.index + 1 }];
  const document = cell.notebook.uri;
  vscode.commands.executeCommand('notebook.cell.execute', { ranges, document }).then(
    () => run.over(),
    () => run.refused(),
  );
  return run;
}

function awaitRun(run: CellRun, { signal, waitMs, beginMs }: RunBounds): Promise<Outcome> {
  return new Promise<Outcome>((resolve) => {
    const end = (outcome: Outcome): void => {
      clearTimeout(begin);
      clearTimeout(limit);
      listening.dispose();
      signal.removeEventListener('abort', stop);
      resolve(outcome);
    };
    const stop = (): void => end('stopped');
    const listening = run.onDidEnd(end);
    const begin = setTimeout(() => {
      if (!run.hasBegun) end('notBegun');
    }, beginMs);
    const limit = setTimeout(() => end(run.hasBegun ? 'running' : 'notBegun'), waitMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function gone(number: number): ToolProblem {
  return new ToolProblem(
    `cell ${number} was deleted before its run had ended; others may have its number now. Look with cells`,
  );
}

interface ToldRun {
  readonly outcome: Outcome;
  /** It ran already as it was asked for. */
  readonly isEarlier: boolean;
  readonly number: number;
  readonly wait: number;
}

function describeOutcome(
  { cell, hasOutputs }: CellRun,
  { outcome, isEarlier, number, wait }: ToldRun,
): string {
  const name = `cell ${number}`;
  if (outcome === 'notBegun') {
    throw new ToolProblem(
      `${name} did not begin to run: no kernel is chosen, it does not run ${cell.document.languageId}, or it is busy or starting, and may run it yet. Ask the person, and look with cells before you try again`,
    );
  }
  if (outcome === 'gone') throw gone(number);
  if (outcome === 'closed') {
    throw new ToolProblem(`The notebook was closed before the run of ${name} had ended`);
  }
  const outputs = hasOutputs ? cell.outputs.map(({ items }) => items) : [];
  const hasFailed = outcome === 'failed' || outputs.some(isError);
  const titles: Record<Exclude<Outcome, 'notBegun' | 'gone' | 'closed'>, string> = {
    ran: `${name} ${hasFailed ? 'failed' : `ran${tookOf(cell)}`}`,
    failed: `${name} failed`,
    ended: `${name} ended; its kernel does not say whether it went well (the person may have stopped it)`,
    running: `${name} still runs after ${wait} s; see its outputs later with cells`,
    stopped: `${name} may still run: only the waiting was stopped`,
  };
  const at = cell.index + 1;
  const now = at === number || at === 0 ? '' : `, now cell ${at}`;
  const already = isEarlier
    ? ['it ran already, with the text that it had then, and was not begun anew']
    : [];
  const title = `${titles[outcome]}${now}`;
  return [title, ...already, ...outputLines(outputs.map(outputText), OUTPUTS_LIMIT)].join('\n');
}

function tookOf({ executionSummary: summary }: vscode.NotebookCell): string {
  const { startTime, endTime } = summary?.timing ?? {};
  if (startTime === undefined || endTime === undefined) return '';
  return ` in ${Math.round((endTime - startTime) / 100) / 10} s`;
}
