import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TranscriptItem } from '../../../src/chat/viewStateProtocol';
import { RowBook } from '../../../src/webview/rowBook';
import { guessHeight } from '../../../src/webview/rowHeight';
import { text, tool } from '../../harness/panelSandbox/states';

const notice = (id: string): TranscriptItem => ({ kind: 'notice', id, tone: 'info', text: 'x' });
const notices = (...ids: readonly string[]) => ids.map(notice);

function bookOf(...ids: readonly string[]): RowBook {
  const book = new RowBook();
  book.gap = 10;
  book.sync(notices(...ids), 50);
  return book;
}

test('a guess stands until the item has been measured', () => {
  const book = bookOf('a', 'b', 'c');
  assert.deepEqual([book.before(1), book.before(2), book.total], [30, 60, 90]);
  book.measure('a', 100);
  book.measure('gone', 500);
  assert.deepEqual([book.before(1), book.before(2), book.total], [110, 140, 170]);
  assert.equal(book.placeAt(109), 0);
  assert.equal(book.placeAt(110), 1);
});

test('what is measured stays with its item, wherever that stands then', () => {
  const book = bookOf('a', 'b', 'c');
  book.measure('b', 200);
  book.sync(notices('a', 'b', 'c', 'd'), 50);
  assert.equal(book.before(3), 30 + 210 + 30);
  book.sync(notices('b', 'c', 'd'), 50);
  assert.deepEqual([book.count, book.placeOf('b'), book.placeOf('a')], [3, 0, -1]);
  assert.equal(book.before(1), 210);
  book.sync(notices('n', 'b'), 50);
  assert.deepEqual([book.before(1), book.total], [30, 240]);
  book.sync([], 50);
  assert.deepEqual([book.count, book.total, book.placeOf('b')], [0, 0, -1]);
  book.sync(notices('b'), 50);
  assert.equal(book.total, 30, 'it was gone in between');
});

test('a guess grows with the text, its lines and what is open in it', () => {
  const answer = (...blocks: readonly ReturnType<typeof text>[]): TranscriptItem => ({
    ...{ kind: 'assistant', id: 'a', blocks: [...blocks] },
  });
  const guess = (item: TranscriptItem) => guessHeight(item, 50);
  assert.ok(guess(answer(text('x', 'word '.repeat(100)))) > guess(answer(text('x', 'word'))));
  assert.ok(guess(answer(text('x', 'a\nb\nc'))) > guess(answer(text('x', 'a b c'))));
  const hunks = [{ oldStart: 1, newStart: 1, lines: ['-a', '+b', ' c'] }];
  const diff = { path: 'a.ts', added: 1, removed: 1, hunks };
  assert.ok(guess(answer(tool('t', { diff }))) > guess(answer(tool('t', {}))));
  const inside = tool('t', { diff, parentToolUseId: 'g' });
  assert.equal(guess(answer(text('x', 'a'), inside)), guess(answer(text('x', 'a'))));
  const said = (words: string): TranscriptItem => ({ kind: 'user', id: 'u', text: words });
  assert.ok(guess(said('a\n'.repeat(1000))) < 500, 'a long one scrolls in its own box');
});
