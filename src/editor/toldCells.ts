import type * as vscode from 'vscode';
import type { ToolContext } from '../mcp/toolContext';
import { ToolProblem } from './toolProblem';
import { toolState } from './toolState';

interface ToldCell {
  /** Held weakly, as its notebook may be closed by now. */
  readonly cell: WeakRef<vscode.NotebookCell>;
  readonly text: string;
}

/** By number, as the model knows them. */
type Told = Map<number, ToldCell>;

/**
 * What the model was told of the cells of a notebook. A number alone means another cell as soon as
 * the person inserts, moves or deletes one. It outlives the notebook's document: the file may be
 * another one as it is opened again.
 */
function toldOf(ctx: ToolContext, notebook: vscode.NotebookDocument): Told {
  const all = toolState(ctx, 'toldCells', () => {
    const told = new Map<string, Told>();
    ctx.onDidReset(() => told.clear());
    return told;
  });
  const key = notebook.uri.toString();
  const known = all.get(key) ?? new Map<number, ToldCell>();
  all.set(key, known);
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
    told.set(number, { cell: new WeakRef(cell), text: cell.document.getText() });
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

/** @throws ToolProblem where the number was told of another cell, which may be the last one now */
export function requireSameCell(
  ctx: ToolContext,
  notebook: vscode.NotebookDocument,
  number: number,
): void {
  const told = toldOf(ctx, notebook).get(number);
  const cell = number <= notebook.cellCount ? notebook.cellAt(number - 1) : undefined;
  const then = told?.cell.deref();
  if (told === undefined || (cell !== undefined && then === cell)) return;
  const now = then?.notebook === notebook ? then.index : -1;
  if (now >= 0) {
    throw new ToolProblem(
      `Cell ${number} is cell ${now + 1} by now: the cells have changed. Look with cells, then try again`,
    );
  }
  // The editor may have read the file again, which makes all cells new ones.
  if (cell) requireSameText(told, cell);
}

/** @throws ToolProblem where it is another cell, or the person has typed in it since it was told */
export function requireUnchanged(
  ctx: ToolContext,
  notebook: vscode.NotebookDocument,
  number: number,
): void {
  requireSameCell(ctx, notebook, number);
  const told = toldOf(ctx, notebook).get(number);
  if (told && number <= notebook.cellCount) requireSameText(told, notebook.cellAt(number - 1));
}

function requireSameText({ text }: ToldCell, cell: vscode.NotebookCell): void {
  if (cell.document.getText() === text) return;
  throw new ToolProblem(
    `Cell ${cell.index + 1} is not as cells told it: it was changed since. Look with cells, then try again`,
  );
}
