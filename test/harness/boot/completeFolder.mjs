// A folder that is either complete or not there at all.
// @ts-check
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from './lock.mjs';

/** Written last: a folder without it is the rest of an installation that was cut off. */
export const MARKER = '.complete';

/** @param {string} dir @returns {boolean} */
export function isComplete(dir) {
  return existsSync(path.join(dir, MARKER));
}

/**
 * Makes `dir` by filling a folder beside it and renaming that one, unless `dir` is complete already.
 * Of several processes that want it at once one fills it, the others wait and use it.
 *
 * @param {object} options
 * @param {string} options.dir
 * @param {(temp: string) => Promise<void>} options.fill Gets an empty folder; throws if it failed.
 * @param {(pid: number) => void} [options.onWait]
 * @returns {Promise<string>} `dir`
 */
export async function ensureComplete({ dir, fill, onWait }) {
  if (isComplete(dir)) return dir;
  await withLock(
    `${dir}.lock`,
    async () => {
      if (isComplete(dir)) return;
      await removeLeftovers(dir);
      const temp = `${dir}.partial-${randomUUID().slice(0, 8)}`;
      await mkdir(temp, { recursive: true });
      try {
        await fill(temp);
        await writeFile(path.join(temp, MARKER), '');
        await rename(temp, dir);
      } finally {
        await rm(temp, { recursive: true, force: true });
      }
    },
    onWait === undefined ? {} : { onWait },
  );
  return dir;
}

/** What an earlier owner of the lock left when it was cut off. @param {string} dir */
async function removeLeftovers(dir) {
  await rm(dir, { recursive: true, force: true });
  const parent = path.dirname(dir);
  const prefix = `${path.basename(dir)}.partial-`;
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix))
      await rm(path.join(parent, name), { recursive: true, force: true });
  }
}
