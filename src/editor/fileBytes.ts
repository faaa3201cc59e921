import { lstat, open, readFile, stat } from 'node:fs/promises';
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

/** Whether anything is at a place, a link to nothing among it. One question to the disk. */
export async function isAnything(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file') return (await tryStat(uri)) !== undefined;
  return lstat(uri.fsPath).then(
    () => true,
    () => false,
  );
}

async function statFile(file: string): Promise<FileStatus> {
  const found = await stat(file).catch(() => lstat(file));
  return { isFile: found.isFile(), isFolder: found.isDirectory(), size: found.size };
}

/** What most files of code are shorter than: read without asking first how long they are. */
const START_BYTES = 32_768;

/** All bytes of a file; rejects for what cannot be read. */
export async function readBytes(uri: vscode.Uri): Promise<Buffer> {
  if (uri.scheme === 'file') return readFile(uri.fsPath);
  return Buffer.from(await vscode.workspace.fs.readFile(uri));
}

/** The same of a file of at most so many bytes; undefined for a larger one. */
export async function readSmall(uri: vscode.Uri, most: number): Promise<Buffer | undefined> {
  if (uri.scheme !== 'file') {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > most ? undefined : readBytes(uri);
  }
  // Opened once for all: each question to the disk costs the extension host more than it costs the disk.
  const file = await open(uri.fsPath);
  try {
    const [{ size }, start] = await Promise.all([
      file.stat(),
      file.read(Buffer.allocUnsafe(START_BYTES), 0, START_BYTES, 0),
    ]);
    if (size > most) return undefined;
    if (start.bytesRead === size) return start.buffer.subarray(0, size);
    // What the system makes up as it is read has no size.
    if (size === 0) return await file.readFile();
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    // Nothing waits for it, and of a file that was read only nothing is lost by it.
    file.close().catch(() => undefined);
  }
}

/**
 * What tells a file from all others, by whatever path or link it is reached; undefined for what is
 * not there, and where the file system has no such number.
 */
export async function fileId({ fsPath }: vscode.Uri): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(fsPath, { bigint: true });
    return ino === 0n ? undefined : `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
