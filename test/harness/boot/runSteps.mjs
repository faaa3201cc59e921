// @ts-check
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { run } from './run.mjs';
import { runScheduled } from './schedule.mjs';
import {
  cameToEnd,
  keepPassed,
  suiteFailure,
  tallyCheck,
  tallySuite,
  tallyTwice,
} from './tally.mjs';

/** @typedef {import('./steps.mjs').Step} Step */
/** @typedef {import('./tally.mjs').Tally} Tally */

/**
 * @typedef {object} StepsOptions
 * @property {string} root
 * @property {string} run The run's folder.
 * @property {(name: string) => string} results
 * @property {(line: string) => void} say
 * @property {boolean} secondChance Runs a suite again in which a few tests have failed.
 * @property {Promise<void>} vscode Resolves when VS Code's server and Chromium are there.
 */

/** How many checks run at once. Most suites run alone: beside another one they make a busy machine. */
const CHECKS_AT_ONCE = 2;
const SHOWN_FAILURES = 12;
/** Of each failure; the log has the rest. */
const SHOWN_LINES = 12;
/** How often a long step says that it is alive. */
const STILL_RUNNING_MS = 30_000;
/** With more failures than this, a suite gets no second chance. */
const FEW_FAILURES = 3;
/** A step that hangs is ended, so that the rest still runs. */
const LIMIT_MS = 40 * 60_000;

/**
 * Runs the steps, in their order as far as their needs allow. A step whose needs have failed fails
 * without being run.
 *
 * @param {readonly Step[]} steps
 * @param {StepsOptions} options
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runSteps(steps, options) {
  /** @type {Map<string, Tally>} */
  const done = new Map();
  const isEarly = (/** @type {Step} */ { kind, beside, last }) =>
    beside === 'checks' || (kind === 'check' && last !== true);
  const take = async (/** @type {Step} */ step) => {
    done.set(step.name, await runStep(step, done, options));
  };
  await runScheduled(steps.filter(isEarly), CHECKS_AT_ONCE, take);
  await runScheduled(oneByOne(steps.filter((step) => !isEarly(step))), 2, take);
  const sum = { passed: 0, failed: 0 };
  for (const { passed, failed } of done.values()) {
    sum.passed += passed;
    sum.failed += failed;
  }
  return sum;
}

/** Each alone, except one that is to run beside another: it waits for all that come before that. @param {readonly Step[]} steps */
function oneByOne(steps) {
  const alone = steps.filter(({ beside }) => beside === undefined).map(({ name }) => name);
  return steps.map((step) =>
    step.beside === undefined
      ? { ...step, alone: 'machine' }
      : { ...step, after: alone.slice(0, Math.max(0, alone.indexOf(step.beside))) },
  );
}

/**
 * @param {Step} step @param {Map<string, Tally>} done @param {StepsOptions} options
 * @returns {Promise<Tally>}
 */
async function runStep(step, done, options) {
  const { say } = options;
  const start = performance.now();
  const elapsed = (digits = 1) => ((performance.now() - start) / 1000).toFixed(digits);
  say(`${step.name} …`);
  const alive = setInterval(() => say(`${step.name} … ${elapsed(0)} s`), STILL_RUNNING_MS);
  const tally = await execute(step, done, options);
  clearInterval(alive);
  const counts =
    step.kind === 'check' && tally.failed === 0
      ? 'passed'
      : `${String(tally.passed)} passed, ${String(tally.failed)} failed`;
  say(`${step.name}: ${counts} (${elapsed()} s)`);
  sayFailures(tally.failures, say);
  if (existsSync(logFileOf(step, options)) && tally.failed > 0)
    say(`  see ${path.relative(options.root, logFileOf(step, options))}`);
  return tally;
}

/** @param {Tally['failures']} failures @param {(line: string) => void} say */
function sayFailures(failures, say) {
  for (const { title, error } of failures.slice(0, SHOWN_FAILURES)) {
    const lines = error?.split('\n').slice(0, SHOWN_LINES) ?? [];
    say(`  ✗ ${[title, ...lines].join('\n      ')}`);
  }
  const more = failures.length - SHOWN_FAILURES;
  if (more > 0) say(`  … and ${String(more)} more`);
}

