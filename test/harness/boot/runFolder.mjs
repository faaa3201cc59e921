// @ts-check
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const KEEP = 3;

/**
 * Makes the folder that takes all that one run of the suites builds and writes, and removes those of
 * earlier runs except the newest few. Two runs at once share nothing in it.
 *
 * @param {string} root
 * @returns {string}
 */
export function createRunFolder(root) {
  const all = path.join(root, 'test/.artifacts');
  mkdirSync(all, { recursive: true });
  removeOld(all);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = path.join(all, `${stamp}-${String(process.pid)}`);
  mkdirSync(path.join(folder, 'logs'), { recursive: true });
  writeFileSync(path.join(folder, 'pid'), String(process.pid));
  return folder;
}

/** @param {string} all */
function removeOld(all) {
  const runs = readdirSync(all)
    .filter((name) => /^\d{4}-\d\d-\d\dT[\d-]+$/.test(name))
    .sort();
  for (const name of runs.slice(0, -KEEP)) {
    const folder = path.join(all, name);
    if (!isRunning(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @returns {boolean} */
function isRunning(folder) {
  try {
    process.kill(Number(readFileSync(path.join(folder, 'pid'), 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}
