import { rmdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { applyWhole, settleDocument } from './applyChange';
import { checkNewText, checkWritable } from './checkWritable';
import { tryStat } from './fileBytes';
import { formatChange, nameRanges, type WrittenFile } from './formatWritten';
import { lineEdits } from './lineEdits';
import { describeEnds, hasOtherEnds } from './mixedEnds';
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

/** What was found out of a file before its text is looked at. */
interface Ready extends FileEdit {
  /** Undefined for a file that is made. */
  readonly document: vscode.TextDocument | undefined;
  /** Saving will make the line ends of all lines one kind. */
  readonly hasOtherEnds: boolean;
}

interface Planned extends Ready {
  readonly wasDirty: boolean;
  readonly replacements: readonly Replacement[];
  /** Where the replacements stand afterwards, 1-based. */
  readonly lines: readonly { readonly from: number; readonly to: number }[];
}

/** The person may be typing in the same document. */
const TRIES = 3;

/**
 * Changes files through the editor: all or nothing, one undo step. The caller holds the documents.
 * @returns the answer for the model, and the files that it may name
 */
export async function editFiles(
  edits: readonly FileEdit[],
  deps: ProblemDeps,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly paths: readonly string[] }> {
  const made = edits.filter(({ target }) => !target.exists).map(({ target }) => target);
  const changed = edits.filter(({ target }) => target.exists).map(({ target }) => target);
  const problems = await watchProblems(changed, made, deps, signal);
  const planned = await applyEdits(edits, signal);
  const files = await Promise.all(planned.map(finishFile));
  const done = planned.filter((_, index) => files[index]?.state !== 'readOnly');
  const places = done.reduce((sum, { replacements }) => sum + replacements.length, 0);
  const { lines, paths } = await problems.after(signal);
  const head = [`edited ${count(done.length, 'file')}, ${count(places, 'place')}`];
  const text = formatChange(head, files, [...describeEnds(planned.flatMap(mixedOf)), ...lines]);
  return { text, paths: [...files.map(({ path }) => path), ...paths] };
}

async function applyEdits(
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<readonly Planned[]> {
  for (let round = 0; round < TRIES; round += 1) {
    const ready = await Promise.all(edits.map((edit) => makeReady(edit, signal)));
    if (signal.aborted) throw new ToolProblem('Stopped; nothing was changed');
    const made = ready.filter(({ document }) => document === undefined).map(planFile);
    const present = ready.filter(({ document }) => document !== undefined);
    if (made.length === 0) {
      const planned = await applyPresent(present);
      if (planned) return planned;
    } else if (!present.some(isClosed)) {
      // What does not fit is told before any file is made.
      present.forEach(planFile);
      const planned = await makeFirst(made, () => applyPresent(present));
      if (planned) return [...made, ...planned];
    }
  }
  throw new ToolProblem(
    'Nothing was changed: the text changes all the time, or a file cannot be written. Try again in a moment',
  );
}

/** What the editor has let go of does not follow its file any more. */
function isClosed({ document }: Ready): boolean {
  return document?.isClosed === true;
}

/** Undefined where a text is another one by now. */
async function applyPresent(ready: readonly Ready[]): Promise<readonly Planned[] | undefined> {
  if (ready.some(isClosed)) return undefined;
  // From here on nothing is waited for: the person may be typing in one file while others are read.
  const planned = ready.map(planFile);
  const isDone = planned.length === 0 || (await applyWhole(workspaceEdit(planned)));
  return isDone ? planned : undefined;
}

/**
 * Makes files, then does the rest; where that fails they go again. In one edit the editor would stop
 * half way, and say no more than that it failed: one that somebody else has made by then is not ours.
 */
async function makeFirst<T>(
  all: readonly Planned[],
  rest: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const made: vscode.Uri[] = [];
  const folders: vscode.Uri[] = [];
  let done: T | undefined;
  try {
    for (const one of all) {
      const { uri, path } = one.target;
      folders.unshift(...(await missingFolders(uri)));
      if (!(await applyWhole(workspaceEdit([one])))) {
        throw new ToolProblem(
          `Nothing was changed: a file may be in the way, or must not be written. Not made: ${path}`,
        );
      }
      made.push(uri);
      if (await isLeftEmpty(one)) {
        throw new ToolProblem(
          `Nothing was changed: the editor has ${path} read-only (files.readonlyInclude, or the person)`,
        );
      }
    }
    done = await rest();
    return done;
  } finally {
    if (done === undefined) await removeMade(made, folders);
  }
}

/** What is read-only by its name can be made, and takes no text. */
async function isLeftEmpty({ target, replacements }: Planned): Promise<boolean> {
  if (replacements.every(({ text }) => text === '')) return false;
  return (await vscode.workspace.openTextDocument(target.uri)).getText() === '';
}

/** Folders that come with a file, the innermost first. */
async function missingFolders(uri: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const missing: vscode.Uri[] = [];
  let folder = vscode.Uri.joinPath(uri, '..');
  while (uri.scheme === 'file' && (await tryStat(folder)) === undefined) {
    missing.push(folder);
    folder = vscode.Uri.joinPath(folder, '..');
  }
  return missing;
}

async function removeMade(
  made: readonly vscode.Uri[],
  folders: readonly vscode.Uri[],
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const uri of made) edit.deleteFile(uri, { ignoreIfNotExists: true });
  if (made.length > 0) await applyWhole(edit, made);
  // One that others have put something into by now is not removed, and that is no fault.
  for (const { fsPath } of folders) await rmdir(fsPath).catch(() => undefined);
}

async function makeReady(edit: FileEdit, signal: AbortSignal): Promise<Ready> {
  const { target, hunks } = edit;
  const texts = hunks.map((hunk) => hunk.new);
  if (!target.exists) {
    if ((await tryStat(target.uri)) !== undefined) {
      throw new ToolProblem(`Nothing was changed: ${target.path} is there by now. Read it first`);
    }
    refuseDraft(target);
    await checkNewText(target, texts);
    return { ...edit, document: undefined, hasOtherEnds: false };
  }
  const document = await openDocument(target);
  await checkWritable(document, target, texts, signal);
  return { ...edit, document, hasOtherEnds: await hasOtherEnds(document) };
}

/** A document of this path that is yet to be saved, as `code new.txt` makes one. */
function refuseDraft({ uri, path }: WriteTarget): void {
  const draft = vscode.workspace.textDocuments.find(
    (one) => one.isUntitled && one.isDirty && one.uri.path === uri.path,
  );
  if (draft === undefined) return;
  throw new ToolProblem(
    `Nothing was changed: ${path} is open and was never saved. Give its URI: ${draft.uri.toString()}`,
  );
}

function planFile(ready: Ready): Planned {
  const { target, hunks, document } = ready;
  if (document === undefined) return planNew(ready);
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const before = document.getText();
  const placed = placeHunks(before, hunks, eol);
  if (!placed.ok) throw new ToolProblem(`Nothing was changed. ${target.path}: ${placed.why}`);
  const { replacements } = placed;
  const { lines } = applyReplacements(before, replacements);
  return { ...ready, wasDirty: document.isDirty, replacements, lines };
}

function planNew(ready: Ready): Planned {
  const text = ready.hunks.map((hunk) => hunk.new).join('');
  return { ...ready, wasDirty: false, replacements: [{ start: 0, end: 0, text }], lines: [] };
}

function workspaceEdit(planned: readonly Planned[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { target, document, replacements } of planned) {
    if (document === undefined) edit.createFile(target.uri);
    const edits = replacements.map(({ start, end, text }) => {
      if (document === undefined) return newText(text);
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      return lineEdits(document, range, text);
    });
    edit.set(target.uri, edits.flat());
  }
  return edit;
}

/** The editor gives new files the line ends that are set: one that has only CRLF, a script of Windows, needs them. */
function newText(text: string): vscode.TextEdit[] {
  const put = vscode.TextEdit.insert(new vscode.Position(0, 0), text);
  const isCrlf = text.includes('\r\n') && !/(?<!\r)\n/u.test(text);
  return isCrlf ? [put, vscode.TextEdit.setEndOfLine(vscode.EndOfLine.CRLF)] : [put];
}

async function finishFile({ target, document, wasDirty, lines }: Planned): Promise<WrittenFile> {
  const present = document ?? (await vscode.workspace.openTextDocument(target.uri));
  const what = document === undefined ? 'made' : nameRanges(lines);
  return { path: target.path, what, ...(await settleDocument(present, wasDirty)) };
}

/** Where saving has made the line ends one kind. */
function mixedOf({ document, wasDirty, hasOtherEnds: isMixed }: Planned): vscode.TextDocument[] {
  return document !== undefined && !wasDirty && isMixed ? [document] : [];
}
