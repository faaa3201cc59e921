import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countSeverities, describeCounts, toProblem } from '../../../src/editor/problem';

const three = { lineCount: 3, lineLength: (line: number) => [4, 0, 2][line] ?? 0 };

function at(
  line: number,
  character: number,
): { range: { start: { line: number; character: number } } } {
  return { range: { start: { line, character } } };
}

describe('problem', () => {
  it('takes severity 0, and none at all, for an error', () => {
    assert.equal(toProblem({ ...at(0, 0), message: 'm', severity: 0 }).severity, 'error');
    assert.equal(toProblem({ ...at(0, 0), message: 'm' }).severity, 'error');
    assert.equal(toProblem({ ...at(0, 0), message: 'm', severity: 3 }).severity, 'hint');
    assert.equal(toProblem({ ...at(0, 0), message: 'm', severity: 99 }).severity, 'error');
  });

  it('reads a code that is text, a number, zero, or an object with a target', () => {
    const codes = ['no-var', 2304, 0, { value: 2304, target: 'x' }].map(
      (code) => toProblem({ ...at(0, 0), message: 'm', code }).code,
    );
    assert.deepEqual(codes, ['no-var', '2304', '0', '2304']);
  });

  it('reads every odd thing that another extension may report, and loses no problem by it', () => {
    const odd: readonly unknown[] = [
      null,
      undefined,
      true,
      3,
      'word',
      [],
      {},
      [null],
      { value: null },
    ];
    const whole = { ...at(2, 1), message: 'm', source: 's', code: 'c', severity: 1 };
    for (const field of [
      'severity',
      'message',
      'range',
      'source',
      'code',
      'relatedInformation',
      'tags',
    ]) {
      for (const value of odd) {
        const problem = toProblem({ ...whole, [field]: value }, three, () => '');
        const what = `${field} ${JSON.stringify(value)}`;
        assert.ok(['error', 'warning', 'hint'].includes(problem.severity), what);
        assert.ok(problem.line >= 1 && problem.column >= 1, what);
        const texts = [problem.message, problem.source, problem.code, problem.related];
        assert.ok(
          texts.every((one) => one === undefined || typeof one === 'string'),
          what,
        );
        assert.doesNotMatch(texts.join(), /undefined|null|\[object/, what);
        if (field !== 'message') assert.equal(problem.message, 'm', what);
      }
    }
    for (const range of [{ start: null }, { start: { line: NaN, character: -4 } }]) {
      const { line, column } = toProblem({ ...whole, range }, three);
      assert.deepEqual([line, column], [1, 1]);
    }
    for (const raw of [null, undefined, {}]) {
      assert.equal(toProblem(raw, three).message, '(no message)');
    }
    assert.equal(toProblem({ ...whole, message: { value: 'as markdown' } }).message, 'as markdown');
  });

  it('reads what is right of related information beside what is not', () => {
    const there = { message: 'there', location: { uri: 'u', range: at(4, 2).range } };
    const related = [null, 7, { message: 'x' }, { location: 3 }, { location: {} }, there];
    const named = (uri: unknown): string | undefined => (uri === 'u' ? 'b.ts' : undefined);
    for (const relatedInformation of [related, [there]]) {
      const problem = toProblem({ ...at(0, 0), message: 'm', relatedInformation }, three, named);
      assert.equal(problem.related, 'b.ts 5:3 there');
    }
  });

  it('moves a place on line 900 of a file with three lines to its last line and keeps what was reported', () => {
    const problem = toProblem({ ...at(899, 7), message: 'm' }, three);
    assert.deepEqual([problem.line, problem.column, problem.reportedLine], [3, 1, 900]);
  });

  it('keeps an empty range on a blank last line and cuts a column past the end of its line', () => {
    const blank = toProblem({ ...at(1, 0), message: 'm' }, three);
    assert.deepEqual([blank.line, blank.column, blank.reportedLine], [2, 1, undefined]);
    assert.equal(toProblem({ ...at(0, 400), message: 'm' }, three).column, 5);
  });

  it('takes places as they are where the document is not loaded', () => {
    const problem = toProblem({ ...at(899, 7), message: 'm' });
    assert.deepEqual([problem.line, problem.column], [900, 8]);
  });

  it('puts a message with line breaks on one line of at most 200 characters', () => {
    const { message } = toProblem({ ...at(0, 0), message: ` a\r\n  b\u2028c ${'d'.repeat(300)}` });
    assert.match(message, /^a b c d+…$/);
    assert.equal(message.length, 200);
  });

  it('never cuts a message inside a surrogate pair', () => {
    const { message } = toProblem({ ...at(0, 0), message: `${'x'.repeat(198)}😀😀` });
    assert.equal(message, `${'x'.repeat(198)}…`);
  });

  it('counts in words, and leaves out what does not occur', () => {
    const counts = countSeverities([
      { severity: 'error' },
      { severity: 'hint' },
      { severity: 'hint' },
    ]);
    assert.equal(describeCounts(counts), '1 error, 2 hints');
    assert.equal(describeCounts(countSeverities([])), '0 problems');
  });
});
