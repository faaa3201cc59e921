import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFilePlaces, findListedPlaces } from '../../../src/base/filePlaces';

const found = (text: string): string[] =>
  findFilePlaces(text).map(({ start, end, href }) => `${text.slice(start, end)} → ${href}`);

test('places in files are found in every form that compilers and people write', () => {
  const forms = [
    ['see src/a.ts:12:3.', 'src/a.ts:12:3 → src/a.ts:12:3'],
    ['a.ts:12', 'a.ts:12 → a.ts:12'],
    ['./lib/x-y.test.tsx:7: error', './lib/x-y.test.tsx:7 → ./lib/x-y.test.tsx:7'],
    ['src/a.ts(12,3): error TS2304', 'src/a.ts(12,3) → src/a.ts:12:3'],
    ['at run (/home/me/shop/a.mjs:1:22)', '/home/me/shop/a.mjs:1:22 → /home/me/shop/a.mjs:1:22'],
    ['file:///home/me/a.ts:4:1', 'file:///home/me/a.ts:4:1 → file:///home/me/a.ts:4:1'],
    ['C:\\Work\\My\\a.cs:9', 'C:\\Work\\My\\a.cs:9 → C:\\Work\\My\\a.cs:9'],
    ['app/[id]/page.tsx:3-9', 'app/[id]/page.tsx:3-9 → app/[id]/page.tsx:3'],
    ['see app/(shop)/page.tsx:3', 'app/(shop)/page.tsx:3 → app/(shop)/page.tsx:3'],
    ['(app/(shop)/[id]/a.ts:3)', 'app/(shop)/[id]/a.ts:3 → app/(shop)/[id]/a.ts:3'],
    ['docs/größe.md#L3-L9', 'docs/größe.md#L3-L9 → docs/größe.md:3'],
    ['"src/a.ts:5"', 'src/a.ts:5 → src/a.ts:5'],
  ] as const;
  for (const [text, expected] of forms) assert.deepEqual(found(text), [expected]);
  assert.equal(found('a.ts:1 b.ts:2,c.ts:3').length, 3);
});

test('what only looks like one is none', () => {
  const none = [
    'https://example.com:443/a.js:1',
    'example.com:443',
    'localhost:3000',
    '10.0.0.1:80',
    'at 12:30',
    'v1.2.3:4',
    'src/a.ts',
    'a.ts:',
    'a.ts:x1',
    'me@example.org:22',
    'ratio 3.5:1',
    'f(x)/page.tsx:3',
  ];
  for (const text of none) assert.deepEqual(found(text), [], text);
});

test('no text makes it slow', () => {
  for (const text of [
    'a'.repeat(50_000),
    'a/'.repeat(50_000),
    '.a'.repeat(50_000),
    'a.b:'.repeat(20_000),
    '(a)/'.repeat(20_000),
    '('.repeat(50_000),
    `${'['.repeat(99)}/`.repeat(600),
    `${'(['.repeat(40)})/`.repeat(600),
    `${'='.repeat(99)}.a`.repeat(600),
  ]) {
    assert.deepEqual(found(`${text} :1`), []);
  }
  assert.equal(found('src/a.ts:1 '.repeat(5000)).length, 5000);
});

test('in a list the lines below a file are places in it', () => {
  const listed = (text: string) =>
    findListedPlaces(text).map(({ start, end, href }) => `${text.slice(start, end)} → ${href}`);
  assert.deepEqual(
    listed('2 errors\nsrc/a.ts\n 14:9 error x\n   more of it\n 31 error y\n\n 5 others\nb.ts:3'),
    ['src/a.ts → src/a.ts', '14:9 → src/a.ts:14:9', '31 → src/a.ts:31', 'b.ts:3 → b.ts:3'],
  );
  assert.deepEqual(listed('a.ts\n12:const a\nb.ts\nother'), ['a.ts → a.ts', '12 → a.ts:12']);
  assert.deepEqual(listed('Done.\n 12 left\nsrc/a b.ts\n 3:4'), []);
});
