import * as vscode from 'vscode';
import { isRecord } from '../mcp/wire';
import { settleChanged } from './applyChange';
import { applyRefactoring, type Refactoring, unclearByNow } from './applyRefactoring';
import { type OfferedAction, partsOf } from './askActions';
import { boundedCall } from './boundedCall';
import { DocumentChanges } from './documentChanges';
import type { Offer } from './findActions';
import { formatChange, formatWritten, type WrittenFile } from './formatWritten';
import { watchProblems } from './newProblems';
import { type IsExpected, ownEdits } from './ownEdits';
import { lookAtRules, type ReadGuard } from './readGuard';
import { count, oneLine } from './resultBudget';
import { isInWorkspace, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';
import { type EditParts, writtenUris } from './workspaceEditParts';
import type { LanguageDeps } from './toolDeps';

/** A command may open a box or a list in the editor and wait for the person. */
const COMMAND_MS = 15_000;
const FIRST_CHANGE_MS = 1_000;
const NAMED = 5;
/** Characters for the files that its command has changed besides. */
const FURTHER_ROOM = 1_500;

/** The answer for the model, and the files that it names. */
export interface RanAction {
  readonly text: string;
  readonly paths: readonly string[];
}

/** Lines for the answer, and the files that they name. */
interface Told {
  readonly lines: readonly string[];
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
  const after = await followUp(command, [document.uri, ...writtenUris(parts)], deps, signal);
  const counted = `${count(done.places, 'place')} in ${count(done.files.length, 'file')}`;
  const head = [`applied '${title}': ${counted}`, ...done.operations];
  const text = formatChange(head, done.files, [...after.lines, ...done.problems.lines]);
  const changed = done.files.map(({ path }) => path);
  return { text, paths: [...changed, ...after.paths, ...done.problems.paths] };
}

/** What a server wants run after its edit: that may change texts as well. */
async function followUp(
  command: vscode.Command | undefined,
  own: readonly vscode.Uri[],
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<Told> {
  if (command === undefined) return { lines: [], paths: [] };
  const asking = editorAction(command);
  if (asking !== undefined) return { lines: [`not run, it asks the person: ${asking}`], paths: [] };
  const { said, files, others } = await watchCommand(command, own, 0, deps, signal);
  const changed = files.length === 0 ? [] : ['its command changed further:'];
  return {
    lines: [...said, ...changed, ...formatWritten(files, FURTHER_ROOM), ...others.lines],
    paths: [...files.map(({ path }) => path), ...others.paths],
  };
}

/**
 * An action of the editor's own among what a command runs, such as a box for the new name: it would
 * open the file and take the keys that the person types elsewhere.
 */
function editorAction(command: unknown): string | undefined {
  if (!isRecord(command) || typeof command.command !== 'string') return undefined;
  if (command.command.startsWith('editor.action.')) return command.command;
  const given: readonly unknown[] = Array.isArray(command.arguments) ? command.arguments : [];
  return given.map(editorAction).find((found) => found !== undefined);
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
  const own = [document.uri];
  const { said, files, others } = await watchCommand(command, own, FIRST_CHANGE_MS, deps, signal);
  const changed =
    files.length === 0 ? 'no file changed so far' : `${count(files.length, 'file')} changed`;
  const { lines, paths } = await problems.after(signal);
  const head = [`ran '${title}': ${changed}`, ...said];
  const text = formatChange(head, files, [...others.lines, ...lines]);
  return { text, paths: [...files.map(({ path }) => path), ...others.paths, ...paths] };
}

interface Watched {
  readonly said: readonly string[];
  readonly files: readonly WrittenFile[];
  readonly others: Told;
}

/** Runs a command, waits so long for a first change of its own, and saves what it has changed. */
async function watchCommand(
  command: vscode.Command,
  own: readonly vscode.Uri[],
  firstMs: number,
  { readGuard }: LanguageDeps,
  signal: AbortSignal,
): Promise<Watched> {
  const isExpected = expectedOf(own, command);
  const changes = new DocumentChanges(isExpected);
  try {
    const said = await ownEdits.runExpecting(isExpected, async () => {
      const failed = await runQuietly(command, signal);
      await changes.settle(firstMs, signal);
      return failed;
    });
    const files = await Promise.all(changes.seen().map(settleChanged));
    return { said, files, others: await nameOthers(changes.others(), readGuard) };
  } finally {
    changes.dispose();
  }
}

/** Changes of the documents that the command was given: elsewhere the person may be typing. */
function expectedOf(own: readonly vscode.Uri[], command: vscode.Command): IsExpected {
  const given: readonly unknown[] = command.arguments ?? [];
  const uris = given.filter((argument) => argument instanceof vscode.Uri);
  const keys = new Set([...own, ...uris].map((uri) => uri.toString()));
  return ({ document }) => keys.has(document.uri.toString());
}

/** Nobody knows whether the command changed them, so they are left as they are. */
async function nameOthers(
  documents: readonly vscode.TextDocument[],
  guard: ReadGuard | undefined,
): Promise<Told> {
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
  command: vscode.Command,
  signal: AbortSignal,
): Promise<readonly string[]> {
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
