import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type FileProblems,
  formatProblems,
  listProblems,
} from '../../../src/editor/formatDiagnostics';
import type { Problem, Severity } from '../../../src/editor/problem';

const page = { from: 0, full: false, cursor: (offset: number): string => `d1.${offset}` };

function problem(line: number, severity: Severity, message: string): Problem {
  return { line, column: 1, severity, message, source: 'ts', code: '1' };
}

function file(path: string, nearness: number, ...problems: Problem[]): FileProblems {
  return { path, nearness, hasTab: true, problems };
}

describe('formatDiagnostics', () => {
  it('names each file once, worst first, then nearest, then by line', () => {
    const list = listProblems(
      [
        file('far.ts', 9, problem(1, 'error', 'far')),
        file(
          'near.ts',
          0,
          problem(8, 'warning', 'w'),
          problem(9, 'error', 'b'),
          problem(2, 'error', 'a'),
        ),
        file('quiet.ts', 1, problem(1, 'warning', 'only')),
      ],
      'warning',
    );
    assert.equal(
      formatProblems(list, page),
      [
        '3 errors, 2 warnings in 3 files',
        'near.ts',
        ' 2:1 error a [ts 1]',
        ' 9:1 error b [ts 1]',
        ' 8:1 warning w [ts 1]',
        'far.ts',
        ' 1:1 error far [ts 1]',
        'quiet.ts',
        ' 1:1 warning only [ts 1]',
      ].join('\n'),
    );
  });

  it('gives the same text whatever order the problems come in', () => {
    const problems = [problem(3, 'error', 'c'), problem(1, 'error', 'a'), problem(2, 'error', 'b')];
    const one = formatProblems(listProblems([file('a.ts', 0, ...problems)], 'hint'), page);
    const other = formatProblems(
      listProblems([file('a.ts', 0, ...problems.reverse())], 'hint'),
      page,
    );
    assert.equal(one, other);
  });

  it('merges equal problems of one file, not of two', () => {
    const list = listProblems(
      [
        file('a.ts', 0, problem(1, 'error', 'same'), problem(5, 'error', 'same')),
        file('b.ts', 1, problem(1, 'error', 'same')),
      ],
      'warning',
    );
    assert.match(
      formatProblems(list, page),
      /a\.ts\n error same \[ts 1\] ×2 at 1:1 5:1\nb\.ts\n 1:1 error same/,
    );
  });

  it('keeps of merged ones which place was moved, and what else they are about', () => {
    const same = (line: number, more: Partial<Problem>): Problem => ({
      ...problem(line, 'error', 'same'),
      ...more,
    });
    const told = (...problems: Problem[]): string | undefined =>
      formatProblems(listProblems([file('a.ts', 0, ...problems)], 'warning'), page)
        .split('\n')
        .at(-1);
    assert.equal(
      told(same(1, {}), same(12, { reportedLine: 90 })),
      ' error same [ts 1] ×2 at 1:1 12:1 (reported at line 90)',
    );
    assert.equal(
      told(same(12, { reportedLine: 90 }), same(12, { reportedLine: 91 }), same(1, {})),
      ' error same [ts 1] ×3 at 1:1 12:1 (reported at line 90) 12:1 (reported at line 91)',
    );
    const related = '5:1 first';
    assert.equal(
      told(same(1, { related }), same(2, {}), same(3, { related })),
      ' error same [ts 1] ×3 at 1:1 2:1 3:1 (see 5:1 first)',
    );
    assert.equal(
      told(same(1, { related }), same(2, { related: 'b.ts 7:1 other' })),
      ' error same [ts 1] ×2 at 1:1 2:1 (see 5:1 first +1)',
    );
  });

  it('counts hints and does not list them unless asked', () => {
    const files = [file('a.ts', 0, problem(1, 'hint', 'h'))];
    assert.equal(
      formatProblems(listProblems(files, 'warning'), page),
      '1 hint in 1 file (hints not listed)',
    );
    assert.equal(
      formatProblems(listProblems(files, 'hint'), page),
      '1 hint in 1 file\na.ts\n 1:1 hint h [ts 1]',
    );
  });

  it('puts every error before any warning when the list is cut', () => {
    const warnings = Array.from({ length: 40 }, (_, i) => problem(i + 1, 'warning', `w${i}`));
    const list = listProblems(
      [file('a.ts', 0, ...warnings), file('b.ts', 5, problem(1, 'error', 'hidden?'))],
      'warning',
    );
    const text = formatProblems(list, page);
    assert.match(text, /^1 error, 40 warnings in 2 files\nb\.ts\n 1:1 error hidden\?/);
    assert.match(text, /left: 11 warnings in 1 file\nnext: cursor=d1\.30$/);
    assert.match(
      formatProblems(list, { ...page, from: 30 }),
      /^1 error, 40 warnings in 2 files\na\.ts\n 30:1/,
    );
  });

  it('cuts the places of a problem that stands a thousand times, and says how many there are', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => problem(i + 1, 'error', 'same'));
    const text = formatProblems(listProblems([file('a.ts', 0, ...many)], 'warning'), page);
    assert.match(text, /×1000 at 1:1 2:1 .* …\+980$/);
  });
});
