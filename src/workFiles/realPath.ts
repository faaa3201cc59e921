import { lstat, readlink, realpath } from 'node:fs/promises';
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
