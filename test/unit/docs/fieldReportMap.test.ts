import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  MAP_FILE,
  missingTests,
  notPassed,
  parseFieldMap,
  suiteOf,
} from '../../harness/boot/fieldMap.mjs';
import { inRoot, root } from '../../harness/paths';

const map = parseFieldMap(readFileSync(inRoot(MAP_FILE), 'utf8'));

/** The reports on processes, protocol, permissions, servers, schemas, speed and platforms, and their test inputs. */
const known = [
  ...numbers('P', [1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 15, 17, 18, 19]),
  ...numbers('C', [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20]),
  ...numbers('M', [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17, 18, 19]),
  ...numbers('S', [1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15]),
  ...numbers('F', [1, 2, 3, 4, 5, 6]),
  ...numbers('W', [1, 2, 3, 5, 6, 7, 8, 9]),
  ...numbers('T', [1, 2, 4, 5, 6, 8, 10, 11, 13, 14, 15, 16, 19]),
];

function numbers(letter: string, all: readonly number[]): string[] {
  return all.map((number) => `${letter}${String(number).padStart(2, '0')}`);
}

test('Every row of the map of field reports names a test that is there', () => {
  assert.deepEqual(map.faults, []);
  assert.ok(map.guards.length > 60);
  assert.deepEqual(missingTests(map.guards, root), []);
});

test('Every report is guarded by a test, or is listed with the issue that it waits for', () => {
  const listed = new Set([...map.guards, ...map.later].map(({ id }) => id));
  assert.deepEqual(
    known.filter((id) => !listed.has(id)),
    [],
  );
});

test('A row without a test, with a test that is gone and with a file that is gone are found', () => {
  const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  const file = 'test/unit/docs/fieldReportMap.test.ts';
  const { guards, later, faults } = parseFieldMap(
    [
      row('report', 'guarded', 'file', 'test'),
      row('---', '---', '---', '---'),
      row(
        'P01',
        'words',
        `\`${file}\``,
        '`Every row of the map of field reports names a test that is there`',
      ),
      row('P02', 'words', file, 'no such title'),
      row('P03', 'words', 'test/unit/none.test.ts', 'x'),
      row('P04', 'words', file, ''),
      row('Q', 'words', file, 'x'),
      '## For issue 9: the panel',
      row('U01', 'words'),
    ].join('\n'),
  );
  assert.deepEqual(later, [{ id: 'U01', issue: '9' }]);
  assert.equal(faults.length, 2);
  assert.deepEqual(missingTests(guards, root), [
    `P02: ${file} has no test "no such title"`,
    'P03: there is no file test/unit/none.test.ts',
  ]);
});

test('A row counts in a run when its title passed in its own suite, and waits when that did not run', () => {
  const guard = (id: string, file: string, title: string) => ({ id, guarded: 'x', file, title });
  const passed = new Map([
    ['unit', new Set(['a', 'b'])],
    ['host', new Set(['the panel opens'])],
  ]);
  const { checked, missing } = notPassed(
    [
      guard('P01', 'test/unit/x/y.test.ts', 'a'),
      guard('P02', 'test/unit/x/y.test.ts', 'c'),
      guard('P03', 'test/host/y.test.ts', 'opens'),
      guard('P04', 'test/integration/y.test.ts', 'not run here'),
      guard('P05', 'elsewhere/y.test.ts', 'a'),
    ],
    passed,
  );
  assert.equal(checked, 3);
  assert.deepEqual(missing, [
    'P02: "c" did not pass in unit',
    'P05: no suite runs elsewhere/y.test.ts',
  ]);
});

test('Each test file has its suite', () => {
  assert.deepEqual(
    [
      'test/unit/cli/a.test.ts',
      'test/architecture.test.ts',
      'test/integration/a.test.ts',
      'test/host/a.test.ts',
      'test/host/untrusted/a.test.ts',
      'test/e2e/panel.e2e.ts',
      'test/e2e/product/a.ts',
      'src/a.ts',
    ].map(suiteOf),
    ['unit', 'architecture', 'integration', 'host', 'host-untrusted', 'panel', 'e2e', undefined],
  );
});
