import * as vscode from 'vscode';
import { isRecord } from '../mcp/wire';
import { movedTo, type Renamed } from './movedUri';
import { findOpen } from './openFile';
import { keepsSelected, snippetText } from './snippetText';
import { ToolProblem } from './toolProblem';

/** A file that an edit makes, deletes (no `to`) or moves. */
export interface FileOperation {
  readonly from?: vscode.Uri;
  readonly to?: vscode.Uri;
  /** What is there goes. */
  readonly overwrites?: boolean;
  /** Left undone where something is there already, or nothing is there to be deleted. */
  readonly isOptional?: boolean;
}

/** What a `WorkspaceEdit` would do. */
export interface EditParts {
  readonly texts: readonly (readonly [uri: vscode.Uri, edits: readonly vscode.TextEdit[]])[];
  readonly operations: readonly FileOperation[];
  /** Of which documents some texts are snippets. */
  readonly snippets?: ReadonlySet<string>;
}

/**
 * Takes an edit apart. File operations are not told by the API: they are read from the object
 * itself, where `_allEntries` has stood in all versions so far.
 * @throws ToolProblem where they cannot be seen, or where notebooks are changed as a whole: what is
 * not seen cannot be judged
 */
export function readWorkspaceEdit(edit: vscode.WorkspaceEdit): EditParts {
  const all: unknown =
    '_allEntries' in edit && typeof edit._allEntries === 'function'
      ? Reflect.apply(edit._allEntries, edit, [])
      : undefined;
  if (!Array.isArray(all)) throw unseen('what it does to files cannot be seen');
  const texts = new Map<string, [vscode.Uri, vscode.TextEdit[]]>();
  const operations: FileOperation[] = [];
  const snippets = new Set<string>();
  for (const entry of all) {
    const part = readEntry(entry);
    if (part === undefined) throw unseen('it changes more than texts and files');
    if (!('edit' in part)) operations.push(part);
    else {
      const key = part.uri.toString();
      const known = texts.get(key);
      if (known) known[1].push(part.edit);
      else texts.set(key, [part.uri, [part.edit]]);
      if (part.isSnippet) snippets.add(key);
    }
  }
  return { texts: [...texts.values()], operations, snippets };
}

/** All that would be written, once for each place: what a file operation touches counts once. */
export function writtenUris({ texts, operations }: EditParts): readonly vscode.Uri[] {
  return [
    ...operations.flatMap(({ from, to }) => [from, to].filter((uri) => uri !== undefined)),
    ...texts.flatMap(([uri, edits]) => edits.map(() => uri)),
  ];
}

/** The paths of those that are on the disk, links not followed; a notebook's for its cells. */
export function writtenPaths(parts: EditParts): readonly string[] {
  return writtenUris(parts)
    .filter(({ scheme }) => scheme === 'file' || scheme === 'vscode-notebook-cell')
    .map(({ fsPath }) => fsPath);
}

/** Files and folders that get another name. */
export function renamedFiles({ operations }: EditParts): readonly Renamed[] {
  return operations.flatMap(({ from, to }) => (from && to ? [{ oldUri: from, newUri: to }] : []));
}

/**
 * Takes the texts of files out of an edit that it moves as well, to be applied before the rest: the
 * editor gives what a server answers with all file operations first, and then finds no such file.
 */
export function takeMovedTexts(
  edit: vscode.WorkspaceEdit,
  parts: EditParts,
): vscode.WorkspaceEdit | undefined {
  const made = new Set(parts.operations.map(({ to }) => to?.toString()));
  const renamed = renamedFiles(parts);
  const moved = parts.texts.filter(
    ([uri]) => movedTo(uri, renamed) !== undefined && !made.has(uri.toString()),
  );
  if (moved.length === 0) return undefined;
  const before = new vscode.WorkspaceEdit();
  for (const [uri, edits] of moved) {
    before.set(uri, [...edits]);
    removeTexts(edit, uri);
  }
  return before;
}

