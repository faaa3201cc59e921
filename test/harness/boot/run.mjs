// @ts-check
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { supervised, supervisedOptions } from './supervisor.mjs';

const TAIL_CHARS = 4000;
/** For what has something to tidy up after SIGTERM. */
const GRACE_MS = 10_000;

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] The whole environment; the present one by default.
 * @property {string} [logFile] Both outputs are appended to it.
 * @property {(text: string) => void} [onOutput]
 * @property {AbortSignal} [stop] Ends the program.
 * @property {number} [graceMs] How long it may go on after SIGTERM.
 */

/**
 * Runs a program, without stdin, to its end. It ends with this process, however that ends: an npm
 * that goes on after its `npm test` was killed would work against the next one.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, tail: string }>} `tail`: the last characters of both outputs.
 *   The code is 127 if the program could not be started, and 128 if a signal ended it.
 */
export function run(command, args, options = {}) {
  const { cwd, env, logFile, onOutput, stop, graceMs = GRACE_MS } = options;
  return new Promise((resolve) => {
    const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a' });
    let tail = '';
    const take = (/** @type {string} */ text) => {
      log?.write(text);
      onOutput?.(text);
      tail = (tail + text).slice(-TAIL_CHARS);
    };
    const child = spawn(process.execPath, supervised(graceMs, command, args), {
      ...supervisedOptions,
      cwd,
      env,
    });
    const end = () => child.stdin.end();
    stop?.addEventListener('abort', end, { once: true });
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.once('error', (error) => take(`${error.message}\n`));
    child.once('close', (code) => {
      stop?.removeEventListener('abort', end);
      const result = { code: code === null || code < 0 ? 128 : code, tail };
      if (log === undefined) resolve(result);
      else log.end(() => resolve(result));
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
    // After SIGTERM it goes on for seconds, to take its work back, while the next one starts.
    graceMs: 0,
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
