import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FileProblems, listProblems } from '../../../src/editor/formatDiagnostics';
import { compareProblems, formatChanges, sameProblems } from '../../../src/editor/problemChanges';

const page = { from: 0, full: false, cursor: (offset: number): string => `d1.${offset}` };

function file(path: string, places: Record<number, string>, hasTab = true): FileProblems {
  const problems = Object.entries(places).map(([line, message]) => ({
    line: Number(line),
    column: 1,
    severity: 'error' as const,
    message,
  }));
  return { path, nearness: 0, hasTab, problems };
}

function change(before: FileProblems[], now: FileProblems[]): string {
  const list = listProblems(now, 'warning');
  return formatChanges(compareProblems(listProblems(before, 'warning'), list), list, page);
}

describe('problemChanges', () => {
  it('does not take a problem that only moved for a new one', () => {
    const text = change([file('a.ts', { 3: 'x' })], [file('a.ts', { 9: 'x' })]);
    assert.equal(text, 'no change: 1 error in 1 file');
  });

  it('names the new place when an equal problem appears once more', () => {
    const text = change([file('a.ts', { 3: 'x' })], [file('a.ts', { 3: 'x', 9: 'x' })]);
    assert.equal(text, '1 new, 0 fixed, 1 remain\na.ts\n 9:1 error x');
  });

  it('tells the place of the one that came or went, where lines of equal ones have shifted', () => {
    const cases: readonly (readonly [number[], number[], number[]])[] = [
      [[10], [12, 50], [50]],
      [[40], [12, 42], [12]],
      [[10, 11], [11, 12, 50], [50]],
      [
        [10, 90],
        [11, 50, 91, 200],
        [50, 200],
      ],
      [[10, 20], [10, 20, 30], [30]],
    ];
    const same = (lines: number[]): FileProblems =>
      file('a.ts', Object.fromEntries(lines.map((line) => [line, 'x'])));
    for (const [fewer, more, differ] of cases) {
      const { added } = compareProblems(
        listProblems([same(fewer)], 'warning'),
        listProblems([same(more)], 'warning'),
      );
      const places = added.groups.flatMap((group) => group.places);
      assert.deepEqual(
        places,
        differ.map((line) => `${line}:1`),
        `${fewer.join()} → ${more.join()}`,
      );
      const gone = differ.map((line) => `${line}:1`).join(' ');
      const text = change([same(more)], [same(fewer)]);
      assert.ok(text.startsWith(`0 new, ${differ.length} fixed (${gone}), `), text);
    }
  });

  it('takes one in another column for another one, however near', () => {
    const at = (...places: readonly (readonly [number, number])[]): FileProblems => ({
      ...{ path: 'a.ts', nearness: 0, hasTab: true },
      problems: places.map(([line, column]) => ({ line, column, severity: 'error', message: 'x' })),
    });
    assert.match(change([at([10, 5])], [at([11, 9], [14, 5])]), /^1 new.*\na\.ts\n 11:9 error x$/);
  });

  it('compares thousands of equal ones without a stall', () => {
    const many = (n: number, from: number): ReturnType<typeof listProblems> =>
      listProblems(
        [file('a.ts', Object.fromEntries(Array.from({ length: n }, (_, i) => [i + from, 'x'])))],
        'warning',
      );
    const [fewer, more] = [many(2_500, 1), many(5_000, 7_000)];
    const start = performance.now();
    assert.equal(compareProblems(fewer, more).addedCount, 2_500);
    assert.ok(performance.now() - start < 2_000);
  });

  it('counts one more of equal problems at one place as one', () => {
    const times = (n: number): FileProblems => {
      const one = { line: 3, column: 1, severity: 'error' as const, message: 'x' };
      return {
        path: 'a.ts',
        nearness: 0,
        hasTab: true,
        problems: Array.from({ length: n }, () => one),
      };
    };
    for (const [had, has] of [
      [1, 2],
      [2, 3],
      [0, 2],
      [1, 4],
    ] as const) {
      const text = change([times(had)], [times(has)]);
      assert.match(text, new RegExp(`^${has - had} new, 0 fixed, ${had} remain\n`));
    }
    assert.match(change([times(3)], [times(1)]), /^0 new, 2 fixed \(3:1 3:1\), 1 remain$/);
  });

  it('tells what is fixed in which file', () => {
    const text = change(
      [file('a.ts', { 1: 'x', 2: 'y' }), file('b.ts', { 3: 'z' })],
      [file('a.ts', { 1: 'x' }), file('b.ts', {})],
    );
    assert.equal(text, '0 new, 2 fixed, 1 remain\nfixed: 2:1 in a.ts\nfixed: 3:1 in b.ts');
  });

  it('does not call fixed what is only no longer looked at', () => {
    const text = change([file('a.ts', { 1: 'x' })], []);
    assert.equal(text, '0 new, 0 fixed, 0 remain, 1 no longer reported (tab closed)');
  });

  it('counts what is fixed in many files', () => {
    const before = [1, 2, 3, 4, 5].map((n) => file(`f${n}.ts`, { 1: 'x' }));
    const text = change(
      before,
      before.map((one) => ({ ...one, problems: [] })),
    );
    assert.match(
      text,
      /^0 new, 5 fixed, 0 remain\n(fixed: 1:1 in f\d\.ts\n){3}fixed also in 2 more files$/,
    );
  });

  it('tells equal lists by place too', () => {
    const list = listProblems([file('a.ts', { 1: 'x' })], 'warning');
    assert.equal(sameProblems(list, listProblems([file('a.ts', { 1: 'x' })], 'warning')), true);
    assert.equal(sameProblems(list, listProblems([file('a.ts', { 2: 'x' })], 'warning')), false);
  });
});
