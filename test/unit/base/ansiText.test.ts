import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAnsi, stripAnsi } from '../../../src/base/ansiText';

const E = '\u001b[';

test('plain text is one part, and none is none', () => {
  assert.deepEqual(parseAnsi('a\tb\nc'), [{ text: 'a\tb\nc' }]);
  assert.deepEqual(parseAnsi(''), []);
});

test('colours and looks of the sixteen are kept, others come to the nearest', () => {
  assert.deepEqual(parseAnsi(`${E}1;31mbad${E}0m ${E}92;44mgood${E}39m.${E}m!`), [
    { text: 'bad', bold: true, color: 1 },
    { text: ' ' },
    { text: 'good', color: 10, background: 4 },
    { text: '.', background: 4 },
    { text: '!' },
  ]);
  assert.deepEqual(
    parseAnsi(`${E}38;5;196mr${E}38;2;10;190;120mg${E}48:5:0mb${E}0m${E}2;3;4;9;7mx${E}27;29my`),
    [
      { text: 'r', color: 1 },
      { text: 'g', color: 2 },
      { text: 'b', color: 2, background: 0 },
      { text: 'x', dim: true, italic: true, underline: true, strike: true, reverse: true },
      { text: 'y', dim: true, italic: true, underline: true },
    ],
  );
  assert.deepEqual(parseAnsi(`${E}1;2mx${E}22my`), [
    { text: 'x', bold: true, dim: true },
    { text: 'y' },
  ]);
});

test('what is no look is left out: cursor, titles, links, torn sequences', () => {
  assert.equal(stripAnsi(`a${E}2Kb${E}10;20Hc${E}?25ld`), 'abcd');
  assert.equal(
    stripAnsi('\u001b]0;title\u0007x\u001b]8;;https://e.x\u001b\\link\u001b]8;;\u001b\\'),
    'xlink',
  );
  assert.equal(stripAnsi('\u001bPq#0\u001b\\y\u001b(Bz\u001bM'), 'yz');
  assert.equal(stripAnsi(`end${E}38;5`), 'end');
  assert.equal(stripAnsi('bell\u0007 nul\u0000 del\u007f c1\u0085'), 'bell nul del c1');
});

test('a line that is written over stands as it was last', () => {
  assert.equal(stripAnsi('10%\r50%\r100%\ndone'), '100%\ndone');
  assert.equal(stripAnsi('a\r\nb\r\n'), 'a\nb\n');
  assert.equal(stripAnsi('still here\r'), 'still here');
  assert.equal(stripAnsi('abd\u0008c\u0008\u0008x'), 'ax');
  assert.deepEqual(parseAnsi(`${E}32mold\rnew${E}0m\n`), [
    { text: 'new', color: 2 },
    { text: '\n' },
  ]);
});

test('any cut of a coloured text gives its beginning, in time that grows with its length', () => {
  const text = `${E}1;38;5;208mwarning${E}0m: \u001b]8;;file:///a\u001b\\a.ts${E}K\u001b]8;;\u001b\\ 12`;
  const whole = stripAnsi(text);
  for (let end = 0; end <= text.length; end += 1) {
    assert.ok(whole.startsWith(stripAnsi(text.slice(0, end))), `cut at ${end}`);
  }
  const long = `${E}31mx${E}0m\r`.repeat(200_000);
  assert.equal(stripAnsi(long), 'x');
  assert.equal(stripAnsi('\u001b]'.repeat(100_000)).length, 0);
  assert.equal(stripAnsi(`${'x'.repeat(50_000)}${'\u0008'.repeat(50_000)}`), '');
});
