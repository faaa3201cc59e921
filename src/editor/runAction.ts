import * as vscode from 'vscode';
import { settleChanged } from './applyChange';
import { applyRefactoring, type Refactoring, unclearByNow } from './applyRefactoring';
import { type OfferedAction, partsOf } from './askActions';
import { boundedCall } from './boundedCall';
import { DocumentChanges } from './documentChanges';
import type { Offer } from './findActions';
import { formatWritten } from './formatWritten';
import { watchProblems } from './newProblems';
import { type IsExpected, ownEdits } from './ownEdits';
import { lookAtRules, type ReadGuard } from './readGuard';
import { count, oneLine } from './resultBudget';
import { isInWorkspace, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';
import type { EditParts } from './workspaceEditParts';
import type { LanguageDeps } from './toolDeps';

/** A command may open a box or a list in the editor and wait for the person. */
const COMMAND_MS = 15_000;
const FIRST_CHANGE_MS = 1_000;
const NAMED = 5;

/** The answer for the model, and the files that it names. */
export interface RanAction {
  readonly text: string;
  readonly paths: readonly string[];
}

/**
 * Applies an action: its edit as one undo step, then its command. The caller holds the documents.
 * @param again asks for the offer that counts
 */
export async function runAction(
  { action, document }: Pick<Offer, 'action' | 'document'>,
  again: () => Promise<OfferedAction>,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<RanAction> {
  const parts = partsOf(action);
  const title = oneLine(action.title, 120);
  if (parts === undefined) return runCommand(document, title, again, deps, signal);
  const nothing = { text: `nothing to change: ${title}`, paths: [] };
  if (isEmpty(parts)) return nothing;
  let { command } = action;
  const ask = async (): Promise<Refactoring> => {
    const now = await again();
    command = now.command;
    const found = partsOf(now);
    if (now.edit === undefined || found === undefined) throw unclearByNow();
    return { edit: now.edit, parts: found };
  };
  const done = await applyRefactoring({ parts }, ask, deps, signal);
  if (done.files.length + done.operations.length === 0) return nothing;
  const after = await runQuietly(command, signal);
  const text = [
    `applied '${title}': ${count(done.places, 'place')} in ${count(done.files.length, 'file')}`,
    ...done.operations,
    ...formatWritten(done.files),
    ...after,
    ...done.problems,
  ].join('\n');
  return { text, paths: done.files.map(({ path }) => path) };
}

function isEmpty({ texts, operations }: EditParts): boolean {
  return texts.length + operations.length === 0;
}

async function runCommand(
  document: vscode.TextDocument,
  title: string,
  again: () => Promise<OfferedAction>,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<RanAction> {
  const problems = await watchProblems([], [], deps, signal);
  const { command, edit } = await again();
  if (edit !== undefined) throw unclearByNow();
  if (command === undefined) {
    throw new ToolProblem(`Nothing was changed: '${title}' came without a change. Use edit`);
  }
  const isExpected = expectedOf(document, command);
  const changes = new DocumentChanges(isExpected);
  try {
    const said = await ownEdits.runExpecting(isExpected, async () => {
      const failed = await runQuietly(command, signal);
      await changes.settle(FIRST_CHANGE_MS, signal);
      return failed;
    });
    const files = await Promise.all(changes.seen().map(settleChanged));
    const changed =
      files.length === 0 ? 'no file changed so far' : `${count(files.length, 'file')} changed`;
    const others = await nameOthers(changes.others(), deps.readGuard);
    const text = [
      `ran '${title}': ${changed}`,
      ...said,
      ...formatWritten(files),
      ...others.lines,
      ...(await problems.after(signal)),
    ].join('\n');
    return { text, paths: [...files.map(({ path }) => path), ...others.paths] };
  } finally {
    changes.dispose();
  }
}

/** Changes of the documents that the command was given: elsewhere the person may be typing. */
function expectedOf(own: vscode.TextDocument, command: vscode.Command): IsExpected {
  const given: readonly unknown[] = command.arguments ?? [];
  const uris = given.filter((argument) => argument instanceof vscode.Uri);
  const keys = new Set([own.uri, ...uris].map((uri) => uri.toString()));
  return ({ document }) => keys.has(document.uri.toString());
}

/** Nobody knows whether the command changed them, so they are left as they are. */
async function nameOthers(
  documents: readonly vscode.TextDocument[],
  guard: ReadGuard | undefined,
): Promise<{ readonly lines: readonly string[]; readonly paths: readonly string[] }> {
  const uris = documents.map(({ uri }) => uri).filter((uri) => isInWorkspace(uri));
  const denied = await lookAtRules(guard, uris);
  const paths = uris.filter((uri) => denied(uri) === undefined).map((uri) => shownPath(uri));
  if (paths.length === 0) return { lines: [], paths };
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  const named = `${paths.slice(0, NAMED).join(', ')}${more}`;
  return { lines: [`also changed meanwhile, by it or by the person, not saved: ${named}`], paths };
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
