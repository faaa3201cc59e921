import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameCode, MAX_PASTED_CODE, mayBeCode } from '../../../src/chat/pasteProtocol';

test('several lines may be code of an editor; a word, a line and a book are only text', () => {
  assert.ok(mayBeCode('one\ntwo'));
  assert.ok(mayBeCode('  one\r\n  two\r\n'));
  for (const text of [
    '',
    'word',
    'one line\n',
    '\n\n one\n',
    `a\n${'x'.repeat(MAX_PASTED_CODE)}`,
  ]) {
    assert.ok(!mayBeCode(text), text.slice(0, 20));
  }
});

test('how lines end makes no difference, all else does', () => {
  assert.ok(isSameCode('a\r\nb\rc', 'a\nb\nc'));
  assert.ok(!isSameCode('a\nb', 'a\nb\n'));
  assert.ok(!isSameCode('a\nb', 'a\n b'));
});
