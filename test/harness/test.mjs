// npm test: installs what is missing, then runs every check and every suite.
// Usage: node test/harness/test.mjs [--only NAME,NAME] [--second-chance]
// With --second-chance (a build machine) a suite in which up to three tests failed runs once more,
// and a test that then passes is printed as unsteady. Without it, each failure counts.
// Plain Node and nothing else up to the point where the dependencies are there.
// @ts-check
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  canInstallChromium,
  chromiumAdvice,
  ensureChromium,
  findChromium,
} from './boot/chromium.mjs';
import { ensureDependencies } from './boot/dependencies.mjs';
import { createRunFolder } from './boot/runFolder.mjs';
import { runSteps } from './boot/runSteps.mjs';
import { allSteps } from './boot/steps.mjs';
import { ensureVscode, isVscodeInstalled, VSCODE_VERSION } from './boot/vscodeInstall.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const started = performance.now();

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  // Through `exit`, so that locks are let go of and children are ended.
  process.once(signal, () => process.exit(130));
}

main().then(
  (code) => process.exit(code),
  (/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    console.log('0 passed, 1 failed');
    process.exit(1);
  },
);

/** @param {string} line */
function say(line) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
  console.log(`[${seconds} s] ${line}`);
}

/** @returns {Promise<number>} The exit code. */
async function main() {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, 'second-chance': { type: 'boolean', default: false } },
  });
  const only = values.only?.split(',').filter((name) => name !== '');
  const run = createRunFolder(root);
  const logs = (/** @type {string} */ name) => path.join(run, 'logs', name);
  const results = (/** @type {string} */ name) => logs(`${name}.jsonl`);
  const steps = chooseSteps(allSteps({ root, run, results }), only);
  const wantsVscode = steps.some((step) => step.needsVscode === true);
  announce(run, only, wantsVscode);
  await ensureDependencies(root, { say, logFile: logs('install.log') });
  // Beside the checks: it is mostly waiting for the network.
  const vscode = wantsVscode ? prepareVscode(logs('vscode-install.log')) : Promise.resolve();
  vscode.catch(() => undefined);
  const secondChance = values['second-chance'];
  const { passed, failed } = await runSteps(steps, {
    ...{ root, run, results, say, vscode },
    secondChance,
  });
  console.log(`${String(passed)} passed, ${String(failed)} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** Says what will happen, and stops at once if it cannot. @param {string} run @param {string[] | undefined} only @param {boolean} wantsVscode */
function announce(run, only, wantsVscode) {
  const server = isVscodeInstalled() ? 'is there' : 'will be installed into your cache folder';
  const browser = findChromium();
  console.log(
    [
      'Patchbay: npm test',
      '1. npm ci, if node_modules is not what package-lock.json asks for',
      '2. format, lint, types, build, package',
      '3. suites: unit, architecture, integration, inside VS Code, the packed product in Chromium',
      '4. map: the tests that docs/field-report-map.md names have passed',
      `VS Code's server ${VSCODE_VERSION} ${server}; Chromium: ${browser ?? 'none yet'}`,
      `Logs: ${path.relative(root, path.join(run, 'logs'))}`,
      ...(only === undefined ? [] : [`Only: ${only.join(', ')}, and what they need`]),
    ].join('\n'),
  );
  if (wantsVscode && browser === undefined && !canInstallChromium())
    throw new Error(chromiumAdvice());
}

/**
 * @param {import('./boot/steps.mjs').Step[]} steps @param {string[] | undefined} only
 * @returns {import('./boot/steps.mjs').Step[]}
 */
function chooseSteps(steps, only) {
  if (only === undefined) return steps;
  const unknown = only.find((name) => !steps.some((step) => step.name === name));
  if (unknown !== undefined) {
    const names = steps.map((step) => step.name).join(', ');
    throw new Error(`There is no step "${unknown}". Steps: ${names}`);
  }
  const wanted = new Set(only);
  for (const step of [...steps].reverse()) {
    if (wanted.has(step.name)) for (const name of step.needs ?? []) wanted.add(name);
  }
  const hasSuite = steps.some((step) => step.kind === 'suite' && wanted.has(step.name));
  return steps.filter((step) => wanted.has(step.name) || (step.last === true && hasSuite));
}

/** @param {string} logFile */
async function prepareVscode(logFile) {
  // One after the other: apt and npm would share the log.
  await ensureChromium({ say, logFile });
  await ensureVscode({ say, logFile });
}
