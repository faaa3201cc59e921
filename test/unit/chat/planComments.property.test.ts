import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changeBetween, type TextChange } from '../../../src/base/changeBetween';
import { linesOf, moveComments } from '../../../src/chat/planComments';

/** Lines that are told apart by their words, some of them empty. */
const plan = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 12 })
  .map((filled) => filled.map((is, index) => (is ? `line-${index}-end` : '')).join('\n'));
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat({ max: 40 }),
  text: fc.constantFrom('', 'x', '\n', 'a\nb', '\n\n', 'new line\n'),
});

function changeOf(text: string, { at, cut, text: put }: { at: number; cut: number; text: string }) {
  const offset = Math.floor(at * (text.length + 1));
  return { offset, length: Math.min(cut, text.length - offset), text: put };
}

function apply(text: string, { offset, length, text: put }: TextChange): string {
  return text.slice(0, offset) + put + text.slice(offset + length);
}

test('whatever is edited, a comment stands on lines of the text, and on those of its own that are left', () => {
  fc.assert(
    fc.property(
      ...([plan, fc.nat(), fc.nat({ max: 3 }), fc.array(edit, { maxLength: 8 })] as const),
      (text, start, more, edits) => {
        const count = text.split('\n').length;
        const from = (start % count) + 1;
        const to = Math.min(count, from + more);
        const quote = linesOf(text, from, to);
        let comments = [{ id: 'c', from, to, quote, origin: quote, text: 'hm' }];
        let own = linesOf(text, from, to)
          .split('\n')
          .filter((line) => line !== '');
        let now = text;
        for (const one of edits) {
          const change = changeOf(now, one);
          const moved = moveComments(comments, now, [change]);
          comments = [...moved.comments] as typeof comments;
          now = apply(now, change);
          assert.equal(moved.text, now);
          const lines = now.split('\n');
          const [comment] = moved.comments;
          assert.ok(comment);
          assert.ok(comment.from >= 1 && comment.to >= comment.from && comment.to <= lines.length);
          own = own.filter((line) => lines.includes(line));
          if (comment.isGone === true) continue;
          const covered = lines.slice(comment.from - 1, comment.to);
          assert.equal(comment.quote, covered.join('\n'));
          for (const line of own) assert.ok(covered.includes(line), `${line} is still under it`);
        }
      },
    ),
  );
});

test('a comment is gone only where none of its lines is left as it was', () => {
  fc.assert(
    fc.property(plan, fc.nat(), edit, (text, start, one) => {
      const lines = text.split('\n');
      const from = (start % lines.length) + 1;
      const quote = linesOf(text, from, from);
      const change = changeOf(text, one);
      const [after] = moveComments([{ id: 'c', from, to: from, quote, text: '' }], text, [
        change,
      ]).comments;
      if (after?.isGone === true && quote !== '') {
        assert.ok(!apply(text, change).split('\n').includes(quote));
      }
    }),
  );
});

test('the change between two texts makes the second of the first', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      assert.equal(apply(before, changeBetween(before, after)), after);
    }),
  );
});
