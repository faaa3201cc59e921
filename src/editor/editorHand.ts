import { chmod, lstat, readFile, realpath, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isAbsent } from '../base/errors';
import { uriKey } from '../rules/pathShape';
import type { FileHand } from '../workFiles/revertChange';
import { bytesOf, type SeenFile, type SeenText } from '../workFiles/seenFile';
import { openFile } from './openFile';
import { holdDocuments } from './applyChange';
import { awaitDisk, plainText } from './diskState';
import { lineEdits } from './lineEdits';
import { saveDocument } from './saveDocument';

/** Larger files are not read, in bytes. */
const LARGEST = 5 * 1024 * 1024;
/** So much of a file tells whether it is text. */
const SNIFFED_BYTES = 8_192;
/** Of what the system tells of a file: who may read, write and run it. */
const PERMISSIONS = 0o777;
/** How long the editor may take on a busy machine to notice what was written behind its back: the person asked for this. */
const NOTICED_MS = 15_000;

/**
 * Changes files of the person through the editor: in the buffer where one is open, as one undo step,
 * with encoding and line ends as they were. What is changed counts as the person's own.
 */
export const editorHand: FileHand = { see, rewrite, put, trash, move, clear };

/** The text of the editor where it is not saved, else what is on the disk. Never rejects. */
async function see(file: string): Promise<SeenFile> {
  const open = openFile(file);
  if (open?.isDirty === true) {
    const [text, crlf] = [plainText(open.getText()), open.eol === vscode.EndOfLine.CRLF];
    if (text.length <= LARGEST) return { kind: 'text', text, crlf };
    return { kind: 'opaque', why: 'large', stamp: `${open.version} unsaved` };
  }
  try {
    return await readDisk(file);
  } catch (error) {
    return isAbsent(error)
      ? { kind: 'none' }
      : { kind: 'opaque', why: 'unreadable', stamp: String(error) };
  }
}

async function readDisk(file: string): Promise<SeenFile> {
  const found = await stat(file);
  if (found.isDirectory()) return { kind: 'folder' };
  const stamp = `${found.size} ${found.mtimeMs}`;
  // A device or a pipe can be read for ever.
  if (!found.isFile()) return { kind: 'opaque', why: 'unreadable', stamp };
  if (found.size > LARGEST) return { kind: 'opaque', why: 'large', stamp };
  const bytes = await readFile(file);
  const text = await decode(file, bytes);
  // Windows has no such thing.
  const mode = process.platform === 'win32' ? {} : { mode: found.mode & PERMISSIONS };
  if (text === undefined) return { kind: 'binary', bytes, ...mode };
  return { kind: 'text', text: plainText(text), crlf: hasCrlf(text), bytes, ...mode };
}

/** As the editor would open it; undefined for what is no text. */
async function decode(file: string, bytes: Buffer): Promise<string | undefined> {
  const mark = bytes.subarray(0, 2).toString('latin1');
  const isWide = mark === '\xFF\xFE' || mark === '\xFE\xFF';
  if (!isWide && bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  const uri = vscode.Uri.file(file);
  const { encoding, guess } = encodingSettings(uri);
  if (!isWide && encoding === 'utf8' && guess !== true) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      // Not UTF-8: the editor knows how it opens that.
    }
  }
  try {
    return await vscode.workspace.decode(bytes, { uri });
  } catch {
    return undefined;
  }
}

function encodingSettings(uri: vscode.Uri): {
  readonly encoding: unknown;
  readonly guess: unknown;
} {
  const files = vscode.workspace.getConfiguration('files', uri);
  return { encoding: files.get('encoding'), guess: files.get('autoGuessEncoding') };
}

