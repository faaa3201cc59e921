import * as l10n from '@vscode/l10n';
import { describe, enum as choice, int, minimum, object, optional, string } from 'zod/mini';
import * as vscode from 'vscode';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import { applyWhole, holdDocuments } from './applyChange';
import { countMove, requireMeant } from './cellMoves';
import type { CellRuns } from './cellRuns';
import { SAVE_STATES } from './formatWritten';
import { compareCells, kindOf, requireNotebookDisk } from './notebookDisk';
import { cellAt, openNotebook, saveNotebook } from './notebookFile';
import { findOpen } from './openFile';
import { type ReadGuard, refuseDeniedWrites } from './readGuard';
import { count } from './resultBudget';
import { unsavedFiles, unsavedTwin } from './sameFile';
import { countCells, requireSameCell, requireUnchanged } from './toldCells';
import { answer, ToolProblem } from './toolProblem';
import { diskPath, findTarget, requireTarget } from './writeTarget';

const KINDS = ['code', 'markdown'] as const;

const input = object({
  path: string(),
  cell: int().check(minimum(1), describe('1-based; insert: of the new cell')),
  action: choice(['replace', 'insert', 'delete']),
  text: optional(string()),
  kind: optional(choice(KINDS)),
});

interface CellEdit {
  readonly cell: number;
  readonly action: 'replace' | 'insert' | 'delete';
  readonly text?: string | undefined;
  readonly kind?: (typeof KINDS)[number] | undefined;
}

export function createEditCellTool(deps: {
  readonly readGuard?: ReadGuard;
  readonly runs: CellRuns;
}): ToolDefinition {
  return defineTool({
    name: 'edit_cell',
    title: l10n.t('Edit notebook cell'),
    description: 'Changes a cell of a notebook through the editor, as edit does a file.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    searchHint: 'insert, replace or delete a Jupyter notebook cell',
    edits: async ({ path }) => {
      const file = diskPath(await findTarget(path));
      return file === undefined ? [] : [file];
    },
    run: ({ path, ...edit }, ctx) =>
      answer(async () => {
        const { signal, tellFile } = ctx;
        const target = await requireTarget(path, deps.readGuard);
        await refuseDeniedWrites(deps.readGuard, [target]);
        return holdDocuments([target.uri], signal, async () => {
          // Saving would go behind its back, also where it is open under another name.
          const twin = await unsavedTwin(target.uri, await unsavedFiles());
          if (findOpen(target.uri)?.isDirty === true || twin !== undefined) {
            throw new ToolProblem(
              `Nothing was changed: ${target.path} is open as text with unsaved changes. Ask the person to save them`,
            );
          }
          const notebook = await openNotebook(target, deps.readGuard);
          const disk = await requireNotebookDisk(notebook, target.path, signal);
          // What the person has typed since would be lost.
          if (edit.action === 'insert') requireSameCell(ctx, notebook, edit.cell);
          else requireUnchanged(ctx, notebook, edit.cell);
          requireMeant(ctx, notebook, edit.cell, edit.action === 'insert');
          const isPersons = disk === 'unsaved' && !(await isOfRuns(notebook, deps.runs));
          if (signal.aborted) throw new ToolProblem('Stopped; nothing was changed');
          const change = cellChange(notebook, edit, target.path);
          if (!(await applyWhole(change))) {
            throw new ToolProblem(
              `Nothing was changed: ${target.path} is changing or cannot be written. Try again`,
            );
          }
          tellFile(target.path);
          const saved = await settle(notebook, isPersons);
          const by = MADE[edit.action];
          countCells(ctx, notebook, edit.cell, by);
          if (by !== 0) countMove(ctx, notebook, { at: edit.cell, by });
          const isLast = edit.cell + Math.max(0, by) > notebook.cellCount;
          return `${target.path}: cell ${edit.cell} ${DONE[edit.action]}, now ${count(notebook.cellCount, 'cell')}${isLast ? '' : NUMBERS[edit.action]}; ${saved}`;
        });
      }),
  });
}

const MADE = { replace: 0, insert: 1, delete: -1 } as const;
const NUMBERS = {
  replace: '',
  insert: ', the numbers behind it are one higher',
  delete: ', the numbers behind it are one lower',
} as const;
const DONE = { replace: 'replaced', insert: 'inserted', delete: 'deleted' } as const;

function cellChange(
  notebook: vscode.NotebookDocument,
  { cell: number, action, text, kind }: CellEdit,
  path: string,
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  if (action !== 'delete' && text === undefined) {
    throw new ToolProblem(`${action} needs text: the whole text of the cell`);
  }
  if (action === 'insert') {
    if (number > notebook.cellCount + 1) cellAt(notebook, number, path);
    const made = newCell(notebook, number - 1, kind ?? 'code', text ?? '');
    edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(number - 1, [made])]);
    return edit;
  }
  const cell = cellAt(notebook, number, path);
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  if (action === 'delete') {
    edit.set(notebook.uri, [vscode.NotebookEdit.deleteCells(range)]);
    return edit;
  }
  if (kind === undefined || kind === kindOf(cell)) {
    // By its text: replacing the cell would drop its outputs and its metadata.
    const { document } = cell;
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(document.uri, document.validateRange(all), text ?? '');
    return edit;
  }
  const made = newCell(notebook, cell.index, kind, text ?? '');
  // Tags and the like are the cell's, whatever its kind.
  made.metadata = { ...cell.metadata };
  edit.set(notebook.uri, [vscode.NotebookEdit.replaceCells(range, [made])]);
  return edit;
}

function newCell(
  notebook: vscode.NotebookDocument,
  at: number,
  kind: (typeof KINDS)[number],
  text: string,
): vscode.NotebookCellData {
  if (kind === 'markdown') {
    return new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, text, 'markdown');
  }
  // What the cells around it are written in; raw ones pass for code in the editor, and never run.
  const isCode = ({ kind: one, document }: vscode.NotebookCell): boolean =>
    one === vscode.NotebookCellKind.Code && document.languageId !== 'raw';
  const cells = notebook.getCells();
  const code = cells.slice(0, at).findLast(isCode) ?? cells.find(isCode);
  const language = code?.document.languageId ?? languageOf(notebook) ?? 'python';
  return new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, language);
}

/** As the file's own metadata says it. */
function languageOf({ metadata }: vscode.NotebookDocument): string | undefined {
  const file: unknown = metadata.metadata;
  const info: unknown = Reflect.get(Object(file), 'language_info');
  const name: unknown = Reflect.get(Object(info), 'name');
  return typeof name === 'string' ? name : undefined;
}

/** Nothing is unsaved but outputs, and nothing was before cells were run by a tool. */
async function isOfRuns(notebook: vscode.NotebookDocument, runs: CellRuns): Promise<boolean> {
  return runs.wasSaved(notebook) && (await compareCells(notebook)) === 'same';
}

/** What had the person's unsaved changes before stays unsaved. */
async function settle(notebook: vscode.NotebookDocument, wasUnsaved: boolean): Promise<string> {
  if (notebook.isUntitled) return 'unsaved: an untitled notebook';
  if (wasUnsaved) return SAVE_STATES.keptUnsaved;
  return SAVE_STATES[await saveNotebook(notebook)];
}
