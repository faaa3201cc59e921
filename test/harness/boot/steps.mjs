// @ts-check
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/** @typedef {import('./tally.mjs').TestResult} TestResult */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {'check' | 'suite'} kind A check counts as one; a suite as its tests.
 * @property {readonly string[]} args For Node.
 * @property {Readonly<Record<string, string>>} [env]
 * @property {(failures: readonly TestResult[]) => Pick<Step, 'args' | 'env'> | undefined} [narrow] What runs only what failed; without it, or where that cannot be told, the whole runs again.
 * @property {readonly string[]} [needs] Steps that must have passed.
 * @property {boolean} [needsVscode] It needs VS Code's server and Chromium.
 * @property {string} [beside] A suite that need not run alone: beside the `checks`, or beside the suite of this name.
 * @property {boolean} [last] It runs when all others have ended, also beside a choice of suites.
 */

/** Files that look at every state of the panel. */
export const PROOFS = /^panel(?:Accessibility|Contract|Ime|Injection|Keyboard|Sight|Spoken)/;

/**
 * All that `npm test` does, in the order in which steps are begun. `results(name)` names the file that takes a suite's results.
 *
 * @param {{ root: string, run: string, results: (name: string) => string }} options
 * @returns {Step[]}
 */
export function allSteps({ root, run, results }) {
  const out = path.join(run, 'out');
  const stage = path.join(run, 'extension');
  /** @type {Step} */
  const map = {
    name: 'map',
    kind: 'check',
    last: true,
    args: ['test/harness/checkMap.mjs', '--logs', path.join(run, 'logs')],
  };
  return [
    ...builds(run, out, stage),
    ...checks(root),
    ...suites(root, run, out, stage, results),
    map,
  ];
}

