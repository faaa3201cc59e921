import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isAbsent } from '../base/errors';
import { pause } from './boundedCall';
import { readBytes, readSmall } from './fileBytes';

/** How a document in the editor stands to its file. */
export type DiskState = 'same' | 'unsaved' | 'diskNewer' | 'removed';

/** Larger files are compared part by part: at once it would hold the event loop. */
const COMPARED_BYTES = 1_000_000;
const PART_BYTES = 524_288;
const LINE_END = /\r\n|\r|\n/u;
const RELOAD_MS = 1_500;

/**
 * Compares a document with its file. The CLI writes files behind the editor's back, and the editor
 * takes a moment to notice; its servers see the old text till then, so that moment is waited for.
 */
export async function awaitDisk(
  document: vscode.TextDocument,
  signal: AbortSignal,
  withinMs = RELOAD_MS,
): Promise<DiskState> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if (document.isDirty || document.isUntitled) return 'unsaved';
    const state = document.isClosed ? 'same' : await compareWithDisk(document);
    if (state !== 'diskNewer' || Date.now() >= deadline || signal.aborted) return state;
    await pause(40, signal);
  }
}

/** Younger ones may change once more within one tick of the disk's clock, in milliseconds. */
const SETTLED_MS = 3_000;

/** What a document was compared with, and was like it. */
interface Compared {
  readonly version: number;
  readonly file: Stats;
}
const compared = new WeakMap<vscode.TextDocument, Compared>();

async function compareWithDisk(
  document: vscode.TextDocument,
): Promise<'same' | 'diskNewer' | 'removed'> {
  if (document.uri.scheme !== 'file') return 'same';
  try {
    // Before it is read: what changes meanwhile is seen the next time.
    const file = await stat(document.uri.fsPath);
    const { version } = document;
    const last = compared.get(document);
    if (last?.version === version && isUntouched(last.file, file)) return 'same';
    compared.delete(document);
    const isLike = await hasSameText(document);
    if (isLike && isSettled(file)) compared.set(document, { version, file });
    return isLike ? 'same' : 'diskNewer';
  } catch (error) {
    // Where it cannot be read, what the editor holds is all there is.
    return isAbsent(error) ? 'removed' : 'same';
  }
}

function isUntouched(a: Stats, b: Stats): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}

function isSettled({ mtimeMs, ctimeMs }: Stats): boolean {
  return Math.max(mtimeMs, ctimeMs) < Date.now() - SETTLED_MS;
}

async function hasSameText(document: vscode.TextDocument): Promise<boolean> {
  const bytes = await readSmall(document.uri, COMPARED_BYTES);
  if (bytes === undefined) return hasSameLines(document);
  const text = await decodeBytes(bytes, document.encoding);
  return plainText(text) === plainText(document.getText());
}

/** The same of a large file, a part at a time; it ends at the first line that is another. */
async function hasSameLines(document: vscode.TextDocument): Promise<boolean> {
  const { uri, encoding, lineCount } = document;
  if (!encoding.startsWith('utf8')) {
    const text = await decodeBytes(await readBytes(uri), encoding);
    return plainText(text) === plainText(document.getText());
  }
  const decoder = new TextDecoder();
  let line = 0;
  let rest = '';
  let held = '';
  const isNext = (text: string): boolean =>
    line < lineCount && document.lineAt(line++).text === text;
  for await (const part of createReadStream(uri.fsPath, { highWaterMark: PART_BYTES })) {
    // Without an encoding a stream gives bytes.
    const text = held + decoder.decode(part as Buffer, { stream: true });
    // A line end may be cut in two.
    held = text.endsWith('\r') ? '\r' : '';
    const [first = '', ...more] = (held === '' ? text : text.slice(0, -1)).split(LINE_END);
    rest += first;
    for (const next of more) {
      if (!isNext(rest)) return false;
      rest = next;
    }
  }
  const last = held === '' ? [rest + decoder.decode()] : [rest, ''];
  return last.every(isNext) && line === lineCount;
}

/** Another encoding than UTF-8 costs a question to the window. */
export async function decodeBytes(bytes: Uint8Array, encoding: string): Promise<string> {
  return encoding === 'utf8' || encoding === 'utf8bom'
    ? new TextDecoder().decode(bytes)
    : vscode.workspace.decode(bytes, { encoding });
}

/** The editor makes line ends uniform and takes the byte-order mark off when it loads a file. */
export function plainText(text: string): string {
  return text
    .replace(/^\uFEFF/u, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');
}
