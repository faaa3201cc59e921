// @ts-check
import { appendFileSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} TestResult
 * @property {string} title
 * @property {boolean} ok
 * @property {string} [error]
 * @property {string} [file]
 * @property {boolean} [ofSuite] No test, but what the suite itself came to: some of its tests may not have run.
 */
/** @typedef {{ passed: number, failed: number, failures: TestResult[] }} Tally */

/**
 * Counts what a suite reported. A suite that reported no test has failed, and so has one that ended
 * with an error although no test did: it did not come to its end.
 *
 * @param {string} file One JSON line per test.
 * @param {number} code The suite's exit code.
 * @returns {Tally}
 */
export function tallySuite(file, code) {
  const results = readResults(file);
  const failures = results.filter((result) => !result.ok);
  if (results.length === 0) failures.push(suiteFailure('no test ran'));
  else if (code !== 0 && failures.length === 0) {
    failures.push(suiteFailure(`the suite ended with code ${String(code)}`));
  }
  return {
    passed: results.filter((result) => result.ok).length,
    failed: failures.length,
    failures,
  };
}

/** @param {string} title @returns {TestResult} */
export function suiteFailure(title) {
  return { title, ok: false, ofSuite: true };
}

/**
 * Whether all tests of the suite have run: else it is not enough to run those again that failed.
 *
 * @param {Pick<Tally, 'failures'>} tally
 */
export function cameToEnd({ failures }) {
  return !failures.some(({ ofSuite }) => ofSuite);
}

/**
 * Two runs of one suite, the second made because a few tests of the first had failed: failed is
 * what failed both times, and what passed once only is unsteady. A second run that did not come to
 * its end has failed.
 *
 * @param {Tally} first
 * @param {Tally} second Of the whole suite, or of a part that has all that had failed.
 * @returns {Tally & { unsteady: string[] }}
 */
export function tallyTwice(first, second) {
  const before = new Set(first.failures.map(({ title }) => title));
  const failures = second.failures.filter(({ title, ofSuite }) => ofSuite || before.has(title));
  const both = new Set(failures.map(({ title }) => title));
  const once = [...first.failures, ...second.failures].filter(({ title }) => !both.has(title));
  const ran = Math.max(first.passed + first.failed, second.passed + second.failed);
  return {
    passed: ran - failures.length,
    failed: failures.length,
    failures,
    unsteady: once.map(({ title }) => title),
  };
}

/**
 * Adds to the results of a part what had passed in the run of the whole before.
 *
 * @param {string} file @param {string} before
 */
export function keepPassed(file, before) {
  const passed = readResults(before).filter(({ ok }) => ok);
  appendFileSync(file, passed.map((result) => `${JSON.stringify(result)}\n`).join(''));
}

/**
 * A check counts as one.
 *
 * @param {number} code @returns {Tally}
 */
export function tallyCheck(code) {
  if (code === 0) return { passed: 1, failed: 0, failures: [] };
  return {
    passed: 0,
    failed: 1,
    failures: [{ title: `ended with code ${String(code)}`, ok: false }],
  };
}

/**
 * What a suite reported; nothing if it never began.
 *
 * @param {string} file @returns {TestResult[]}
 */
export function readResults(file) {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  // The last line may be half, if the suite was killed while it wrote.
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
