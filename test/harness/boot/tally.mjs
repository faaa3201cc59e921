// @ts-check
import { appendFileSync, readFileSync } from 'node:fs';

/** @typedef {{ title: string, ok: boolean, error?: string, file?: string }} TestResult */
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
  if (results.length === 0) failures.push({ title: 'no test ran', ok: false });
  else if (code !== 0 && failures.length === 0) {
    failures.push({ title: `the suite ended with code ${String(code)}`, ok: false });
  }
  return {
    passed: results.filter((result) => result.ok).length,
    failed: failures.length,
    failures,
  };
}

/**
 * Two runs of one suite, the second made because a few tests of the first had failed: failed is
 * what failed both times, and what passed once only is unsteady.
 *
 * @param {Tally} first
 * @param {Tally} second Of the whole suite, or of a part that has all that had failed.
 * @returns {Tally & { unsteady: string[] }}
 */
export function tallyTwice(first, second) {
  const before = new Set(first.failures.map(({ title }) => title));
  const failures = second.failures.filter(({ title }) => before.has(title));
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
