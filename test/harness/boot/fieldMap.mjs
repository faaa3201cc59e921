// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROOFS } from './steps.mjs';

/** Where the table of reports stands, from the root. */
export const MAP_FILE = 'docs/field-report-map.md';

/**
 * @typedef {object} Guard A row of the map: one report, one test.
 * @property {string} id
 * @property {string} guarded
 * @property {string} file From the root.
 * @property {string} title As the test run says it.
 */
/** @typedef {{ guards: Guard[], later: { id: string, issue: string }[], faults: string[] }} FieldMap */

const ID = /^[A-Z]\d\d$/;

/**
 * Reads the map: tables of four columns (report, what is guarded, file, title) and, below headings
 * that begin with "For issue", tables of reports that wait for that issue.
 *
 * @param {string} text @returns {FieldMap}
 */
export function parseFieldMap(text) {
  /** @type {FieldMap} */
  const map = { guards: [], later: [], faults: [] };
  let issue = '';
  for (const line of text.split('\n')) {
    const heading = /^## (.*)$/.exec(line)?.[1];
    if (heading !== undefined) issue = /^For issue (\d+)/.exec(heading)?.[1] ?? '';
    if (!line.startsWith('|')) continue;
    const cells = line.split('|').slice(1, -1);
    const [id = '', guarded = '', file = '', title = ''] = cells.map((cell) => bare(cell));
    if (id === 'report' || /^-+$/.test(id)) continue;
    if (!ID.test(id)) map.faults.push(`not the name of a report: ${line}`);
    else if (issue !== '') map.later.push({ id, issue });
    else if (cells.length !== 4 || guarded === '' || title === '') {
      map.faults.push(`not a row of four cells: ${line}`);
    } else map.guards.push({ id, guarded, file, title });
  }
  return map;
}

/** @param {string} cell */
function bare(cell) {
  return cell.trim().replace(/^(`+)(.*)\1$/, '$2');
}

/**
 * The rows whose test does not stand in the file that they name.
 *
 * @param {readonly Guard[]} guards @param {string} root @returns {string[]}
 */
export function missingTests(guards, root) {
  /** @type {Map<string, RegExp[] | undefined>} */
  const known = new Map();
  return guards.flatMap(({ id, file, title }) => {
    if (!known.has(file)) known.set(file, titlesIn(path.join(root, file)));
    const titles = known.get(file);
    if (titles === undefined) return [`${id}: there is no file ${file}`];
    return titles.some((one) => one.test(title)) ? [] : [`${id}: ${file} has no test "${title}"`];
  });
}

/**
 * The titles in a test file. What a template fills in may be anything.
 *
 * @param {string} file @returns {RegExp[] | undefined}
 */
function titlesIn(file) {
  if (!existsSync(file)) return undefined;
  const source = readFileSync(file, 'utf8');
  const calls = source.matchAll(
    /\b(?:it|test|scene)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g,
  );
  return [...calls].map(([, single, double, template]) => {
    const plain = (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1');
    const parts = template === undefined ? [plain] : plain.split(/\$\{[^}]*\}/);
    return new RegExp(`^${parts.map(escape).join('.+')}$`, 's');
  });
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * The suite that runs a test file.
 *
 * @param {string} file From the root. @returns {string | undefined}
 */
export function suiteOf(file) {
  const [, folder = '', group] = /^test\/(?:(\w+)\/)?(?:(\w+)\/)?[^/]+$/.exec(file) ?? [];
  if (file === 'test/architecture.test.ts') return 'architecture';
  if (folder === 'host' && group !== undefined) return `host-${group}`;
  if (/^test\/e2e\/(?!product)[^/]*$/.test(file)) {
    return PROOFS.test(path.basename(file)) ? 'panel-proofs' : 'panel';
  }
  return /^test\/(unit|integration|host|e2e)\//.exec(file)?.[1];
}

/**
 * The rows whose test did not pass in this run. Rows of suites that did not run are left out.
 *
 * @param {readonly Guard[]} guards
 * @param {ReadonlyMap<string, ReadonlySet<string>>} passed The titles that passed, by suite.
 * @returns {{ checked: number, missing: string[] }}
 */
export function notPassed(guards, passed) {
  let checked = 0;
  const missing = guards.flatMap(({ id, file, title }) => {
    const suite = suiteOf(file);
    const titles = suite === undefined ? undefined : passed.get(suite);
    if (titles === undefined) return suite === undefined ? [`${id}: no suite runs ${file}`] : [];
    checked += 1;
    // In the extension host a title has the names of its groups before it.
    const ran = titles.has(title) || [...titles].some((one) => one.endsWith(` ${title}`));
    return ran ? [] : [`${id}: "${title}" did not pass in ${suite ?? ''}`];
  });
  return { checked, missing };
}
