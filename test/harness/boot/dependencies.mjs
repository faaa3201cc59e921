// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { checkoutLock } from './cacheFolder.mjs';
import { withLock } from './lock.mjs';
import { runNpm } from './run.mjs';

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean }} LockEntry
 */

/** npm writes it last, so it is the marker of a complete node_modules. */
const HIDDEN_LOCK = 'node_modules/.package-lock.json';

/**
 * Installs the dependencies, unless node_modules is complete and is what the lock file asks for.
 * Two processes in one checkout do it one after the other, so the second finds it done.
 *
 * @param {string} root
 * @param {{ say?: (line: string) => void, logFile?: string }} [options]
 * @returns {Promise<boolean>} True if something had to be installed.
 */
export async function ensureDependencies(root, { say, logFile } = {}) {
  if (missingDependency(root) === undefined) return false;
  return withLock(
    checkoutLock(root, 'install'),
    async () => {
      const why = missingDependency(root);
      if (why === undefined) return false;
      say?.(`Installing the dependencies with npm ci, 770 MB with the agent's CLI (${why}).`);
      // First of all: an npm that is cut off while it clears the folder would leave it there.
      await rm(path.join(root, HIDDEN_LOCK), { force: true });
      await runNpm(['ci', '--no-audit', '--no-fund', '--no-update-notifier'], {
        cwd: root,
        ...(logFile === undefined ? {} : { logFile }),
      });
      const still = missingDependency(root);
      if (still !== undefined) throw new Error(`npm ci left node_modules incomplete: ${still}`);
      return true;
    },
    {
      onWait: (pid) => say?.(`Waiting for process ${String(pid)}, which is installing them.`),
    },
  );
}

/**
 * What keeps node_modules from being used as it is.
 *
 * @param {string} root
 * @returns {string | undefined} In words; undefined if it is complete.
 */
export function missingDependency(root) {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  if (wanted === undefined) return 'no package-lock.json';
  const present = readPackages(path.join(root, HIDDEN_LOCK));
  if (present === undefined) return 'node_modules is missing or was cut off';
  for (const [name, entry] of wanted) {
    if (name === '') continue;
    const found = present.get(name);
    // What is for other platforms is not installed.
    if (found === undefined && (entry.optional === true || entry.devOptional === true)) continue;
    if (found?.version !== entry.version)
      return `${name} is not at ${entry.version ?? 'its place'}`;
    if (!existsSync(path.join(root, name, 'package.json'))) return `${name} is missing`;
  }
  for (const name of present.keys())
    if (!wanted.has(name)) return `${name} is not in the lock file`;
  return undefined;
}

/** @param {string} file @returns {Map<string, LockEntry> | undefined} */
function readPackages(file) {
  try {
    const { packages } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof packages === 'object' ? new Map(Object.entries(packages)) : undefined;
  } catch {
    return undefined;
  }
}
