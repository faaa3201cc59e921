// @ts-check
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The arguments that make Node run a program under `supervise.mjs`: it ends, with all that it has
 * started, when the stdin of the supervisor closes.
 *
 * @param {number} graceMs Between SIGTERM and SIGKILL.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {string[]}
 */
export function supervised(graceMs, command, args) {
  return [supervisorFile(), String(graceMs), command, ...args];
}

/** Beside this file, or in the checkout when this file is part of a bundle. @returns {string} */
function supervisorFile() {
  const beside = fileURLToPath(new URL('supervise.mjs', import.meta.url));
  if (existsSync(beside)) return beside;
  const root = process.env['PATCHBAY_ROOT'] ?? process.cwd();
  return path.join(root, 'test/harness/boot/supervise.mjs');
}

/**
 * For `spawn`: a supervisor in the group of another's program would be killed with it, before it has
 * ended its own.
 */
export const supervisedOptions = { detached: process.platform !== 'win32' };
