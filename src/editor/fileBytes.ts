import { lstat, readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';

/** What is at a place. A link that leads to nothing is neither file nor folder. */
export interface FileStatus {
  readonly isFile: boolean;
  readonly isFolder: boolean;
  readonly size: number;
}

/**
 * Undefined for what is not there, or cannot be looked at. Files of this machine are looked at
 * without the editor: its own file system asks the window first who serves them, each time.
 */
export async function tryStat(uri: vscode.Uri): Promise<FileStatus | undefined> {
  try {
    if (uri.scheme === 'file') return await statFile(uri.fsPath);
    const { type, size } = await vscode.workspace.fs.stat(uri);
    // A link has two marks: its own and that of what it leads to.
    const is = (mark: vscode.FileType): boolean => (type & mark) !== 0;
    return { isFile: is(vscode.FileType.File), isFolder: is(vscode.FileType.Directory), size };
  } catch {
    return undefined;
  }
}

async function statFile(file: string): Promise<FileStatus> {
  const found = await stat(file).catch(() => lstat(file));
  return { isFile: found.isFile(), isFolder: found.isDirectory(), size: found.size };
}

/** All bytes of a file; rejects for what cannot be read. */
export async function readBytes(uri: vscode.Uri): Promise<Buffer> {
  if (uri.scheme === 'file') return readFile(uri.fsPath);
  return Buffer.from(await vscode.workspace.fs.readFile(uri));
}
