// @ts-check
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import path from 'node:path';

const TAIL_CHARS = 4000;

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] The whole environment; the present one by default.
 * @property {string} [logFile] Both outputs are appended to it.
 * @property {(text: string) => void} [onOutput]
 * @property {AbortSignal} [stop] Ends the program with SIGTERM.
 * @property {boolean} [openStdin] Stdin stays open and empty, and closes when this process ends,
 *   however it ends: a program that is to end with us can wait for that.
 */

/**
 * Runs a program to its end; it has no stdin.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, tail: string }>} `tail`: the last characters of both outputs.
 *   The code is 127 if the program could not be started, and 128 if a signal ended it.
 */
export function run(command, args, options = {}) {
  const { cwd, env, logFile, onOutput, stop, openStdin = false } = options;
  return new Promise((resolve) => {
    const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a' });
    let tail = '';
    const take = (/** @type {string} */ text) => {
      log?.write(text);
      onOutput?.(text);
      tail = (tail + text).slice(-TAIL_CHARS);
    };
    const stdin = openStdin ? 'pipe' : 'ignore';
    const child = spawn(command, args, { cwd, env, stdio: [stdin, 'pipe', 'pipe'] });
    const stopChild = () => child.kill();
    stop?.addEventListener('abort', stopChild, { once: true });
    process.once('exit', stopChild);
    const finish = (/** @type {number} */ code) => {
      process.off('exit', stopChild);
      stop?.removeEventListener('abort', stopChild);
      if (log === undefined) resolve({ code, tail });
      else log.end(() => resolve({ code, tail }));
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    child.once('error', (error) => {
      take(`${error.message}\n`);
      finish(127);
    });
    child.once('close', (code) => {
      if (child.pid !== undefined) finish(code ?? 128);
    });
  });
}

/**
 * Runs npm. Throws with the end of its output if it fails.
 *
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export async function runNpm(args, options = {}) {
  const [command, first] = npmCommand();
  const { code, tail } = await run(command, [...first, ...args], {
    ...options,
    env: withoutNpm(options.env ?? process.env),
  });
  if (code !== 0)
    throw new Error(`npm ${args.join(' ')} failed (${String(code)}):\n${tail.trim()}`);
}

/** npm is a script, which Windows cannot start by its name. @returns {[string, string[]]} */
function npmCommand() {
  const script = process.env['npm_execpath'];
  if (script !== undefined && path.basename(script) === 'npm-cli.js') {
    return [process.execPath, [script]];
  }
  if (process.platform !== 'win32') return ['npm', []];
  const bundled = path.join(path.dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js');
  return [process.execPath, [bundled]];
}

/**
 * An npm inside `npm test` would take the outer one's project and flags for its own.
 *
 * @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv}
 */
function withoutNpm(env) {
  const outer =
    /^npm_(package_|lifecycle_|command$|config_(local_prefix|prefix|global|production)$)/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !outer.test(name)));
}
