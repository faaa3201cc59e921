import * as l10n from '@vscode/l10n';
import { describe, int, minimum, object, optional, string } from 'zod/mini';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { forgetMoves } from './cellMoves';
import type { CellRuns } from './cellRuns';
import { findServed } from './findFile';
import { formatCells } from './formatCells';
import { awaitNotebookDisk } from './notebookDisk';
import { cellAt, notebookText, openNotebook } from './notebookFile';
import type { ReadGuard } from './readGuard';
import { tellCells } from './toldCells';
import { answer, ToolProblem } from './toolProblem';

const cell = (text: string) => optional(int().check(minimum(1), describe(text)));

const input = object({
  path: string(),
  from: cell('1-based'),
  to: cell('last; same as from: whole outputs'),
});

export function createCellsTool(deps: {
  readonly readGuard?: ReadGuard;
  readonly runs: CellRuns;
}): ToolDefinition {
  return defineTool({
    name: 'cells',
    title: l10n.t('Notebook cells'),
    description: 'Cells of a notebook with their outputs, cut; unsaved changes included.',
    input,
    annotations: { readOnlyHint: true },
    searchHint: 'read a Jupyter notebook (ipynb), its outputs',
    run: ({ path, from = 1, to }, ctx) =>
      answer(async () => {
        const { tellFile, signal } = ctx;
        const file = await findServed(path, deps.readGuard);
        const notebook = await openNotebook(file, deps.readGuard);
        const disk = await awaitNotebookDisk(notebook, signal);
        if (to !== undefined && to < from) {
          throw new ToolProblem(`to=${to} is before from=${from}`);
        }
        if (from > 1) cellAt(notebook, from, file.path);
        const last = Math.min(to ?? notebook.cellCount, notebook.cellCount);
        const told = notebookText(notebook, { path: file.path, disk, runs: deps.runs });
        const text = formatCells(told, from, last);
        tellCells(ctx, notebook, from, last);
        forgetMoves(ctx, notebook);
        tellFile(file.path, Buffer.byteLength(text));
        return text;
      }),
  });
}
