import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

/** More links than any system follows; a ring of links ends here. */
const MAX_LINKS = 40;
/** More than the longest path that a disk takes; a cut climb would take what lies outside for inside. */
const MAX_LEVELS = 40_000;

/**
 * Follows all links of an absolute path whose last parts need not exist: the deepest part that exists is
 * resolved and the rest is put behind it. A link to nowhere counts as what it points to, since a
 * write through it would make that file.
 * Never rejects: what cannot be read is kept as it was written.
 */
export async function resolveRealPath(file: string): Promise<string> {
  let current = path.resolve(file);
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const step = await resolveOnce(current);
    if (step.done) return step.path;
    current = step.path;
  }
  return current;
}

/** From this many files of one folder on, listing the folder is cheaper than asking for each file. */
const CROWD = 8;

/** Lists that are being looked at: several guards are asked about one at once. */
const underWay = new WeakMap<readonly string[], Promise<ReadonlyMap<string, string>>>();

/**
 * `resolveRealPath` of many absolute paths, by path. Of a folder with many of them only the folder is
 * resolved, and its list tells which of its files are links. Asked about one list again before the
 * answer, it is one question.
 * Never rejects.
 */
export function resolveRealPaths(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  let answer = underWay.get(files);
  if (answer === undefined) {
    answer = resolveAll(files).finally(() => underWay.delete(files));
    underWay.set(files, answer);
  }
  return answer;
}

async function resolveAll(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const byFolder = new Map<string, string[]>();
  for (const file of new Set(files)) {
    const folder = path.dirname(file);
    const known = byFolder.get(folder);
    if (known === undefined) byFolder.set(folder, [file]);
    else known.push(file);
  }
  const resolved = new Map<string, string>();
  await Promise.all(
    [...byFolder].map(async ([folder, some]) => {
      const plain = some.length < CROWD ? undefined : await plainFiles(folder);
      const rest: string[] = [];
      for (const file of some) {
        const name = path.basename(file);
        // Just one separator between them: `a//b` and `a/b/` are not as the list has it.
        const isListed = file.length === folder.length + 1 + name.length;
        if (plain === undefined || !isListed || !plain.names.has(name)) rest.push(file);
        else resolved.set(file, plain.folder === folder ? file : path.join(plain.folder, name));
      }
      await Promise.all(rest.map(async (file) => resolved.set(file, await resolveRealPath(file))));
    }),
  );
  return resolved;
}

/** Where a folder really is, and what in it is no link; undefined where it cannot be listed. */
async function plainFiles(
  folder: string,
): Promise<{ readonly folder: string; readonly names: ReadonlySet<string> } | undefined> {
  const [real, entries] = await Promise.all([
    attempt(() => realpath(folder)),
    attempt(() => readdir(folder, { withFileTypes: true })),
  ]);
  if (real === undefined || entries === undefined) return undefined;
  const names = new Set<string>();
  for (const entry of entries) {
    // Some file systems do not tell what an entry is: those are asked for one by one.
    if (entry.isFile() || entry.isDirectory()) names.add(entry.name);
  }
  return { folder: real, names };
}

/** One climb to the deepest part that exists; not done when that part is a link to nowhere. */
async function resolveOnce(file: string): Promise<{ path: string; done: boolean }> {
  const tail: string[] = [];
  let head = file;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const real = await attempt(() => realpath(head));
    if (real !== undefined) return { path: path.join(real, ...tail), done: true };
    const target = await danglingTarget(head);
    if (target !== undefined) return { path: path.join(target, ...tail), done: false };
    const parent = path.dirname(head);
    if (parent === head) break;
    tail.unshift(path.basename(head));
    head = parent;
  }
  return { path: file, done: true };
}

async function danglingTarget(file: string): Promise<string | undefined> {
  const stat = await attempt(() => lstat(file));
  if (stat?.isSymbolicLink() !== true) return undefined;
  const target = await attempt(() => readlink(file));
  if (target === undefined) return undefined;
  // A relative target counts from the real folder of the link, not from the way that led there.
  const folder = await attempt(() => realpath(path.dirname(file)));
  return path.resolve(folder ?? path.dirname(file), target);
}

async function attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
