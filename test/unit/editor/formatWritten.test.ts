import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileReport } from '../../../src/editor/describeFreshness';
import { formatNewProblems } from '../../../src/editor/formatNewProblems';
import { formatWritten, nameRanges, type WrittenFile } from '../../../src/editor/formatWritten';

const plain = { what: 'line 1', state: 'saved', isReformatted: false } as const;

test('what is not plainly saved comes first and says what is left to do', () => {
  const files: WrittenFile[] = [
    { path: 'a.ts', ...plain },
    { path: 'b.ts', ...plain, state: 'keptUnsaved' },
    { path: 'c.ts', ...plain, isReformatted: true },
    { path: 'd.ts', ...plain, state: 'saveFailed' },
  ];
  assert.deepEqual(formatWritten(files), [
    'b.ts: line 1; left unsaved: it had unsaved changes before',
    'd.ts: line 1; NOT saved: the change stands in the editor only; the person has to save it',
    'a.ts: line 1; saved',
    'c.ts: line 1; saved, and changed further by saving (formatter): read it again',
  ]);
});

test('many files are named up to a number and counted from there', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => ({ path: `src/f${n}.ts`, ...plain }));
  const lines = formatWritten(many);
  assert.equal(lines.length, 41);
  assert.equal(lines.at(-1), 'and 960 more files, saved');
});

test('B4: long names of files leave room for the problems below, and all are counted', () => {
  for (const state of ['saved', 'keptUnsaved', 'saveFailed'] as const) {
    const many = Array.from({ length: 45 }, (_, n) => ({
      ...{ path: `${'folder/'.repeat(12)}file${n}.tsx`, what: '3 places' },
      ...{ state, isReformatted: true },
    }));
    const lines = formatWritten(many);
    assert.ok(lines.join('\n').length <= 3_100, `${lines.join('\n').length}`);
    const left = 45 - (lines.length - 1);
    const tail = state === 'saved' ? 'saved' : `${left} of them not plainly saved`;
    assert.equal(lines.at(-1), `and ${left} more files, ${tail}`);
  }
});

test('lines are named as ranges', () => {
  assert.equal(nameRanges([{ from: 3, to: 3 }]), 'line 3');
  assert.equal(nameRanges([{ from: 3, to: 5 }]), 'lines 3-5');
  assert.equal(
    nameRanges(Array.from({ length: 10 }, (_, n) => ({ from: n + 1, to: n + 1 }))),
    'lines 1, 2, 3, 4, 5, 6, 7, 8 +2',
  );
});

const report = (path: string, messages: readonly string[], given = {}): FileReport => ({
  ...{ path, nearness: 0, hasTab: true, settled: true, asked: false, since: 'edit', disk: 'same' },
  problems: messages.map((message, n) => ({ line: n + 1, column: 1, severity: 'error', message })),
  ...given,
});

test('only the problems that a change brought are listed, the others are counted', () => {
  const pairs = [
    { before: report('a.ts', ['old', 'gone']), after: report('a.ts', ['old', 'new']) },
    { before: report('b.ts', []), after: report('b.ts', []) },
  ];
  assert.deepEqual(formatNewProblems(pairs), [
    '1 new problem, 1 fixed, 1 remain',
    'a.ts',
    ' 2:1 error new',
  ]);
  const same = report('a.ts', ['old']);
  assert.deepEqual(formatNewProblems([{ before: same, after: same }]), [
    'no new problems (0 fixed, 1 remain)',
  ]);
  const none = report('a.ts', []);
  assert.deepEqual(formatNewProblems([{ before: none, after: none }]), ['no problems']);
});

test('a file without a report is named and never passes for one without problems', () => {
  const silent = report('a.ts', [], { settled: false });
  const closed = report('b.ts', [], { hasTab: false, settled: false });
  assert.deepEqual(
    formatNewProblems([
      { before: report('a.ts', []), after: silent },
      { before: closed, after: closed },
    ]),
    [
      'problems not known: no report since the edit: a.ts',
      'problems not known: not analysed: b.ts',
    ],
  );
});

test('problems of a file that nobody had looked at before are not called new', () => {
  const before = report('a.ts', [], { settled: false });
  assert.deepEqual(formatNewProblems([{ before, after: report('a.ts', ['x']) }]), [
    'problems now (before the change they were not known):',
    'a.ts',
    ' 1:1 error x',
  ]);
});

test('of many new problems ten are listed', () => {
  const after = report(
    'a.ts',
    Array.from({ length: 30 }, (_, n) => `message ${n}`),
  );
  const lines = formatNewProblems([{ before: report('a.ts', []), after }]);
  assert.equal(lines.length, 13);
  assert.equal(lines.at(-1), 'and 20 more: see diagnostics');
});
