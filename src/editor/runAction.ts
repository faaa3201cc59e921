import * as vscode from 'vscode';
import { settleChanged } from './applyChange';
import { applyRefactoring } from './applyRefactoring';
import { type OfferedAction, partsOf } from './askActions';
import { boundedCall } from './boundedCall';
import { DocumentChanges } from './documentChanges';
import { formatWritten } from './formatWritten';
import { watchProblems } from './newProblems';
import { count, oneLine } from './resultBudget';
import { ToolProblem } from './toolProblem';
import type { LanguageDeps } from './toolDeps';

/** A command may open a box or a list in the editor and wait for the person. */
const COMMAND_MS = 15_000;
const FIRST_CHANGE_MS = 1_000;

/** The answer for the model, and the files that it names. */
export interface RanAction {
  readonly text: string;
  readonly paths: readonly string[];
}

/** Applies an action: its edit as one undo step, then its command. The caller holds the documents. */
export async function runAction(
  action: OfferedAction,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<RanAction> {
  const parts = partsOf(action);
  const title = oneLine(action.title, 120);
  if (parts === undefined || action.edit === undefined) return runCommand(action, deps, signal);
  if (parts.texts.length + parts.operations.length === 0) {
    return { text: `nothing to change: ${title}`, paths: [] };
  }
  const done = await applyRefactoring(action.edit, parts, deps, signal);
  const after = await runQuietly(action.command, signal);
  const text = [
    `applied '${title}': ${count(done.places, 'place')} in ${count(done.files.length, 'file')}`,
    ...done.operations,
    ...formatWritten(done.files),
    ...after,
    ...done.problems,
  ].join('\n');
  return { text, paths: done.files.map(({ path }) => path) };
}

async function runCommand(
  action: OfferedAction,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<RanAction> {
  const { command } = action;
  const title = oneLine(action.title, 120);
  if (command === undefined) {
    throw new ToolProblem(`Nothing was changed: '${title}' came without a change. Use edit`);
  }
  const changes = new DocumentChanges(() => true);
  try {
    const problems = await watchProblems([], [], deps, signal);
    const said = await runQuietly(command, signal);
    await changes.settle(FIRST_CHANGE_MS, signal);
    const files = await Promise.all(changes.seen().map(settleChanged));
    const changed =
      files.length === 0 ? 'no file changed so far' : `${count(files.length, 'file')} changed`;
    const text = [
      `ran '${title}': ${changed}`,
      ...said,
      ...formatWritten(files),
      ...(await problems.after(signal)),
    ].join('\n');
    return { text, paths: files.map(({ path }) => path) };
  } finally {
    changes.dispose();
  }
}

/** What it says where it fails or does not end: the change itself stands by then. */
async function runQuietly(
  command: vscode.Command | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (command === undefined) return [];
  const given: readonly unknown[] = command.arguments ?? [];
  try {
    await boundedCall(() => vscode.commands.executeCommand(command.command, ...given), {
      timeoutMs: COMMAND_MS,
      signal,
      who: 'Its command',
    });
    return [];
  } catch (error) {
    if (error instanceof ToolProblem) return [oneLine(error.message)];
    throw error;
  }
}