/** Puts plain texts in place of snippets, which would take the cursor and the keys of the person. */
export function makePlain(edit: vscode.WorkspaceEdit, { texts, snippets }: EditParts): void {
  for (const [uri, edits] of texts) {
    if (snippets?.has(uri.toString()) !== true) continue;
    removeTexts(edit, uri);
    edit.set(uri, [...edits]);
  }
}

/** Without edits `set` removes those that there are, which its type does not tell. */
function removeTexts(edit: vscode.WorkspaceEdit, uri: vscode.Uri): void {
  const set: unknown = Reflect.get(edit, 'set');
  if (typeof set === 'function') Reflect.apply(set, edit, [uri, undefined]);
}

interface TextEntry {
  readonly uri: vscode.Uri;
  readonly edit: vscode.TextEdit;
  readonly isSnippet: boolean;
}
type Entry = FileOperation | TextEntry;

function readEntry(entry: unknown): Entry | undefined {
  if (!isRecord(entry)) return undefined;
  const { uri, edit, from, to, options } = entry;
  if (uri instanceof vscode.Uri) {
    return edit instanceof vscode.TextEdit
      ? { uri, edit, isSnippet: false }
      : snippetAsText(uri, edit, entry.range);
  }
  const known = [from, to].filter((place) => place instanceof vscode.Uri);
  if (known.length === 0) return undefined;
  return {
    ...(from instanceof vscode.Uri ? { from } : {}),
    ...(to instanceof vscode.Uri ? { to } : {}),
    ...(isRecord(options) && options.overwrite === true ? { overwrites: true } : {}),
    ...(isRecord(options) && isOptional(options) ? { isOptional: true } : {}),
  };
}

function isOptional(options: Record<string, unknown>): boolean {
  const { overwrite, ignoreIfExists, ignoreIfNotExists } = options;
  return (ignoreIfExists === true && overwrite !== true) || ignoreIfNotExists === true;
}

/** Nobody is there to fill in a snippet. */
function snippetAsText(uri: vscode.Uri, edit: unknown, range: unknown): TextEntry | undefined {
  if (!(edit instanceof vscode.SnippetString) || !(range instanceof vscode.Range)) return undefined;
  const document = findOpen(uri);
  if (document === undefined && !range.isEmpty && keepsSelected(edit.value)) {
    throw unseen('it puts something around text of a file that is not open');
  }
  const place = document ? indentAt(document, range.start) : {};
  const text = snippetText(edit.value, { ...place, selected: document?.getText(range) });
  return { uri, edit: vscode.TextEdit.replace(range, text), isSnippet: true };
}

/** As the editor indents what it puts there itself; it does not hand on where that is not wanted. */
function indentAt(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): { readonly indent: string; readonly tab: string } {
  const before = line < document.lineCount ? document.lineAt(line).text.slice(0, character) : '';
  const indent = /^[\t ]*/u.exec(before)?.[0] ?? '';
  return { indent, tab: tabOf(document) };
}

const LINES_LOOKED_AT = 5_000;

/** The shortest of its indentations, which are of blanks unless a line begins with a tab; else as it is set. */
function tabOf(document: vscode.TextDocument): string {
  const text = document.getText(new vscode.Range(0, 0, LINES_LOOKED_AT, 0));
  if (/^\t/mu.test(text)) return '\t';
  const blanks = [...text.matchAll(/^ {2,8}(?=\S)/gmu)].map(([each]) => each.length);
  if (blanks.length > 0) return ' '.repeat(Math.min(...blanks));
  const config = vscode.workspace.getConfiguration('editor', document);
  const size = config.get<unknown>('tabSize');
  if (config.get<unknown>('insertSpaces') === false) return '\t';
  return ' '.repeat(typeof size === 'number' ? size : 4);
}

function unseen(why: string): ToolProblem {
  return new ToolProblem(`Nothing was changed: ${why}. Make the change with edit`);
}
