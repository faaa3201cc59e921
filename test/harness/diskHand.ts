import { chmod, mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileHand } from '../../src/workFiles/revertChange';
import { bytesOf, isSameFile, type SeenFile } from '../../src/workFiles/seenFile';

const LARGEST = 5 * 1024 * 1024;

/** Changes files on the disk as the editor does, where none has unsaved changes. */
export const diskHand: FileHand = {
  see,
  rewrite: async (file, now, text, exact) => {
    if (!isSameFile(await see(file), now)) return false;
    const crlf = exact?.crlf ?? now.crlf;
    await writeFile(file, exact?.bytes ?? bytesOf({ kind: 'text', text, crlf }) ?? '');
    return true;
  },
  put: async (file, bytes, mode) => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
    if (mode !== undefined) await chmod(file, mode);
  },
  trash: (file) => rm(file),
  move: async (from, to) => {
    if ((await see(to)).kind !== 'none') throw new Error(`${to} is there`);
    await mkdir(path.dirname(to), { recursive: true });
    await rename(from, to);
  },
  clear: (folder) =>
    rmdir(folder).then(
      () => true,
      () => false,
    ),
};

async function see(file: string): Promise<SeenFile> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return { kind: 'none' };
  if (found.isDirectory()) return { kind: 'folder' };
  if (found.size > LARGEST) {
    return { kind: 'opaque', why: 'large', stamp: `${found.size} ${found.mtimeMs}` };
  }
  const bytes = await readFile(file);
  const mode = found.mode & 0o777;
  if (bytes.includes(0)) return { kind: 'binary', bytes, mode };
  const text = bytes.toString('utf8');
  const crlf = text.includes('\r\n');
  return { kind: 'text', text: text.replaceAll('\r\n', '\n'), crlf, bytes, mode };
}
