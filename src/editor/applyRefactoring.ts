import * as vscode from 'vscode';
import { applyWhole, settleDocument } from './applyChange';
import { checkEncoding, checkNewText, refuseOtherBuffer } from './checkWritable';
import { awaitDisk } from './diskState';
import type { WrittenFile } from './formatWritten';
import { tryStat } from './fileBytes';
import { filesBelow } from './filesBelow';
import { type FoundFile, isOpen } from './findFile';
import { isBelow } from './importUpdates';
import { type ProblemWatch, type ToldProblems, watchProblems } from './newProblems';
import { describeEnds, hasOtherEnds } from './mixedEnds';
import { movedTo, type Renamed } from './movedUri';
import { isUnsaved } from './notebookFile';
import { openDocument } from './openDocument';
import { findOpen } from './openFile';
import { type ReadGuard, writeDenied } from './readGuard';
import { count, linesWithRest } from './resultBudget';
import { unsavedFiles } from './sameFile';
import { isInWorkspace, shownPath } from './servedFiles';
import { ToolProblem } from './toolProblem';
import {
  type EditParts,
  type FileOperation,
  makePlain,
  renamedFiles,
  takeMovedTexts,
  writtenUris,
} from './workspaceEditParts';
import type { LanguageDeps } from './toolDeps';

export interface Refactored {
  readonly files: readonly WrittenFile[];
  /** Text edits in all of them. */
  readonly places: number;
  /** Files that were made, deleted or moved, in words. */
  readonly operations: readonly string[];
  readonly problems: ToldProblems;
}

/** What a language server would change. */
export interface Refactoring {
  readonly edit: vscode.WorkspaceEdit;
  readonly parts: EditParts;
}

/** What was looked at before anything is changed. */
interface Prepared {
  /** All that may be written. */
  readonly uris: ReadonlySet<string>;
  readonly documents: ReadonlyMap<string, vscode.TextDocument>;
  /** What is made or moved there: it can be opened once that is done. */
  readonly made: ReadonlySet<string>;
  /** What would be moved or deleted and is not there. */
  readonly absent: ReadonlySet<string>;
  /** Those that saving gives other line ends. */
  readonly mixed: ReadonlySet<vscode.TextDocument>;
}

interface Changed {
  readonly uri: vscode.Uri;
  /** Undefined for a file that is made. */
  readonly document: vscode.TextDocument | undefined;
  /** Where it is afterwards, if it is moved as well. */
  readonly moved: vscode.Uri | undefined;
  readonly wasDirty: boolean;
  readonly edits: readonly vscode.TextEdit[];
}

const AT_ONCE = 20;
/** Characters for lines about files that are made, deleted or moved. */
const OPERATIONS_ROOM = 1_200;
/** The person may be typing in the same documents. */
const TRIES = 3;

/**
 * Applies what a language server answered as one undo step, saves the files that had no unsaved
 * changes, and looks at the problems. The caller holds the documents.
 *
 * The answer does not tell for which text it is. So all that takes time is done by a first one, and
 * the one that counts is applied in the tick in which it comes, if no text was changed meanwhile.
 * @param again asks for the answer that counts
 * @throws ToolProblem, with nothing changed, where one of the files cannot or must not be written
 */
