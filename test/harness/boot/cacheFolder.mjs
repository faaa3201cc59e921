// @ts-check
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * The folder for what is kept between runs outside the checkout, in the user's own cache.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string}
 */
export function cacheFolder(env = process.env) {
  const xdg = env['XDG_CACHE_HOME'];
  // The XDG rules: a relative path is not valid and is to be ignored.
  const base =
    xdg !== undefined && path.isAbsolute(xdg)
      ? xdg
      : process.platform === 'win32'
        ? (env['LOCALAPPDATA'] ?? path.join(os.homedir(), 'AppData', 'Local'))
        : path.join(os.homedir(), '.cache');
  return path.join(base, 'patchbay-harness');
}

/**
 * Stands for this checkout in names of files, the same however the checkout was reached.
 *
 * @param {string} root
 * @returns {string}
 */
export function checkoutKey(root) {
  return createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 16);
}

/**
 * The lock file for work on this checkout.
 *
 * @param {string} root
 * @param {string} purpose A word for the file's name.
 * @returns {string}
 */
export function checkoutLock(root, purpose) {
  return path.join(cacheFolder(), 'locks', `${purpose}-${checkoutKey(root)}.lock`);
}
