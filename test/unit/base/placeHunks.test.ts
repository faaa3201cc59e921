import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyReplacements,
  type Hunk,
  type Placed,
  placeHunks,
} from '../../../src/base/placeHunks';

const place = (text: string, ...hunks: Hunk[]): Placed => placeHunks(text, hunks, '\n');

function after(text: string, ...hunks: Hunk[]): string {
  const placed = place(text, ...hunks);
  assert.ok(placed.ok, JSON.stringify(placed));
  return applyReplacements(text, placed.replacements).text;
}

function why(text: string, ...hunks: Hunk[]): string {
  const placed = place(text, ...hunks);
  assert.ok(!placed.ok, 'it was refused');
  assert.ok(placed.why.length < 200, placed.why);
  return placed.why;
}

test('hunks are put in whatever their order, each of them matched against the text before all', () => {
  const text = 'one\ntwo\nthree\n';
  const hunks = [
    { old: 'three', new: 'one' },
    { old: 'one\n', new: '1\n1b\n' },
  ];
  assert.equal(after(text, ...hunks), '1\n1b\ntwo\none\n');
  const placed = place(text, ...hunks);
  assert.ok(placed.ok);
  assert.deepEqual(applyReplacements(text, placed.replacements).lines, [
    { from: 1, to: 3 },
    { from: 4, to: 4 },
  ]);
});

test('text that occurs more than once needs more of it, or all', () => {
  const text = 'x = 1;\ny = 2;\nx = 1;\nz = 3; x = 1;\n';
  const hunk = { old: 'x = 1;', new: 'x = 2;' };
  assert.equal(
    why(text, hunk),
    'old occurs 3 times, at lines 1 3 4. Give more of the text, or all: true',
  );
  assert.equal(after(text, { ...hunk, all: true }).match(/x = 2;/g)?.length, 3);
  const many = why('a\n'.repeat(500), { old: 'a', new: 'b' });
  assert.match(many, /500 times, at lines 1 2 3 4 5 6 7 8 9 10 \+490\./);
});

test('text that overlaps itself occurs more than once as well', () => {
  const text = 'a {\n b {\n c {\n  }\n  }\n  }\n';
  const hunk = { old: '  }\n  }\n', new: '  }\n  // here\n  }\n' };
  assert.match(why(text, hunk), /old occurs 2 times, at lines 4 5/);
  assert.match(why('aaaa', { old: 'aa', new: 'b' }), /occurs 3 times/);
  assert.equal(after('aaaaa', { old: 'aa', new: 'b', all: true }), 'bba');
  const long = 'a'.repeat(2_000_000);
  assert.match(
    why(long, { old: long.slice(1_000_000), new: 'b' }),
    /occurs \d+ times, at lines 1 1/,
  );
});

test('what does not occur is told with what comes nearest', () => {
  const text = 'function a() {\n\treturn 1;\n}\n';
  assert.equal(
    why(text, { old: 'function a() {\n  return 1;\n}', new: '' }),
    'old differs from line 1 in white space. Read it again',
  );
  assert.match(
    why(text, { old: 'function a() {\n\treturn 2;\n}', new: '' }),
    /first line stands at line 1/,
  );
  assert.match(why(text, { old: 'nowhere', new: '' }), /does not occur: “nowhere”/);
  assert.match(why(text, { old: '\n\n\n', new: '' }), /only white space/);
  assert.match(why(text, { old: 'a()', new: 'b()' }, { old: 'no', new: '' }), /\(edit 2\)$/);
});

test('overlapping hunks, equal texts and an empty old in a file with text are refused', () => {
  assert.match(
    why('abcdef', { old: 'abc', new: '' }, { old: 'cde', new: '' }),
    /overlap at line 1/,
  );
  assert.match(why('abc', { old: 'a', new: 'a' }), /same text/);
  assert.match(why('abc', { old: '', new: 'x' }), /the file has text/);
  assert.equal(after('', { old: '', new: 'x' }), 'x');
  assert.equal(after('ab', { old: 'a', new: '1' }, { old: 'b', new: '2' }), '12');
});

test('line ends of a hunk become those of the file, whichever the model writes', () => {
  const placed = placeHunks('a\r\nb\r\nc', [{ old: 'a\nb', new: 'x\ny\r\nz' }], '\r\n');
  assert.ok(placed.ok);
  assert.equal(applyReplacements('a\r\nb\r\nc', placed.replacements).text, 'x\r\ny\r\nz\r\nc');
  assert.deepEqual(placeHunks('a\r\nb', [{ old: 'a\r\nb', new: 'a\nb' }], '\r\n'), {
    ok: false,
    why: 'old and new are the same text',
  });
});

test('a replacement is taken as it is, whatever its letters mean elsewhere', () => {
  assert.equal(after('a $& b', { old: '$&', new: '$1 $$ \\' }), 'a $1 $$ \\ b');
});