/**
 * @param {Step} step @param {Map<string, Tally>} done @param {StepsOptions} options
 * @returns {Promise<Tally>}
 */
async function execute(step, done, options) {
  const broken = step.needs?.find((name) => (done.get(name)?.failed ?? 0) > 0);
  if (broken !== undefined) return notRun(`not run: ${broken} failed`);
  if (step.needsVscode === true) {
    try {
      await options.vscode;
    } catch (error) {
      return notRun(error instanceof Error ? error.message : String(error));
    }
  }
  if (step.kind === 'check') {
    const { code, tail } = await start(step, options);
    // A check says itself what it found; that is short, and saves opening the log.
    if (code !== 0) options.say(tail.trimEnd());
    return tallyCheck(code);
  }
  const first = await runSuite(step, options);
  if (!options.secondChance || first.failed === 0 || first.failed > FEW_FAILURES) return first;
  return runAgain(step, first, options);
}

/** @param {Step} step @param {StepsOptions} options @returns {Promise<Tally>} */
async function runSuite(step, options) {
  const { code, stopped } = await start(step, options);
  // It may have had results before it hung.
  const tally = tallySuite(options.results(step.name), code);
  if (stopped) return withFailure(tally, `stopped after ${String(LIMIT_MS / 60_000)} min`);
  return tally;
}

/**
 * What failed once and passed once is said, and does not count as failed. Of a suite that can be
 * narrowed only what failed runs again.
 *
 * @param {Step} step @param {Tally} first @param {StepsOptions} options @returns {Promise<Tally>}
 */
async function runAgain(step, first, options) {
  const { say } = options;
  sayFailures(first.failures, say);
  const log = logFileOf(step, options);
  const results = options.results(step.name);
  for (const file of [log, results]) {
    if (existsSync(file)) renameSync(file, `${file}.first`);
  }
  const kept = path.relative(options.root, `${log}.first`);
  const part = cameToEnd(first) ? step.narrow?.(first.failures) : undefined;
  const what = part ? 'those once more' : 'once more';
  say(`${step.name}: ${what}, since ${String(first.failed)} failed; see ${kept}`);
  const tally = tallyTwice(first, await runSuite({ ...step, ...part }, options));
  if (part) keepPassed(results, `${results}.first`);
  for (const title of tally.unsteady) say(`  UNSTEADY, failed one time of two: ${title}`);
  return tally;
}

/** @param {Step} step @param {StepsOptions} options */
async function start(step, options) {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const { code, tail } = await run(process.execPath, step.args, {
    stop: limit,
    cwd: options.root,
    env: stepEnvironment(step, options),
    logFile: logFileOf(step, options),
  });
  return { code, tail, stopped: limit.aborted };
}

/** @param {string} title @returns {Tally} */
function notRun(title) {
  return withFailure({ passed: 0, failed: 0, failures: [] }, title);
}

/** @param {Tally} tally @param {string} title @returns {Tally} */
function withFailure({ passed, failed, failures }, title) {
  return { passed, failed: failed + 1, failures: [...failures, suiteFailure(title)] };
}

/** @param {Step} step @param {StepsOptions} options */
function logFileOf(step, options) {
  return path.join(options.run, 'logs', `${step.name}.log`);
}

/** @param {Step} step @param {StepsOptions} options @returns {NodeJS.ProcessEnv} */
function stepEnvironment(step, options) {
  return {
    ...process.env,
    // What the suites find: this run's own files, never those of the checkout.
    PATCHBAY_ROOT: options.root,
    PATCHBAY_EXTENSION: path.join(options.run, 'extension'),
    PATCHBAY_VSIX: path.join(options.run, 'patchbay.vsix'),
    PATCHBAY_META: path.join(options.run, 'out', 'meta.json'),
    PATCHBAY_ARTIFACTS: path.join(options.run, 'logs'),
    PATCHBAY_HOST_RESULTS: options.results(step.name),
    ...step.env,
    // Colours would end up in the log.
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
  };
}
