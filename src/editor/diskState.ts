import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { pause } from './boundedCall';
import { readSmall } from './fileBytes';

/** How a document in the editor stands to its file. */
export type DiskState = 'same' | 'unsaved' | 'diskNewer';

/** Larger files are taken to be the same: comparing them would cost more than it tells. */
const COMPARED_BYTES = 1_000_000;
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
    if (document.isClosed || (await isLikeDisk(document))) return 'same';
    if (Date.now() >= deadline || signal.aborted) return 'diskNewer';
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

async function isLikeDisk(document: vscode.TextDocument): Promise<boolean> {
  if (document.uri.scheme !== 'file') return true;
  try {
    // Before it is read: what changes meanwhile is seen the next time.
    const file = await stat(document.uri.fsPath);
    const { version } = document;
    const last = compared.get(document);
    if (last?.version === version && isUntouched(last.file, file)) return true;
    compared.delete(document);
    const isLike = await hasSameText(document);
    if (isLike && isSettled(file)) compared.set(document, { version, file });
    return isLike;
  } catch {
    // The file is gone or cannot be read: what the editor holds is all there is.
    return true;
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
  if (bytes === undefined) return true;
  const text = await decodeBytes(bytes, document.encoding);
  return plainText(text) === plainText(document.getText());
}

/** Another encoding than UTF-8 costs a question to the window. */
export async function decodeBytes(bytes: Uint8Array, encoding: string): Promise<string> {
  return encoding === 'utf8'
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
