// npm start: builds the product and opens it with the sample workspace.
// npm start -- --tour [--out DIR]: a whole conversation headless, with pictures.
// @ts-check
import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cacheFolder, checkoutKey, checkoutLock } from './boot/cacheFolder.mjs';
import { ensureChromium } from './boot/chromium.mjs';
import { ensureDependencies } from './boot/dependencies.mjs';
import { withLock } from './boot/lock.mjs';
import { run } from './boot/run.mjs';
import { createRunFolder } from './boot/runFolder.mjs';
import { packExtension, stageExtension } from './boot/stage.mjs';
import { ensureVscode } from './boot/vscodeInstall.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const started = performance.now();
const stopping = new AbortController();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    // The first is passed on to what was started, which ends by itself; the second is for us.
    if (stopping.signal.aborted || !running) process.exit(130);
    stopping.abort();
  });
}
/** True while a program of ours runs, which has more to tidy up than we have. */
let running = false;

main().then(
  (code) => process.exit(code),
  (/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);

/** @param {string} line */
function say(line) {
  console.log(`[${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s] ${line}`);
}

/** @returns {Promise<number>} The exit code. */
async function main() {
  const { values } = parseArgs({
    options: {
      tour: { type: 'boolean', default: false },
      out: { type: 'string', default: path.join(root, 'test/.tour') },
      server: { type: 'boolean', default: false },
    },
  });
  const folder = createRunFolder(root);
  const logFile = path.join(folder, 'logs', 'install.log');
  await ensureDependencies(root, { say, logFile });
  if (values.tour) return tour(folder, path.resolve(values.out), logFile);
  const desktop = values.server ? undefined : findDesktop();
  return desktop === undefined ? serve(folder, logFile) : openDesktop(folder, desktop);
}

/** @param {string} folder @param {string} out @param {string} logFile */
async function tour(folder, out, logFile) {
  await ensureChromium({ say, logFile });
  await ensureVscode({ say, logFile });
  const vsix = await pack(folder);
  say(`Tour, into ${path.relative(process.cwd(), out)}`);
  const code = await runProgram(folder, 'tour', ['--vsix', vsix, '--out', out]);
  say(code === 0 ? 'The tour is complete.' : `The tour failed (${String(code)}).`);
  return code;
}

/** @param {string} folder @param {string} logFile */
async function serve(folder, logFile) {
  await ensureVscode({ say, logFile });
  const vsix = await pack(folder);
  say("No desktop VS Code was found, so this is VS Code's server.");
  return runProgram(folder, 'start', ['--work', await workFolder(), '--vsix', vsix]);
}

/** @param {string} folder @param {string} code */
async function openDesktop(folder, code) {
  // Where F5 builds too, because the window outlives a folder of this run. Two starts at once build
  // one after the other.
  await withLock(checkoutLock(root, 'build'), () => build(folder, path.join(root, 'dist')));
  return runProgram(folder, 'start', [
    ...['--work', await workFolder(), '--desktop', code, '--extension', root],
  ]);
}

/** The folder that stays between runs. @returns {Promise<string>} */
async function workFolder() {
  const folder = path.join(cacheFolder(), 'start', checkoutKey(root));
  await mkdir(folder, { recursive: true });
  return folder;
}

/** @param {string} folder @returns {Promise<string>} The packed product. */
async function pack(folder) {
  const stage = path.join(folder, 'extension');
  await build(folder, path.join(stage, 'dist'));
  await stageExtension(root, stage);
  const { file } = await packExtension(root, stage, path.join(folder, 'patchbay.vsix'));
  return file;
}

/** @param {string} folder @param {string} dist */
async function build(folder, dist) {
  say('Building');
  const { code, tail } = await run(
    process.execPath,
    [
      ...['esbuild.mjs', '--production', '--programs'],
      ...[`--dist=${dist}`, `--out=${path.join(folder, 'out')}`],
    ],
    { cwd: root, logFile: path.join(folder, 'logs', 'build.log') },
  );
  if (code !== 0) throw new Error(`The build failed:\n${tail.trim()}`);
}

/** @param {string} folder @param {string} name @param {string[]} args @returns {Promise<number>} */
async function runProgram(folder, name, args) {
  const program = path.join(folder, 'out/harness/programs', `${name}.mjs`);
  running = true;
  const { code } = await run(process.execPath, ['--enable-source-maps', program, ...args], {
    cwd: root,
    stop: stopping.signal,
    env: { ...process.env, PATCHBAY_ROOT: root },
    logFile: path.join(folder, 'logs', `${name}.log`),
    onOutput: (text) => process.stdout.write(text),
  });
  return code;
}

/** `code` on PATH, where there is a screen to open it on. @returns {string | undefined} */
function findDesktop() {
  const { PATH = '', DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  for (const folder of PATH.split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
