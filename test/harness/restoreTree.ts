import type { Dirent } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder the same as another one, by as few writes as that takes: what is the same stays as it
 * is, so that nobody who watches it has to read it again.
 * @returns what was written or removed, relative to the folder
 */
export async function restoreTree(from: string, to: string): Promise<readonly string[]> {
  const [wanted, present] = await Promise.all([entriesOf(from), entriesOf(to)]);
  const changed: string[] = [];
  for (const [name, entry] of present) {
    if (kindOf(wanted.get(name)) === kindOf(entry)) continue;
    await rm(path.join(to, name), { recursive: true, force: true });
    changed.push(name);
  }
  for (const [name, entry] of wanted) {
    if (entry.isDirectory()) await mkdir(path.join(to, name), { recursive: true });
    else if (await copyChanged(path.join(from, name), path.join(to, name))) changed.push(name);
  }
  return changed;
}

/** By path, a folder before what is in it. None where there is no such folder. */
async function entriesOf(folder: string): Promise<ReadonlyMap<string, Dirent>> {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const named = entries.map(
    (entry) => [path.relative(folder, path.join(entry.parentPath, entry.name)), entry] as const,
  );
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function kindOf(entry: Dirent | undefined): string {
  if (entry === undefined) return 'none';
  return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
}

async function copyChanged(from: string, to: string): Promise<boolean> {
  const [wanted, present] = await Promise.all([
    readFile(from),
    readFile(to).catch(() => undefined),
  ]);
  if (present?.equals(wanted) === true) return false;
  await writeFile(to, wanted);
  return true;
}