async function rewrite(
  file: string,
  now: SeenText,
  text: string,
  exact?: SeenText,
): Promise<boolean> {
  const uri = openFile(file)?.uri ?? vscode.Uri.file(file);
  const stop = new AbortController().signal;
  return holdDocuments([uri], stop, async () => {
    if (isNotebook(uri)) return rewriteNotebook(file, now, text, exact);
    const document = await vscode.workspace.openTextDocument(uri);
    const isStale = (await awaitDisk(document, stop, NOTICED_MS)) === 'diskNewer';
    if (isStale || plainText(document.getText()) !== now.text) return false;
    const wasDirty = document.isDirty;
    if (!(await vscode.workspace.applyEdit(editOf(document, text, exact)))) return false;
    if (wasDirty) return true;
    if ((await saveDocument(document)).state === 'readOnly') return false;
    await writeExact(uri, document, exact);
    return true;
  });
}

function editOf(
  document: vscode.TextDocument,
  after: string,
  exact: SeenText | undefined,
): vscode.WorkspaceEdit {
  const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  const edits = lineEdits(document, all, after);
  const eol = exact?.crlf === true ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  if (exact && eol !== document.eol) edits.push(vscode.TextEdit.setEndOfLine(eol));
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  return edit;
}

/** Mixed line ends, a byte-order mark, or what a formatter makes of it on saving. */
async function writeExact(
  uri: vscode.Uri,
  document: vscode.TextDocument,
  exact: SeenText | undefined,
): Promise<void> {
  if (exact?.bytes === undefined || document.isDirty) return;
  const present = await readFile(uri.fsPath);
  if (Buffer.compare(present, exact.bytes) !== 0) {
    await vscode.workspace.fs.writeFile(uri, exact.bytes);
  }
}

/** Its editor has no text: it reads the file again, where it has no changes of its own. */
async function rewriteNotebook(
  file: string,
  now: SeenText,
  text: string,
  exact: SeenText | undefined,
): Promise<boolean> {
  const open = vscode.workspace.notebookDocuments.find(({ uri }) => isSame(uri, file));
  const seen = await see(file);
  if (open?.isDirty === true || seen.kind !== 'text' || seen.text !== now.text) return false;
  const crlf = exact?.crlf ?? now.crlf;
  const bytes = exact?.bytes ?? bytesOf({ kind: 'text', text, crlf });
  if (bytes) await vscode.workspace.fs.writeFile(vscode.Uri.file(file), bytes);
  return true;
}

async function put(file: string, bytes: Uint8Array, mode?: number): Promise<void> {
  const uri = vscode.Uri.file(file);
  await vscode.workspace.fs.createDirectory(vscode.Uri.file(path.dirname(file)));
  await vscode.workspace.fs.writeFile(uri, bytes);
  // The editor makes all files alike: a program could not be run, and a key be read by others. The
  // content is there in any case, so where the disk knows no permissions that is no failure.
  if (mode !== undefined) await chmod(file, mode).catch(() => undefined);
}

/**
 * Where the system has no trash it is deleted: its content is kept for the way back. A link is the
 * person's: what was made through it goes, and it leads nowhere again.
 */
async function trash(file: string): Promise<void> {
  const isLink = (await lstat(file)).isSymbolicLink();
  const uri = isLink
    ? vscode.Uri.file(await realpath(file))
    : (openFile(file)?.uri ?? vscode.Uri.file(file));
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch {
    await vscode.workspace.fs.delete(uri, { useTrash: false });
  }
}

/** By the editor, so that tabs and imports follow. */
async function move(from: string, to: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to));
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new Error(`${from} could not be moved to ${to}`);
}

/** The system itself refuses what holds something. */
async function clear(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch {
    return false;
  }
}

function isSame(uri: vscode.Uri, file: string): boolean {
  const { platform } = process;
  return uriKey(uri, platform) === uriKey(vscode.Uri.file(file), platform);
}

function isNotebook(uri: vscode.Uri): boolean {
  return /\.ipynb$/iu.test(uri.path);
}

function hasCrlf(text: string): boolean {
  const crlf = text.split('\r\n').length - 1;
  return crlf > 0 && crlf * 2 >= text.split('\n').length - 1;
}
