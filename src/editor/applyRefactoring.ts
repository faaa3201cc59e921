import * as vscode from 'vscode';
import { applyWhole, settleDocument } from './applyChange';
import { awaitDisk } from './diskState';
import type { WrittenFile } from './formatWritten';
import { tryStat } from './fileBytes';
import { isOpen } from './findFile';
import { watchProblems } from './newProblems';
import { openDocument } from './openDocument';
import { type ReadGuard, writeDenied } from './readGuard';
import { count } from './resultBudget';
import { isInWorkspace, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';
import { type EditParts, writtenUris } from './workspaceEditParts';
import type { LanguageDeps } from './toolDeps';

export interface Refactored {
  readonly files: readonly WrittenFile[];
  /** Text edits in all of them. */
  readonly places: number;
  /** Files that were made, deleted or moved, in words. */
  readonly operations: readonly string[];
  /** Lines for the answer. */
  readonly problems: readonly string[];
}

interface Opened {
  readonly document: vscode.TextDocument;
  readonly wasDirty: boolean;
  readonly places: number;
}

const AT_ONCE = 20;

/**
 * Applies what a language server answered as one undo step, saves the files that had no unsaved
 * changes, and looks at the problems. The caller holds the documents.
 * @throws ToolProblem, with nothing changed, where one of the files cannot or must not be written
 */
export async function applyRefactoring(
  edit: vscode.WorkspaceEdit,
  parts: EditParts,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<Refactored> {
  await refuseRules(parts, deps.readGuard);
  const opened = await openAll(parts, signal);
  const files = opened.map(({ document }) => foundFile(document.uri));
  const problems = await watchProblems(files, [], deps, signal);
  if (signal.aborted) throw new ToolProblem('Stopped; nothing was changed');
  if (!(await applyWhole(edit))) {
    throw new ToolProblem(
      'Nothing was changed: a text was changed meanwhile, or a file cannot be written. Try again',
    );
  }
  const written = await inBatches(opened, finish);
  const operations = parts.operations.map(describeOperation);
  const places = opened.reduce((sum, file) => sum + file.places, 0);
  return { files: written, places, operations, problems: await problems.after(signal) };
}

async function refuseRules(parts: EditParts, guard: ReadGuard | undefined): Promise<void> {
  const denied = await writeDenied(guard, writtenUris(parts));
  if (denied === undefined) return;
  throw new ToolProblem(
    `Nothing was changed: ${denied.reason} ${denied.count === 1 ? 'one' : denied.count} of the files it would change. Ask the person`,
  );
}

/** Everything is looked at before anything is changed. */
async function openAll({ texts }: EditParts, signal: AbortSignal): Promise<readonly Opened[]> {
  return inBatches(texts, async ([uri, edits]) => {
    const path = shownPath(uri);
    refuseScheme(uri, path);
    const stat = await tryStat(uri);
    if (stat === undefined && !isOpen(uri)) {
      throw new ToolProblem(`Nothing was changed: ${path} is not there any more. Try again`);
    }
    const size = stat === undefined ? {} : { size: stat.size };
    const document = await openDocument({ uri, path, isFolder: false, ...size });
    if ((await awaitDisk(document, signal)) === 'diskNewer') {
      throw new ToolProblem(
        `Nothing was changed: ${path} has changed on disk and the editor has the old text. Try again`,
      );
    }
    if (edits.some(({ range }) => !document.validateRange(range).isEqual(range))) {
      throw new ToolProblem(
        `Nothing was changed: the language server gave places that ${path} does not have. Try again`,
      );
    }
    return { document, wasDirty: document.isDirty, places: edits.length };
  });
}

function refuseScheme(uri: vscode.Uri, path: string): void {
  const { scheme } = uri;
  if (scheme === 'file' || scheme === 'untitled' || scheme === 'vscode-notebook-cell') return;
  if (vscode.workspace.fs.isWritableFileSystem(scheme) === true && isInWorkspace(uri)) return;
  throw new ToolProblem(`Nothing was changed: it reaches into ${path}, which cannot be written`);
}

async function finish({ document, wasDirty, places }: Opened): Promise<WrittenFile> {
  const what = count(places, 'place');
  const path = shownPath(document.uri);
  return { path, what, ...(await settleDocument(document, wasDirty)) };
}

function describeOperation({ from, to }: EditParts['operations'][number]): string {
  if (from === undefined) return `made ${to === undefined ? '' : shownPath(to)}`;
  return to === undefined
    ? `deleted ${shownPath(from)}`
    : `moved ${shownPath(from)} to ${shownPath(to)}`;
}

function foundFile(uri: vscode.Uri): { uri: vscode.Uri; path: string; isFolder: boolean } {
  return { uri, path: shownPath(uri), isFolder: false };
}

async function inBatches<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}
