import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasDefinition, splitBlocks } from '../../../src/chat/markdown';
import { type Split, SplitStream } from '../../../src/webview/splitStream';

const TEXT =
  '# A\n\nSome *words* here.\n\n- one\n- two\n\n  more of two\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end';

/** What a view holds that takes each split. */
function drawn(splits: readonly Split[]): string[] {
  const blocks: string[] = [];
  for (const split of splits) {
    assert.ok(split.from <= blocks.length);
    blocks.splice(split.from, Infinity, ...split.blocks);
  }
  return blocks;
}

test('text that grows letter by letter is split like the whole', () => {
  const stream = new SplitStream(splitBlocks);
  const splits: Split[] = [];
  for (let at = 0; at < TEXT.length; at += 1) {
    splits.push(stream.grow(TEXT.charAt(at)));
    assert.equal(drawn(splits).join(''), TEXT.slice(0, at + 1));
  }
  assert.deepEqual(drawn(splits), splitBlocks(TEXT));
  assert.deepEqual(stream.begin(TEXT), { from: 0, blocks: splitBlocks(TEXT) });
});

test('a complete text that is the one that grew is not split again, its last block apart', () => {
  const seen: number[] = [];
  const stream = new SplitStream((text) => {
    seen.push(text.length);
    return splitBlocks(text);
  }, hasDefinition);
  const splits: Split[] = [];
  for (const letter of TEXT) splits.push(stream.grow(letter));
  seen.length = 0;
  const whole = `${TEXT} of it.\n\nAnd a word`;
  splits.push(stream.finish(whole, drawn(splits)));
  assert.deepEqual(drawn(splits), splitBlocks(whole));
  assert.deepEqual(seen, ['The end of it.\n\nAnd a word'.length]);
});

test('a complete text that differs anywhere is split anew', () => {
  for (const other of [TEXT.replace('Some', 'No'), '# A', '', `x${TEXT}`]) {
    const stream = new SplitStream(splitBlocks, hasDefinition);
    const splits = [stream.grow(TEXT)];
    splits.push(stream.finish(other, drawn(splits)));
    assert.deepEqual(drawn(splits), splitBlocks(other), JSON.stringify(other));
  }
});

test('finished blocks are not read again', () => {
  const seen: number[] = [];
  const stream = new SplitStream((text) => {
    seen.push(text.length);
    return splitBlocks(text);
  });
  for (let i = 0; i < 200; i += 1) stream.grow(`Paragraph number ${i} with a few words.\n\n`);
  assert.ok(Math.max(...seen) < 200, `longest piece split: ${Math.max(...seen)}`);
});

test('other text starts afresh', () => {
  const stream = new SplitStream(splitBlocks);
  stream.begin('a\n\nb\n\nc');
  assert.deepEqual(stream.begin('x'), { from: 0, blocks: ['x'] });
  assert.deepEqual(stream.grow('y\n\nz'), { from: 0, blocks: ['xy\n\n', 'z'] });
});

test('parts that do not give the text back are split again with what follows', () => {
  const stream = new SplitStream((text) => text.split(','));
  stream.grow('a,b');
  assert.deepEqual(stream.grow(',c'), { from: 0, blocks: ['a', 'b', 'c'] });
});

test('a link definition at the end is honoured once the text is complete', () => {
  const stream = new SplitStream(splitBlocks, hasDefinition);
  const splits: Split[] = [];
  const text = 'See [it][1].\n\nMore.\n\n[1]: https://example.com\n';
  for (const letter of text) splits.push(stream.grow(letter));
  splits.push(stream.finish(text, drawn(splits)));
  assert.deepEqual(drawn(splits), splitBlocks(text));
});
