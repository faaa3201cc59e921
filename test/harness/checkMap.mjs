// The last step of npm test: every report in docs/field-report-map.md names a test that has passed
// in this run. Looks at the suites whose results are there.
// Usage: node test/harness/checkMap.mjs --logs DIR
// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MAP_FILE, missingTests, notPassed, parseFieldMap } from './boot/fieldMap.mjs';
import { readResults } from './boot/tally.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({ options: { logs: { type: 'string', default: '' } } });

const { guards, faults } = parseFieldMap(readFileSync(path.join(root, MAP_FILE), 'utf8'));
// A choice of the host's tests by their titles proves nothing about the others.
const isNarrowed = (process.env['PATCHBAY_HOST_GREP'] ?? '') !== '';
const ran = readdirSync(values.logs)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.slice(0, -'.jsonl'.length));
const passed = passedTitles(values.logs);
const { checked, missing } = notPassed(guards, passed);
const problems = [...faults, ...missingTests(guards, root), ...missing];
if (ran.length === 0) problems.push('no suite has run');
for (const problem of problems) console.log(problem);
console.log(`${String(checked)} of ${String(guards.length)} rows of ${MAP_FILE} looked at`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** @param {string} logs @returns {Map<string, Set<string>>} */
function passedTitles(logs) {
  const suites = ran.filter((name) => !(isNarrowed && name.startsWith('host')));
  return new Map(
    suites.map((name) => {
      const file = path.join(logs, `${name}.jsonl`);
      // The first run of a suite that had a second chance lies beside.
      const results = [...readResults(file), ...readResults(`${file}.first`)];
      return [name, new Set(results.filter(({ ok }) => ok).map(({ title }) => title))];
    }),
  );
}
