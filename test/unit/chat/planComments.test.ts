import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanComment } from '../../../src/chat/askProtocol';
import { changeBetween } from '../../../src/base/changeBetween';
import { linesOf, moveComments } from '../../../src/chat/planComments';

const TEXT = 'one\ntwo\nthree\nfour\n';

function on(from: number, to: number, text = TEXT): PlanComment {
  return { id: 'c', from, to, quote: linesOf(text, from, to), text: 'hm' };
}

/** The comment after `text` became `after` by one change of `before` characters at `offset`. */
function moved(comment: PlanComment, offset: number, length: number, text: string, of = TEXT) {
  const [after] = moveComments([comment], of, [{ offset, length, text }]).comments;
  assert.ok(after);
  return [after.from, after.to, after.quote, after.isGone === true] as const;
}

test('what is written above moves a comment down, what is written below leaves it', () => {
  assert.deepEqual(moved(on(2, 3), 0, 0, 'zero\n'), [3, 4, 'two\nthree', false]);
  assert.deepEqual(moved(on(2, 3), 0, 4, ''), [1, 2, 'two\nthree', false]);
  assert.deepEqual(moved(on(2, 3), TEXT.length, 0, 'five\n'), [2, 3, 'two\nthree', false]);
  assert.deepEqual(moved(on(2, 2), 7, 0, '\nnew'), [2, 2, 'two', false], 'a line behind it');
  assert.deepEqual(moved(on(2, 2), 4, 0, 'new\n'), [3, 3, 'two', false], 'a line before it');
});

test('what is written inside grows it, and its quote is what stands there now', () => {
  assert.deepEqual(moved(on(2, 3), 7, 0, '\nhalf'), [2, 4, 'two\nhalf\nthree', false]);
  assert.deepEqual(moved(on(2, 2), 5, 1, 'WW'), [2, 2, 'tWWo', false]);
  assert.deepEqual(moved(on(2, 2), 4, 3, 'deux'), [2, 2, 'deux', false], 'written anew');
});

test('a line that is typed before or behind a comment, letter by letter, is none of its lines', () => {
  const typed = (at: number, words: string, of = TEXT) => {
    let text = of;
    let comments: readonly PlanComment[] = [{ ...on(2, 2), origin: 'two' }];
    Array.from(words).forEach((letter, index) => {
      const change = { offset: at + index, length: 0, text: letter };
      ({ comments, text } = moveComments(comments, text, [change]));
    });
    return [comments[0]?.from, comments[0]?.to, comments[0]?.quote];
  };
  assert.deepEqual(typed(4, 'new\n'), [3, 3, 'two']);
  assert.deepEqual(typed(7, '\nnew'), [2, 2, 'two']);
  assert.deepEqual(typed(4, 'not '), [2, 2, 'not two'], 'words on the line are of the line');
  assert.deepEqual(typed(5, '\n'), [2, 3, 't\nwo'], 'a line that is broken is all of its parts');
});

test('a part that is deleted leaves the rest of it', () => {
  assert.deepEqual(moved(on(1, 3), 0, 4, ''), [1, 2, 'two\nthree', false]);
  assert.deepEqual(moved(on(2, 4), 14, 5, ''), [2, 4, 'two\nthree\n', false]);
  assert.deepEqual(moved(on(1, 3), 2, 8, ''), [1, 1, 'onree', false]);
});

test('deleted text leaves the comment with what it was about, and brings it back with itself', () => {
  const [gone] = moveComments([on(2, 3)], TEXT, [{ offset: 4, length: 10, text: '' }]).comments;
  assert.deepEqual([gone?.from, gone?.to, gone?.quote, gone?.isGone], [2, 2, 'two\nthree', true]);
  assert.ok(gone);
  const left = 'one\nfour\n';
  const back = moveComments([gone], left, [
    { offset: left.length, length: 0, text: 'two\nthree\n' },
  ]);
  assert.deepEqual(back.comments, [{ ...on(2, 3), from: 3, to: 4, isGone: undefined }]);
  const still = moveComments([gone], left, [{ offset: 0, length: 0, text: 'two, three\n' }]);
  assert.equal(still.comments[0]?.isGone, true, 'a part of a line is not its line');
  const twice = 'two\nthree\ntwo\nthree\n';
  const both = moveComments([gone], left, [{ offset: 0, length: 0, text: twice }]);
  assert.equal(both.comments[0]?.isGone, true, 'two places are none');
});

test('a text that is replaced as a whole keeps the comments whose lines it still has', () => {
  const whole = { offset: 0, length: TEXT.length, text: 'zero\ntwo\nfive\n' };
  const after = moveComments([on(2, 2), { ...on(3, 3), id: 'd' }], TEXT, [whole]).comments;
  assert.deepEqual(
    after.map(({ from, isGone }) => [from, isGone === true]),
    [
      [2, false],
      [1, true],
    ],
  );
});

test('lines are the same with the line ends of Windows, and places that are not there are the last', () => {
  const windows = 'one\r\ntwo\r\nthree';
  assert.equal(linesOf(windows, 1, 2), 'one\r\ntwo');
  assert.deepEqual(moved(on(2, 2, windows), 0, 0, 'zero\r\n', windows), [3, 3, 'two', false]);
  assert.equal(linesOf(windows, 9, 12), 'three');
  assert.equal(linesOf('', 1, 1), '');
});

test('several changes of one edit follow each other', () => {
  // Two carets, as an editor tells them: from the end to the beginning.
  const changes = [
    { offset: 8, length: 0, text: 'b\n' },
    { offset: 0, length: 0, text: 'a\n' },
  ];
  const after = moveComments([on(3, 3)], TEXT, changes);
  assert.equal(after.text, 'a\none\ntwo\nb\nthree\nfour\n');
  assert.deepEqual([after.comments[0]?.from, after.comments[0]?.quote], [5, 'three']);
});

test('the change between two texts is the least that makes the one of the other', () => {
  assert.deepEqual(changeBetween('abc', 'abXc'), { offset: 2, length: 0, text: 'X' });
  assert.deepEqual(changeBetween('aaa', 'aa'), { offset: 2, length: 1, text: '' });
  assert.deepEqual(changeBetween('same', 'same'), { offset: 4, length: 0, text: '' });
});
