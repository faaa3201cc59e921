import type * as vscode from 'vscode';
import type { ToolContext } from '../mcp/toolContext';
import { ToolProblem } from './toolProblem';
import { toolState } from './toolState';

interface ToldCell {
  readonly cell: vscode.NotebookCell;
  readonly text: string;
}

/** By number, as the model knows them. */
type Told = Map<number, ToldCell>;

/**
 * What the model was told of the cells of a notebook. A number alone means another cell as soon as
 * the person inserts, moves or deletes one.
 */
function toldOf(ctx: ToolContext, notebook: vscode.NotebookDocument): Told {
  const all = toolState(ctx, 'toldCells', () => {
    const told = { notebooks: new WeakMap<vscode.NotebookDocument, Told>() };
    ctx.onDidReset(() => {
      told.notebooks = new WeakMap();
    });
    return told;
  }).notebooks;
  const known = all.get(notebook) ?? new Map<number, ToldCell>();
  all.set(notebook, known);
  return known;
}

/** Remembers the cells of these numbers, as they are now. */
export function tellCells(
  ctx: ToolContext,
  notebook: vscode.NotebookDocument,
  from: number,
  to: number,
): void {
  const told = toldOf(ctx, notebook);
  for (let number = from; number <= to; number += 1) {
    const cell = notebook.cellAt(number - 1);
    told.set(number, { cell, text: cell.document.getText() });
  }
}

/** The model has changed the cells itself: those behind have other numbers for it too. */
export function countCells(
  ctx: ToolContext,
  notebook: vscode.NotebookDocument,
  number: number,
  by: -1 | 0 | 1,
): void {
  const told = toldOf(ctx, notebook);
  const before = [...told].filter(([one]) => by >= 0 || one !== number);
  told.clear();
  for (const [one, cell] of before) told.set(one < number ? one : one + by, cell);
  if (by >= 0) tellCells(ctx, notebook, number, number);
}

/** @throws ToolProblem where the number was told of another cell */
export function requireSameCell(ctx: ToolContext, cell: vscode.NotebookCell): void {
  const number = cell.index + 1;
  const told = toldOf(ctx, cell.notebook).get(number);
  if (told === undefined || told.cell === cell) return;
  const { index } = told.cell;
  if (index >= 0) {
    throw new ToolProblem(
      `Cell ${number} is cell ${index + 1} by now: the cells have changed. Look with cells, then try again`,
    );
  }
  // The editor may have read the file again, which makes all cells new ones.
  requireSameText(told, cell);
}

/** @throws ToolProblem where it is another cell, or the person has typed in it since it was told */
export function requireUnchanged(ctx: ToolContext, cell: vscode.NotebookCell): void {
  requireSameCell(ctx, cell);
  const told = toldOf(ctx, cell.notebook).get(cell.index + 1);
  if (told !== undefined) requireSameText(told, cell);
}

function requireSameText({ text }: ToldCell, cell: vscode.NotebookCell): void {
  if (cell.document.getText() === text) return;
  throw new ToolProblem(
    `Cell ${cell.index + 1} is not as cells told it: it was changed since. Look with cells, then try again`,
  );
}
