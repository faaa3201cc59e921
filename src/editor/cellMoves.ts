import type * as vscode from 'vscode';
import type { ToolContext } from '../mcp/toolContext';
import { oneLine } from './resultBudget';
import { ToolProblem } from './toolProblem';
import { toolState } from './toolState';

interface Move {
  readonly at: number;
  readonly by: -1 | 1;
}

/** What the model has put in and taken out in one turn, so that cells behind have other numbers. */
interface Moves {
  /** When it began. */
  readonly turn: number;
  readonly all: readonly Move[];
  /** A number that was refused: the model knows by now what it means. */
  readonly told?: number;
}

function movesOf(ctx: ToolContext): Map<string, Moves> {
  return toolState(ctx, 'cellMoves', () => {
    const moves = new Map<string, Moves>();
    ctx.onDidReset(() => moves.clear());
    return moves;
  });
}

function movesNow(ctx: ToolContext, { uri }: vscode.NotebookDocument): readonly Move[] {
  const known = movesOf(ctx).get(uri.toString());
  return known !== undefined && known.turn === ctx.turnStart ? known.all : [];
}

/** The model has put a cell in, or taken one out. */
export function countMove(ctx: ToolContext, notebook: vscode.NotebookDocument, move: Move): void {
  const { turnStart: turn } = ctx;
  if (turn === undefined) return;
  const all = [...movesNow(ctx, notebook), move];
  movesOf(ctx).set(notebook.uri.toString(), { turn, all });
}

/** The model has seen the cells as they are numbered now. */
export function forgetMoves(ctx: ToolContext, { uri }: vscode.NotebookDocument): void {
  movesOf(ctx).delete(uri.toString());
}

/**
 * Calls that the model makes in one message name cells as they were before the first of them, and
 * nothing says which calls these are: so a number that means another cell by now is asked for twice.
 * @param isInsert a cell is to come there: one behind another new one is plain
 * @throws ToolProblem the first time
 */
export function requireMeant(
  ctx: ToolContext,
  notebook: vscode.NotebookDocument,
  number: number,
  isInsert = false,
): void {
  const all = movesNow(ctx, notebook);
  const was = numberBefore(all, number);
  if (was === undefined || was === number || number > notebook.cellCount) return;
  if (isInsert && numberBefore(all, number - 1) === undefined) return;
  const key = notebook.uri.toString();
  const known = movesOf(ctx).get(key);
  if (known === undefined || known.told === number) {
    forgetMoves(ctx, notebook);
    return;
  }
  movesOf(ctx).set(key, { ...known, told: number });
  const text = oneLine(notebook.cellAt(number - 1).document.getText(), 50);
  throw new ToolProblem(
    `Nothing was done: since you put in or took out cells, cell ${number} is what was cell ${was} ("${text}"). Call again if it is meant; else look with cells`,
  );
}

/** Undefined for a cell that is new. */
function numberBefore(moves: readonly Move[], number: number): number | undefined {
  let before = number;
  for (const { at, by } of moves.toReversed()) {
    if (by > 0 && before === at) return undefined;
    if (by > 0 ? before > at : before >= at) before -= by;
  }
  return before;
}