export async function applyRefactoring(
  first: Pick<Refactoring, 'parts'>,
  again: () => Promise<Refactoring>,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<Refactored> {
  let prepared = await prepare(first.parts, deps, signal);
  const problems = await watchTexts(first.parts, prepared, deps, signal);
  for (let round = 0; round < TRIES; round += 1) {
    const versions = versionsOf(prepared);
    const { edit, parts } = await again();
    if (signal.aborted) throw new ToolProblem('Stopped; nothing was changed');
    if (!isPrepared(prepared, parts)) {
      prepared = await prepare(parts, deps, signal);
      continue;
    }
    if (changedSince(prepared, versions).length > 0) continue;
    const changed = changesOf(prepared, parts);
    changed.forEach(refusePlaces);
    parts.operations.forEach(refuseLoss);
    refuseDeleted(parts);
    if (await applyParts(edit, parts)) {
      const files = await inBatches(changed, finish);
      const operations = describeOperations(parts.operations, prepared);
      const places = changed.reduce((sum, { edits }) => sum + edits.length, 0);
      const ends = describeEnds(changed.flatMap((one) => mixedOf(one, prepared)));
      const { lines, paths } = await problems.after(signal);
      return { files, places, operations, problems: { lines: [...ends, ...lines], paths } };
    }
    // Some of those may be done by now.
    if (parts.operations.length > 0) await tellHalfDone(parts, prepared, versions);
  }
  throw new ToolProblem(
    'Nothing was changed: a text was changed meanwhile, or a file cannot be written. Try again',
  );
}

async function applyParts(edit: vscode.WorkspaceEdit, parts: EditParts): Promise<boolean> {
  makePlain(edit, parts);
  const before = takeMovedTexts(edit, parts);
  if (before && !(await applyWhole(before))) return false;
  return applyWhole(edit, writtenUris(parts));
}

/** What is made or moved has no problems before: there is no such file. */
function watchTexts(
  parts: EditParts,
  { documents, made }: Prepared,
  deps: LanguageDeps,
  signal: AbortSignal,
): Promise<ProblemWatch> {
  const renamed = renamedFiles(parts);
  const present: FoundFile[] = [];
  const news: FoundFile[] = [];
  for (const [uri] of parts.texts) {
    const moved = movedTo(uri, renamed);
    const isNew = moved !== undefined || made.has(uri.toString());
    if (isNew) news.push(foundFile(moved ?? uri));
    else if (documents.has(uri.toString())) present.push(foundFile(uri));
  }
  return watchProblems(present, news, deps, signal);
}

/** For who asks again and finds several. */
export function unclearByNow(): ToolProblem {
  return new ToolProblem(
    'Nothing was changed: a text was changed meanwhile, and what is meant is not clear any more. Try again',
  );
}

/** The editor stops where a part fails, and says no more than that. @throws ToolProblem for what it has done by then */
async function tellHalfDone(
  { operations }: EditParts,
  prepared: Prepared,
  before: ReadonlyMap<string, number>,
): Promise<void> {
  const found = await Promise.all(
    operations.map(async (operation) => {
      if (prepared.absent.has(String(operation.from))) return [];
      const from = operation.from && (await tryStat(operation.from));
      const to = operation.to && (await tryStat(operation.to));
      const isDone = from === undefined && (operation.to === undefined || to !== undefined);
      return isDone ? [operation] : [];
    }),
  );
  const done = [
    ...describeOperations(found.flat(), prepared),
    ...changedSince(prepared, before).map(({ uri }) => `changed ${shownPath(uri)}`),
  ];
  if (done.length === 0) return;
  throw new ToolProblem(`The editor refused a part of it. Done, so look at it: ${done.join(', ')}`);
}

async function refuseRules(parts: EditParts, guard: ReadGuard | undefined): Promise<void> {
  const denied = await writeDenied(guard, [...writtenUris(parts), ...(await takenAlong(parts))]);
  if (denied === undefined) return;
  throw new ToolProblem(
    `Nothing was changed: ${denied.reason} ${denied.count === 1 ? 'one' : denied.count} of the files it would change. Ask the person`,
  );
}

/** What lies in folders that are moved or deleted. */
async function takenAlong({ operations }: EditParts): Promise<readonly vscode.Uri[]> {
  const gone = operations.flatMap(({ from }) => (from?.scheme === 'file' ? from : []));
  const files = await inBatches(gone, async (uri) =>
    (await tryStat(uri))?.isFolder === true ? filesBelow(uri.fsPath) : [],
  );
  return files.flat().map((file) => vscode.Uri.file(file));
}

/** Everything is looked at before anything is changed. */
async function prepare(
  parts: EditParts,
  { readGuard }: LanguageDeps,
  signal: AbortSignal,
): Promise<Prepared> {
  await refuseRules(parts, readGuard);
  writtenUris(parts).forEach(refuseScheme);
  const made = new Set<string>();
  const absent = new Set<string>();
  // TypeScript "makes" also those that are there.
  await inBatches(parts.operations, async ({ from, to }) => {
    if (to && !isOpen(to) && (await tryStat(to)) === undefined) made.add(to.toString());
    if (from === undefined || parts.operations.some((one) => one.to && isBelow(from, one.to)))
      return;
    if ((await tryStat(from)) === undefined) absent.add(from.toString());
  });
  const documents = new Map<string, vscode.TextDocument>();
  const mixed = new Set<vscode.TextDocument>();
  const unsaved = await unsavedFiles();
  const before = renamedBack(parts);
  await inBatches(parts.texts, async ([uri, edits]) => {
    const key = uri.toString();
    const path = shownPath(uri);
    const texts = edits.map(({ newText }) => newText);
    // In a folder that moves, by the name that it has then.
    const from = made.has(key) ? undefined : movedTo(uri, before);
    const isMoved = from !== undefined && (await tryStat(uri)) === undefined;
    if (isMoved) made.add(key);
    if (made.has(key)) return checkNewText({ uri, path }, texts);
    await refuseOtherBuffer(uri, path, unsaved);
    const document = await openText(uri, signal);
    await checkEncoding(document, path, texts);
    documents.set(key, document);
    if (await hasOtherEnds(document)) mixed.add(document);
  });
  return { uris: new Set(writtenUris(parts).map(String)), documents, made, absent, mixed };
}

async function openText(uri: vscode.Uri, signal: AbortSignal): Promise<vscode.TextDocument> {
  const path = shownPath(uri);
  const stat = await tryStat(uri);
  if (stat === undefined && !isOpen(uri)) {
    throw new ToolProblem(`Nothing was changed: ${path} is not there any more. Try again`);
  }
  const size = stat === undefined ? {} : { size: stat.size };
  const document = await openDocument({ uri, path, isFolder: false, ...size });
  const disk = await awaitDisk(document, signal);
  if (disk === 'removed') {
    throw new ToolProblem(
      `Nothing was changed: ${path} was removed from the disk and is still open. Ask the person to close or save it`,
    );
  }
  if (disk === 'diskNewer') {
    throw new ToolProblem(
      `Nothing was changed: ${path} has changed on disk and the editor has the old text. Try again`,
    );
  }
  return document;
}

function isPrepared({ uris, documents, made }: Prepared, parts: EditParts): boolean {
  const isReady = (key: string): boolean => made.has(key) || documents.get(key)?.isClosed === false;
  return (
    writtenUris(parts).every((uri) => uris.has(uri.toString())) &&
    parts.texts.every(([uri]) => isReady(uri.toString()))
  );
}

function versionsOf({ documents }: Prepared): ReadonlyMap<string, number> {
  return new Map([...documents].map(([key, { version }]) => [key, version]));
}

function changedSince(
  { documents }: Prepared,
  before: ReadonlyMap<string, number>,
): readonly vscode.TextDocument[] {
  return [...documents].flatMap(([key, one]) => (before.get(key) === one.version ? [] : one));
}

/** As things stand in this tick: what turns unsaved later is the person's doing. */
function changesOf({ documents }: Prepared, parts: EditParts): readonly Changed[] {
  const renamed = renamedFiles(parts);
  const before = renamedBack(parts);
  return parts.texts.map(([uri, edits]) => {
    const document = documents.get(uri.toString());
    const from = movedTo(uri, before);
    const known = document ?? (from && findOpen(from));
    const moved = document && movedTo(uri, renamed);
    return { uri, document, moved, wasDirty: known !== undefined && isUnsaved(known), edits };
  });
}

/** From the new names to the present ones. */
function renamedBack(parts: EditParts): readonly Renamed[] {
  return renamedFiles(parts).map(({ oldUri, newUri }) => ({ oldUri: newUri, newUri: oldUri }));
}

/**
 * An end past that of a line or of the text is common, and means just that end. What overlaps the
 * editor refuses half way, with other files changed by then.
 */
function refusePlaces({ uri, document, edits }: Changed): void {
  const isThere = ({ range: { start } }: vscode.TextEdit): boolean =>
    document === undefined || document.validatePosition(start).isEqual(start);
  if (!edits.every(isThere)) {
    throw new ToolProblem(
      `Nothing was changed: the language server gave places that ${shownPath(uri)} does not have. Try again`,
    );
  }
  const ranges = edits.map(({ range }) => range);
  ranges.sort((a, b) => a.start.compareTo(b.start) || a.end.compareTo(b.end));
  if (ranges.every(({ start }, at) => ranges[at - 1]?.end.isAfter(start) !== true)) return;
  throw new ToolProblem(
    `Nothing was changed: the language server gave places in ${shownPath(uri)} that overlap. Make the change with edit`,
  );
}

/** By the time of the change the file would be gone, and all else stays undone. */
function refuseDeleted({ texts, operations }: EditParts): void {
  const gone = operations.flatMap(({ from, to }) => (from && to === undefined ? [from] : []));
  const [lost] = texts.find(([uri]) => gone.some((one) => isBelow(uri, one))) ?? [];
  if (lost === undefined) return;
  throw new ToolProblem(
    `Nothing was changed: the language server would change and delete ${shownPath(lost)}. Make the change with edit`,
  );
}

/** The editor deletes and overwrites without a question, unsaved text too. */
function refuseLoss({ from, to, overwrites }: FileOperation): void {
  const isTaken = from !== undefined || overwrites === true;
  const gone = to === undefined ? from : isTaken ? to : undefined;
  const { textDocuments, notebookDocuments } = vscode.workspace;
  const lost =
    gone &&
    [...textDocuments, ...notebookDocuments].find(
      ({ uri, isDirty }) => isDirty && uri.scheme === gone.scheme && isBelow(uri, gone),
    );
  if (lost === undefined) return;
  throw new ToolProblem(
    `Nothing was changed: it would delete ${shownPath(lost.uri)}, which has unsaved changes. Ask the person to save them`,
  );
}

function refuseScheme(uri: vscode.Uri): void {
  const { scheme } = uri;
  if (scheme === 'file' || scheme === 'untitled' || scheme === 'vscode-notebook-cell') return;
  if (vscode.workspace.fs.isWritableFileSystem(scheme) === true && isInWorkspace(uri)) return;
  throw new ToolProblem(
    `Nothing was changed: it reaches into ${shownPath(uri)}, which cannot be written`,
  );
}

async function finish(changed: Changed): Promise<WrittenFile> {
  const { document, moved, wasDirty, edits } = changed;
  const uri = moved ?? changed.uri;
  const isSame = document !== undefined && moved === undefined;
  const present = isSame ? document : await vscode.workspace.openTextDocument(uri);
  const what = count(edits.length, 'place');
  return { path: shownPath(uri), what, ...(await settleDocument(present, wasDirty)) };
}

function mixedOf({ document, wasDirty }: Changed, { mixed }: Prepared): vscode.TextDocument[] {
  return document !== undefined && !wasDirty && mixed.has(document) ? [document] : [];
}

function describeOperations(
  operations: readonly FileOperation[],
  { made, absent }: Prepared,
): readonly string[] {
  const lines = operations.flatMap(({ from, to, overwrites, isOptional }) => {
    const isFree = to === undefined ? !absent.has(String(from)) : made.has(to.toString());
    if (from && isOptional === true && !isFree) return [];
    if (to === undefined) return from ? [`deleted ${shownPath(from)}`] : [];
    if (from) return [`moved ${shownPath(from)} to ${shownPath(to)}`];
    if (made.has(to.toString())) return [`made ${shownPath(to)}`];
    return overwrites === true ? [`made anew ${shownPath(to)}, with nothing of its text`] : [];
  });
  const all = `and more: ${count(lines.length, 'file')} in all`;
  return linesWithRest(lines, OPERATIONS_ROOM, all);
}

function foundFile(uri: vscode.Uri): FoundFile {
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
