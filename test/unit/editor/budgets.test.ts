import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  formatProblems,
  listProblems,
  type FileProblems,
} from '../../../src/editor/formatDiagnostics';
import type { FileReport } from '../../../src/editor/describeFreshness';
import { formatNewProblems } from '../../../src/editor/formatNewProblems';
import { formatSymbols, listOutline, listSymbols } from '../../../src/editor/formatSymbols';
import { formatChange, formatWritten, type WrittenFile } from '../../../src/editor/formatWritten';
import { compareProblems, formatChanges } from '../../../src/editor/problemChanges';
import { ToolProblem } from '../../../src/editor/toolProblem';
import { dataD, dataS, distinctD, FAULTS, outline80, problemAt, TSX_PATH } from './designData';

const cursor = (offset: number): string => `d1.${offset}`;
const page = { from: 0, full: false, cursor };

function changesBetween(before: FileProblems, now: FileProblems): string {
  const list = listProblems([now], 'warning');
  return formatChanges(compareProblems(listProblems([before], 'warning'), list), list, page);
}

describe('result budgets', () => {
  it('uses the data that the design describes', () => {
    assert.equal(TSX_PATH.length, 45);
    const lengths = FAULTS.map(({ message }) => message.length);
    assert.deepEqual([Math.min(...lengths), Math.max(...lengths)], [31, 130]);
    const severities = dataD().problems.map(({ severity }) => severity);
    const counted = ['error', 'warning', 'hint'].map(
      (s) => severities.filter((x) => x === s).length,
    );
    assert.deepEqual(counted, [26, 16, 8]);
    assert.ok(dataS().every(({ name }) => name.length === 18));
  });

  it('B5: 50 distinct problems of one file take at most 3,400 characters, the 30 worst listed', () => {
    const text = formatProblems(listProblems([distinctD()], 'warning'), page);
    assert.ok(text.length <= 3_400, `${text.length} characters`);
    assert.equal(text.split('\n').filter((line) => line.startsWith(' ')).length, 30);
    assert.match(text, /^26 errors, 16 warnings, 8 hints in 1 file/);
    assert.match(text, /left: 12 warnings in 1 file\nnext: cursor=d1\.30$/);
  });

  it('B5: data D, where equal problems merge, takes at most 1,100 characters', () => {
    const text = formatProblems(listProblems([dataD()], 'warning'), page);
    assert.ok(text.length <= 1_100, `${text.length} characters`);
    assert.match(text, /×9 at 12:5 54:11 /);
    assert.doesNotMatch(text, /next:/);
  });

  it('B7: the first 30 of 300 symbols take at most 3,000 characters', () => {
    const text = formatSymbols(listSymbols(dataS(), 'computeOrder'), 0, cursor);
    assert.ok(text.length <= 3_000, `${text.length} characters`);
    assert.equal(text.split('\n').filter((line) => line.startsWith(' ')).length, 30);
    assert.match(text, /^300 symbols in 40 files\n/);
    assert.match(text, /left: 270 symbols in \d+ files\nnext: cursor=d1\.30$/);
  });

  it('B8: an outline of 80 symbols takes at most 3,800 characters and is whole', () => {
    const text = formatSymbols(listOutline(TSX_PATH, outline80()), 0, cursor);
    assert.ok(text.length <= 3_800, `${text.length} characters`);
    assert.equal(text.split('\n').filter((line) => line.startsWith(' ')).length, 80);
  });

  it('B9: a second call with nothing changed takes at most 100 characters', () => {
    const text = changesBetween(dataD(), dataD());
    assert.ok(text.length <= 100, `${text.length} characters`);
    assert.equal(text, 'no change: 26 errors, 16 warnings, 8 hints in 1 file (hints not listed)');
  });

  it('B9: one new and two fixed take at most 240 characters, whatever the message', () => {
    const before = dataD();
    for (const fault of FAULTS.filter(({ severity }) => severity !== 'hint')) {
      const fresh = { ...problemAt(60, fault), message: `X${fault.message.slice(1)}` };
      const problems = [...before.problems.slice(2), fresh];
      const text = changesBetween(before, { ...before, problems });
      assert.ok(text.length <= 240, `${text.length} characters: ${text}`);
      assert.match(text, /^1 new, 2 fixed \(12:5 19:6\), 40 remain\n/);
    }
  });

  it('B10: an error takes at most 240 characters on one line', () => {
    const long = 'a/'.repeat(300);
    for (const text of [
      `No such file: ${long}\nNearest: b`,
      `No such file:\n${'a '.repeat(300)}`,
    ]) {
      const { message } = new ToolProblem(text);
      assert.ok(message.length <= 240, message);
      assert.doesNotMatch(message, /\n/);
    }
  });

  it('B10: an error keeps what failed and the next step, however long its paths', () => {
    for (const depth of [1, 8, 30, 300]) {
      const path = `src/${'folder/'.repeat(depth)}my  file.ts`;
      for (const [before, after] of [
        ['', ' has 12 lines; line=99 is past the end'],
        [
          'Nothing was changed. ',
          ': old does not occur: “x”. Read the text again with read_buffer',
        ],
        ['Nothing was changed: ', ` is the same file as ${path}. Give one of the paths`],
      ] as const) {
        const { message } = new ToolProblem(`${before}${path}${after}`);
        assert.ok(message.length <= 240, message);
        assert.ok(message.startsWith(before) && message.endsWith(after.slice(-40)), message);
        // As long as there is room the path is told as it is.
        if (depth === 1) assert.equal(message, `${before}${path}${after}`);
      }
    }
  });

  it('B4: an answer to a change takes 6,000 characters at most, however many files and problems', () => {
    for (const deep of [3, 20]) {
      const path = (n: number): string => `packages/${'folder/'.repeat(deep)}OrderList${n}.tsx`;
      const files = Array.from({ length: 60 }, (_, n): WrittenFile => {
        return { path: path(n), what: 'lines 3-5, 9', state: 'saved', isReformatted: true };
      });
      const report = (n: number, isKnown: boolean): FileReport => ({
        ...{ path: path(n), nearness: 0, hasTab: true, since: 'edit', disk: 'same' },
        ...{ settled: isKnown, asked: isKnown },
        problems: [
          {
            ...problemAt(9, { ...FAULTS[0]!, message: `${n} ${'m'.repeat(196)}` }),
            related: `${path(n + 1)} 12:9 ${'r'.repeat(60)}`,
          },
        ],
      });
      const pairs = Array.from({ length: 10 }, (_, n) => ({
        before: { ...report(n, true), problems: [] },
        after: report(n, n < 6),
      }));
      const problems = formatNewProblems(pairs);
      const text = formatChange(['edited 60 files, 60 places'], files, problems);
      assert.ok(text.length <= 6_000, `${text.length} characters`);
      // What the model must see to is told whole where there is room.
      const importers = `not updated: ${files
        .slice(0, 8)
        .map((file) => file.path.slice(-80))
        .join(', ')}`;
      assert.ok(formatChange(['moved a to b', importers], [], []).endsWith(importers));
      // A refactoring that moves files, whose command changes more, and that breaks others besides.
      const head = ['applied a refactoring', ...files.map((file) => `moved ${file.path} to there`)];
      const broken = `more errors in other open files: ${files.map((file) => file.path).join(', ')}`;
      const whole = formatChange(head, files, [...formatWritten(files), ...problems, broken]);
      assert.ok(whole.length <= 6_000, `${whole.length} characters`);
      for (const told of ['\nand more\n', ' more files, saved\n', '\nand more: see diagnostics'])
        assert.ok(whole.includes(told), told);
      assert.match(problems.join('\n'), /^6 new problems, 0 fixed, 0 remain\n/);
      assert.match(problems.join('\n'), /\nproblems not known: no report since the edit: packages/);
      if (deep > 10) assert.match(text, /\nand more: see diagnostics\n/);
    }
  });

  it('B4: 5,000 problems take 6,000 characters by default and 16,000 with full', () => {
    const files = Array.from({ length: 100 }, (_, file): FileProblems => {
      const problems = Array.from({ length: 50 }, (_, index) =>
        problemAt(index, {
          ...FAULTS[index % 3]!,
          message: `${file}-${index} ${'word '.repeat(30)}`,
        }),
      );
      return {
        path: `src/${'deep/'.repeat(12)}file${file}.ts`,
        nearness: file,
        hasTab: true,
        problems,
      };
    });
    const list = listProblems(files, 'warning');
    assert.ok(formatProblems(list, page).length <= 6_000);
    assert.ok(formatProblems(list, { ...page, full: true }).length <= 16_000);
  });

  it('B4: each of 5,000 problems is reached by its cursor', () => {
    const problems = Array.from({ length: 5_000 }, (_, index) =>
      problemAt(index, { ...FAULTS[0]!, message: `Fault ${index} of many` }),
    );
    const list = listProblems([{ path: 'a.ts', nearness: 0, hasTab: true, problems }], 'warning');
    const seen = new Set<string>();
    let from: number | undefined = 0;
    while (from !== undefined) {
      const text = formatProblems(list, { from, full: true, cursor });
      for (const [, number] of text.matchAll(/Fault (\d+) of/g)) seen.add(number!);
      const next: string | undefined = /next: cursor=d1\.(\d+)$/.exec(text)?.[1];
      from = next === undefined ? undefined : Number(next);
    }
    assert.equal(seen.size, 5_000);
  });
});
