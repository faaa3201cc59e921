import * as vscode from 'vscode';
import { applyWhole, settleDocument } from './applyChange';
import { checkWritable } from './checkWritable';
import { formatWritten, nameRanges, type WrittenFile } from './formatWritten';
import { watchProblems } from './newProblems';
import { openDocument } from './openDocument';
import { applyReplacements, type Hunk, placeHunks, type Replacement } from '../base/placeHunks';
import { count } from './resultBudget';
import { ToolProblem } from './toolProblem';
import type { WriteTarget } from './writeTarget';
import type { ProblemDeps } from './toolDeps';

/** All that a call wants changed in one file. */
export interface FileEdit {
  readonly target: WriteTarget;
  readonly hunks: readonly Hunk[];
}

interface Planned {
  readonly target: WriteTarget;
  /** Undefined for a file that is made. */
  readonly document: vscode.TextDocument | undefined;
  readonly wasDirty: boolean;
  readonly replacements: readonly Replacement[];
  /** Where the replacements stand afterwards, 1-based. */
  readonly lines: readonly { readonly from: number; readonly to: number }[];
}

/** The person may be typing in the same document. */
const TRIES = 3;

/**
 * Changes files through the editor: all or nothing, one undo step. The caller holds the documents.
 * @returns the answer for the model
 */
export async function editFiles(
  edits: readonly FileEdit[],
  deps: ProblemDeps,
  signal: AbortSignal,
): Promise<string> {
  const made = edits.filter(({ target }) => !target.exists).map(({ target }) => target);
  const changed = edits.filter(({ target }) => target.exists).map(({ target }) => target);
  const problems = await watchProblems(changed, made, deps, signal);
  const planned = await applyEdits(edits, signal);
  const files = await Promise.all(planned.map(finishFile));
  const places = planned.reduce((sum, { replacements }) => sum + replacements.length, 0);
  return [
    `edited ${count(files.length, 'file')}, ${count(places, 'place')}`,
    ...formatWritten(files),
    ...(await problems.after(signal)),
  ].join('\n');
}

async function applyEdits(
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<readonly Planned[]> {
  for (let round = 0; round < TRIES; round += 1) {
    const planned = await Promise.all(edits.map((edit) => planFile(edit, signal)));
    if (signal.aborted) throw new ToolProblem('Stopped; nothing was changed');
    if (await applyWhole(workspaceEdit(planned))) return planned;
  }
  throw new ToolProblem(
    'Nothing was changed: the text changes all the time, or a file cannot be written. Try again in a moment',
  );
}

async function planFile({ target, hunks }: FileEdit, signal: AbortSignal): Promise<Planned> {
  if (!target.exists) return planNew(target, hunks);
  const document = await openDocument(target);
  const texts = hunks.map((hunk) => hunk.new);
  await checkWritable(document, target, texts, signal);
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const before = document.getText();
  const placed = placeHunks(before, hunks, eol);
  if (!placed.ok) throw new ToolProblem(`Nothing was changed. ${target.path}: ${placed.why}`);
  const { replacements } = placed;
  const { lines } = applyReplacements(before, replacements);
  return { target, document, wasDirty: document.isDirty, replacements, lines };
}

function planNew(target: WriteTarget, hunks: readonly Hunk[]): Planned {
  const text = hunks.map((hunk) => hunk.new).join('');
  const replacements = [{ start: 0, end: 0, text }];
  return { target, document: undefined, wasDirty: false, replacements, lines: [] };
}

function workspaceEdit(planned: readonly Planned[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { target, document, replacements } of planned) {
    if (document === undefined) edit.createFile(target.uri);
    for (const { start, end, text } of replacements) {
      const from = document?.positionAt(start) ?? new vscode.Position(0, 0);
      const to = document?.positionAt(end) ?? from;
      edit.replace(target.uri, new vscode.Range(from, to), text);
    }
  }
  return edit;
}

async function finishFile({ target, document, wasDirty, lines }: Planned): Promise<WrittenFile> {
  const present = document ?? (await vscode.workspace.openTextDocument(target.uri));
  const what = document === undefined ? 'made' : nameRanges(lines);
  return { path: target.path, what, ...(await settleDocument(present, wasDirty)) };
}