/** @param {string} root @returns {Step[]} */
function checks(root) {
  const bin = (/** @type {string} */ file) => path.join(root, 'node_modules', file);
  /** @type {Step[]} */
  const steps = [
    { name: 'format', kind: 'check', args: [bin('prettier/bin/prettier.cjs'), '--check', '.'] },
    {
      name: 'lint',
      kind: 'check',
      args: [bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0'],
    },
  ];
  for (const file of readdirSync(root).sort()) {
    const match = /^tsconfig(?:\.(.+))?\.json$/.exec(file);
    if (match === null || match[1] === 'base') continue;
    const name = match[1] === undefined ? 'types' : `types-${match[1]}`;
    steps.push({ name, kind: 'check', args: [bin('typescript/bin/tsc'), '-p', file] });
  }
  return steps;
}

/** @param {string} run @param {string} out @param {string} stage @returns {Step[]} */
function builds(run, out, stage) {
  const dist = path.join(stage, 'dist');
  return [
    {
      name: 'build',
      kind: 'check',
      args: ['esbuild.mjs', '--production', `--dist=${dist}`, `--out=${out}`],
    },
    {
      name: 'build-tests',
      kind: 'check',
      args: ['esbuild.mjs', '--tests', '--no-product', `--out=${out}`],
    },
    {
      name: 'package',
      kind: 'check',
      needs: ['build'],
      args: [
        'test/harness/package.mjs',
        '--stage',
        stage,
        '--out',
        path.join(run, 'patchbay.vsix'),
      ],
    },
  ];
}

/**
 * @param {string} root @param {string} run @param {string} out @param {string} stage
 * @param {(name: string) => string} results
 * @returns {Step[]}
 */
function suites(root, run, out, stage, results) {
  const nodeTest = (/** @type {string} */ name) => [
    '--enable-source-maps',
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    '--test-reporter=./test/harness/boot/countReporter.mjs',
    `--test-reporter-destination=${results(name)}`,
  ];
  const files = (/** @type {string} */ folder, /** @type {string} */ ending) =>
    sources(path.join(root, 'test', folder), ending).map((file) =>
      path.join(out, folder, `${file}.mjs`),
    );
  const host = (/** @type {string} */ group) => [
    path.join(out, 'harness/programs/hostSuite.mjs'),
    ...['--extension', stage, '--tests', path.join(out, 'host/index.mjs')],
    ...['--work', run, '--group', group],
  ];
  const needs = ['build-tests'];
  /** @type {Step[]} */
  const steps = [
    {
      name: 'unit',
      kind: 'suite',
      // The product as well: what activation loads is counted in its metafile.
      needs: ['build', 'build-tests'],
      beside: 'checks',
      args: [...nodeTest('unit'), path.join(out, 'unit.mjs')],
    },
    {
      name: 'architecture',
      kind: 'suite',
      needs,
      beside: 'checks',
      args: [...nodeTest('architecture'), path.join(out, 'architecture.test.mjs')],
    },
    {
      name: 'integration',
      kind: 'suite',
      needs,
      ...byFiles(files('integration', '.test.ts'), (chosen) => [
        ...nodeTest('integration'),
        '--test',
        // Node's own number is one below that of the cores: on two of them one file after the other,
        // although most tests wait for processes.
        `--test-concurrency=${String(Math.max(2, availableParallelism() - 1))}`,
        ...chosen,
      ]),
    },
  ];
  const windows = hostGroups(root).map((group) => hostStep(group, host(group)));
  steps.push(...windows.slice(0, 1));
  // Pages of ours alone in a browser, without VS Code; those that go through all states apart.
  const isPanel = (/** @type {string} */ file) => !path.basename(file).startsWith('product');
  const isProof = (/** @type {string} */ file) => PROOFS.test(path.basename(file));
  const browser = (
    /** @type {string} */ name,
    /** @type {string[]} */ all,
    /** @type {number} */ atOnce,
  ) =>
    byFiles(all, (chosen) => [
      ...nodeTest(name),
      ...['--test', `--test-concurrency=${String(atOnce)}`],
      ...chosen,
    ]);
  const all = files('e2e', '.e2e.ts');
  steps.push(
    {
      name: 'panel',
      kind: 'suite',
      needs,
      needsVscode: true,
      // The suite inside VS Code mostly waits.
      beside: 'host',
      ...browser(
        'panel',
        all.filter((file) => isPanel(file) && !isProof(file)),
        1,
      ),
    },
    {
      name: 'panel-proofs',
      kind: 'suite',
      needs,
      needsVscode: true,
      // Most of those tests wait for processes.
      beside: 'integration',
      ...browser('panel-proofs', all.filter(isProof), 1),
    },
    {
      name: 'e2e',
      kind: 'suite',
      needs: ['package', 'build-tests'],
      needsVscode: true,
      // Behind the panel: what is left of that suite uses one core.
      beside: 'host',
      ...browser(
        'e2e',
        all.filter((file) => !isPanel(file)),
        // A person in a window mostly waits.
        2,
      ),
    },
    ...windows.slice(1),
  );
  return steps;
}

/**
 * Tests inside a window of VS Code; each group wants another one.
 *
 * @param {string} group Empty for the first, which is by far the largest.
 * @param {readonly string[]} args
 * @returns {Step}
 */
function hostStep(group, args) {
  return {
    name: group === '' ? 'host' : `host-${group}`,
    kind: 'suite',
    needs: ['package', 'build-tests'],
    needsVscode: true,
    ...(group === '' ? {} : { beside: 'host' }),
    args,
    narrow: (failures) => ({
      args,
      env: { PATCHBAY_HOST_TITLES: JSON.stringify(failures.map(({ title }) => title)) },
    }),
  };
}

/**
 * A suite of files, of which those that failed can run alone. A test whose function several files share
 * names that function's file as its own: then it is found by its title.
 *
 * @param {readonly string[]} files @param {(chosen: readonly string[]) => string[]} args
 * @returns {Pick<Step, 'args' | 'narrow'>}
 */
function byFiles(files, args) {
  const stem = (/** @type {string} */ file) => path.basename(file).replace(/\.[cm]?[jt]s$/, '');
  return {
    args: args(files),
    narrow: (failures) => {
      const found = failures.map(({ file = '', title }) => {
        const own = files.find((one) => stem(one) === stem(file));
        return own ?? files.find((one) => readFileSync(one, 'utf8').includes(title));
      });
      if (found.includes(undefined)) return undefined;
      return { args: args(files.filter((file) => found.includes(file))) };
    },
  };
}

/** Folders below test/host are suites that want another window. @param {string} root */
function hostGroups(root) {
  const folder = path.join(root, 'test/host');
  const groups = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  return [
    '',
    ...groups
      .map((one) => one.name)
      .filter((name) => sources(path.join(folder, name), '.test.ts').length > 0),
  ];
}

/** @param {string} folder @param {string} ending @returns {string[]} Without `.ts`. */
function sources(folder, ending) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();
}
