import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { errorMessage } from '../base/errors';
import { tryStat } from './fileBytes';
import type { FoundFile } from './findFile';
import { zeroBytes } from './markedEncoding';
import { findOpen } from './openFile';
import { refuseOdd } from './plainFile';
import type { DocumentSize } from './problem';
import { ToolProblem } from './toolProblem';

/** Documents over this size never reach extensions. */
const LARGEST = 50 * 1024 * 1024;
const SNIFFED_BYTES = 512;

/**
 * The document of a file, read in the background where it is not open: no tab appears.
 * @throws ToolProblem for folders, binary files, too large ones, and what cannot be read
 */
export async function openDocument(file: FoundFile): Promise<vscode.TextDocument> {
  const loaded = findOpen(file.uri);
  if (loaded) return loaded;
  if (file.isFolder) throw new ToolProblem(`${file.path} is a folder; give a file in it`);
  if (isTooLarge(file)) {
    const megabytes = Math.round((file.size ?? 0) / 1024 / 1024);
    throw new ToolProblem(
      `${file.path} has ${megabytes} MB: too large for the editor (50 MB). Read it in parts with Read`,
    );
  }
  if (file.uri.scheme === 'file') refuseOdd(await tryStat(file.uri), file.path);
  await refuseBinary(file);
  try {
    return await vscode.workspace.openTextDocument(file.uri);
  } catch (cause) {
    throw new ToolProblem(`${file.path} cannot be read as text: ${errorMessage(cause)}`, { cause });
  }
}

/** Whether the editor would not give the document to an extension. */
export function isTooLarge({ size }: Pick<FoundFile, 'size'>): boolean {
  return size !== undefined && size > LARGEST;
}

/** @throws ToolProblem for what is no text */
export async function refuseBinary({ uri, path }: FoundFile): Promise<void> {
  if (await isBinary(uri)) throw new ToolProblem(`${path} is a binary file, not text`);
}

export function documentSize(document: vscode.TextDocument): DocumentSize {
  return {
    lineCount: document.lineCount,
    lineLength: (line) => document.lineAt(line).text.length,
  };
}

export async function isBinary(uri: vscode.Uri): Promise<boolean> {
  return uri.scheme === 'file' && zeroBytes(await readStart(uri)) === 'binary';
}

async function readStart(uri: vscode.Uri): Promise<Uint8Array> {
  try {
    const file = await open(uri.fsPath);
    try {
      const { buffer, bytesRead } = await file.read(
        new Uint8Array(SNIFFED_BYTES),
        0,
        SNIFFED_BYTES,
        0,
      );
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    // Opening the document will say what is wrong.
    return new Uint8Array();
  }
}
