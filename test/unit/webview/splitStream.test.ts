import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitBlocks } from '../../../src/chat/markdown';
import { SplitStream } from '../../../src/webview/splitStream';

const TEXT =
  '# A\n\nSome *words* here.\n\n- one\n- two\n\n  more of two\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end';

test('text that grows letter by letter is split like the whole', () => {
  const stream = new SplitStream(splitBlocks);
  for (let i = 1; i <= TEXT.length; i += 1) {
    const grown = TEXT.slice(0, i);
    assert.equal(stream.update(grown, false).join(''), grown);
  }
  assert.deepEqual(stream.update(TEXT, true), splitBlocks(TEXT));
});

test('finished blocks are not read again', () => {
  const seen: number[] = [];
  const stream = new SplitStream((text) => {
    seen.push(text.length);
    return splitBlocks(text);
  });
  let text = '';
  for (let i = 0; i < 200; i += 1) {
    text += `Paragraph number ${i} with a few words.\n\n`;
    stream.update(text, false);
  }
  assert.ok(Math.max(...seen) < 200, `longest piece split: ${Math.max(...seen)}`);
});

test('other text starts afresh', () => {
  const stream = new SplitStream(splitBlocks);
  stream.update('a\n\nb\n\nc', false);
  assert.deepEqual(stream.update('x', false), ['x']);
});

test('a link definition at the end is honoured once the text is complete', () => {
  const stream = new SplitStream(splitBlocks);
  const text = 'See [it][1].\n\nMore.\n\n[1]: https://example.com\n';
  for (let i = 1; i <= text.length; i += 1) stream.update(text.slice(0, i), false);
  assert.deepEqual(stream.update(text, true), splitBlocks(text));
});
