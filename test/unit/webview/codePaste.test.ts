import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewMessage } from '../../../src/chat/viewProtocol';
import { CodePaste } from '../../../src/webview/codePaste';

function pasting() {
  const posted: ViewMessage[] = [];
  let ids = 0;
  const paste = new CodePaste({
    post: (message) => posted.push(message),
    newId: () => `p${++ids}`,
  });
  return { paste, posted };
}

test('several lines are asked about, and the answer to the last paste counts', () => {
  const { paste, posted } = pasting();
  paste.pasted('word', 0);
  assert.deepEqual(posted, []);
  paste.pasted('a\r\nb', 3);
  paste.pasted('c\nd', 7);
  assert.deepEqual(posted, [
    { type: 'pastedText', pasteId: 'p1', text: 'a\r\nb' },
    { type: 'pastedText', pasteId: 'p2', text: 'c\nd' },
  ]);
  paste.answered('p1', '@a.ts:1-2');
  assert.equal(paste.placed.value, undefined);
  paste.answered('p2', '@c.ts:1-2');
  assert.deepEqual(paste.placed.value, { text: 'c\nd', start: 7, mention: '@c.ts:1-2' });
  const { value } = paste.placed;
  paste.answered('p2', '@d.ts:1-2');
  assert.equal(paste.placed.value, value);
});

test('what is pasted after it makes an answer that comes late mean nothing', () => {
  const { paste } = pasting();
  paste.pasted('a\nb', 0);
  paste.pasted('word', 4);
  paste.answered('p1', '@a.ts:1-2');
  assert.equal(paste.placed.value, undefined);
});

test('while an input method composes nothing is put into its place', () => {
  const { paste } = pasting();
  paste.pasted('a\nb', 0);
  paste.composing(true);
  paste.answered('p1', '@a.ts:1-2');
  assert.equal(paste.placed.value, undefined);
  paste.composing(false);
  const { value } = paste.placed;
  assert.deepEqual(value, { text: 'a\nb', start: 0, mention: '@a.ts:1-2' });
  paste.composing(true);
  paste.composing(false);
  assert.equal(paste.placed.value, value, 'once');
});
