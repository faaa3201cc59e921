// @ts-check
import path from 'node:path';
import { cacheFolder } from './cacheFolder.mjs';
import { ensureComplete, isComplete } from './completeFolder.mjs';
import { runNpm } from './run.mjs';

const SERVER = { name: 'code-server', version: '4.139.1' };
/** The server's own Node: it needs a newer one than the build. */
const NODE_VERSION = '24.21.0';
/** VS Code's version inside that package. */
export const VSCODE_VERSION = '1.139.1';

/**
 * Where VS Code's server is, or will be. The version is part of the name, so that two checkouts
 * that want different ones do not fight.
 */
export function vscodeFolder() {
  return path.join(cacheFolder(), `vscode-server-${SERVER.version}-node-${NODE_VERSION}`);
}

/** @returns {boolean} True if the server is installed, completely. */
export function isVscodeInstalled() {
  return isComplete(vscodeFolder());
}

/**
 * Installs VS Code's server and its Node into the user's cache folder, once.
 * Without a native build: nothing here needs a compiler, and about 80 seconds are saved.
 * The price is a handful of "bindings" lines in the log, see `logNoise.ts`.
 *
 * @param {{ say?: (line: string) => void, logFile?: string }} [options]
 * @returns {Promise<VscodePaths>}
 */
export async function ensureVscode({ say, logFile } = {}) {
  const dir = await ensureComplete({
    dir: vscodeFolder(),
    onWait: (pid) =>
      say?.(`Waiting for process ${String(pid)}, which is installing VS Code's server.`),
    fill: async (temp) => {
      say?.(`Installing VS Code's server ${VSCODE_VERSION} into ${vscodeFolder()} (once).`);
      await fill(temp, logFile);
    },
  });
  return vscodePaths(dir);
}

/** @param {string} temp @param {string | undefined} logFile */
async function fill(temp, logFile) {
  const name = nodePackage();
  const node = name === undefined ? [] : [`${name}@${NODE_VERSION}`];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];
  const log = logFile === undefined ? {} : { logFile };
  await runNpm(
    ['install', '--prefix', temp, ...quiet, `${SERVER.name}@${SERVER.version}`, ...node],
    {
      cwd: temp,
      ...log,
    },
  );
  const vscode = path.join(temp, 'node_modules', SERVER.name, 'lib/vscode');
  for (const cwd of [vscode, path.join(vscode, 'extensions')]) {
    await runNpm(['install', '--omit=dev', '--legacy-peer-deps', ...quiet], { cwd, ...log });
  }
}

/**
 * The npm package that holds Node's binary. Where there is none the server runs on the present Node.
 *
 * @returns {string | undefined}
 */
function nodePackage() {
  if (process.platform === 'linux') return `node-linux-${process.arch}`;
  return process.platform === 'win32' ? `node-win-${process.arch}` : undefined;
}

/**
 * @typedef {object} VscodePaths
 * @property {string} node The Node that runs the server.
 * @property {string} server `server-main.js`: VS Code's own server.
 * @property {string} entry The entry that a user of the server starts.
 */

/** @param {string} dir @returns {VscodePaths} */
function vscodePaths(dir) {
  const modules = path.join(dir, 'node_modules');
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  const name = nodePackage();
  return {
    node: name === undefined ? process.execPath : path.join(modules, name, 'bin', binary),
    server: path.join(modules, SERVER.name, 'lib/vscode/out/server-main.js'),
    entry: path.join(modules, SERVER.name, 'out/node/entry.js'),
  };
}
