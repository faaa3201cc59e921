import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentText, parseArguments, tryParseCommandLine } from '../../../src/chat/commandLine';
import { fuzzyScore, pathScore, rank } from '../../../src/chat/fuzzyMatch';
import {
  hasMention,
  mentionText,
  parseMentions,
  readings,
  tryParseLines,
} from '../../../src/chat/mentions';

const order = (typed: string, texts: readonly string[], score = fuzzyScore): readonly string[] =>
  rank(texts, (text) => score(typed, text)).map(({ item }) => item);

test('a whole name comes before its beginning, that before a part, and that before scattered letters', () => {
  const texts = ['recompact', 'c-o-m-p-a-c-t', 'compact-all', 'compact', 'none'];
  assert.deepEqual(order('compact', texts), [
    'compact',
    'compact-all',
    'recompact',
    'c-o-m-p-a-c-t',
  ]);
});

test('of scattered letters beginnings of words count, and case does not', () => {
  assert.deepEqual(order('RB', ['readBuffer', 'crab apple']), ['readBuffer', 'crab apple']);
  assert.deepEqual(order('rbt', ['readBufferTool', 'robot']), ['readBufferTool', 'robot']);
});

test('nothing typed fits all in their order, letters that are missing fit nothing', () => {
  assert.deepEqual(order('', ['b', 'a']), ['b', 'a']);
  assert.equal(fuzzyScore('xyz', 'axy'), undefined);
  assert.equal(fuzzyScore('bob', 'src/webview/composerToolbar.tsx'), undefined);
});

test('in a path the name of the file counts most, and folders can be typed', () => {
  const paths = ['src/cart/index.ts', 'src/cart.ts', 'test/cart.test.ts', 'docs/a.md'];
  assert.equal(order('cart', paths, pathScore)[0], 'src/cart.ts');
  assert.deepEqual(order('test/ca', paths, pathScore), ['test/cart.test.ts']);
  assert.equal(order('cart/ind', paths, pathScore)[0], 'src/cart/index.ts');
  assert.equal(order(String.raw`.\src`.replace('.\\', './'), paths, pathScore).length, 2);
});

test('matching a long text against many takes no time to speak of', () => {
  const typed = 'a'.repeat(60);
  const text = 'ab'.repeat(2_000);
  for (let index = 0; index < 200; index += 1) fuzzyScore(typed, text);
  assert.ok((fuzzyScore(typed, text) ?? 0) < 1_000);
});

test('mentions are found at the start of words, quoted or not, each once', () => {
  const text = 'see @src/a.ts, (@"with space.md") and @notes:note://milk. me@home @src/a.ts, @@x';
  assert.deepEqual(
    parseMentions(text).map(({ target, isQuoted }) => [target, isQuoted]),
    [
      ['src/a.ts,', false],
      ['with space.md', true],
      ['notes:note://milk.', false],
    ],
  );
  assert.equal(hasMention(text), true);
  assert.equal(hasMention(text), true, 'asked again it is the same');
  assert.equal(hasMention('me@home and @ alone'), false);
});

test('in quotes a backslash is one, but before a quote and before another one', () => {
  const known = [{ name: 'in', required: true }];
  for (const [typed, meant] of [
    [String.raw`in="C:\My Folder\new"`, String.raw`C:\My Folder\new`],
    [String.raw`"\d+ of \w+"`, String.raw`\d+ of \w+`],
    [String.raw`in="say \"hi\" twice"`, 'say "hi" twice'],
    [String.raw`in="a \\ b"`, String.raw`a \ b`],
  ] as const) {
    assert.deepEqual(parseArguments(typed, known), { in: meant }, typed);
    assert.deepEqual(parseArguments(argumentText('in', meant), known), { in: meant }, typed);
  }
});

test('punctuation behind a mention is the sentence’s unless something has that name', () => {
  const [first] = parseMentions('@src/a.ts,');
  assert.ok(first);
  assert.deepEqual(readings(first), ['src/a.ts,', 'src/a.ts']);
  const [quoted] = parseMentions('@"a.ts,"');
  assert.ok(quoted);
  assert.deepEqual(readings(quoted), ['a.ts,']);
});

test('what is written as a mention is read as the same one', () => {
  for (const target of [
    ...['src/a.ts', 'with space.md', 'notes:note://a b', 'src/ä.ts:3-9'],
    ...['@types/a.d.ts', 'packages/@acme/a.ts', '@acme/'],
  ]) {
    assert.deepEqual(
      parseMentions(`x ${mentionText(target)} y`).map((one) => one.target),
      [target],
    );
  }
});

test('lines are read from the end of a mention', () => {
  assert.deepEqual(tryParseLines('src/a.ts:3-9'), { path: 'src/a.ts', from: 3, to: 9 });
  assert.deepEqual(tryParseLines('src/a.ts:3'), { path: 'src/a.ts', from: 3, to: 3 });
  for (const none of ['src/a.ts', 'src/a.ts:0', 'src/a.ts:9-3', ':3', 'a:b']) {
    assert.equal(tryParseLines(none), undefined, none);
  }
});

test('a command is one word behind a slash, a path is none', () => {
  assert.deepEqual(tryParseCommandLine(' /notes:plan id=x\nmore '), {
    name: 'notes:plan',
    rest: 'id=x\nmore',
  });
  assert.deepEqual(tryParseCommandLine('/compact'), { name: 'compact', rest: '' });
  for (const none of ['/etc/hosts', 'x /compact', '/', '// note']) {
    assert.equal(tryParseCommandLine(none), undefined, none);
  }
});

const PLAN = [
  { name: 'id', required: true },
  { name: 'hours', required: false },
];

test('arguments are taken by name, the rest by place, and the last takes all that remains', () => {
  assert.deepEqual(parseArguments('id=milk hours="4 or 5"', PLAN), { id: 'milk', hours: '4 or 5' });
  assert.deepEqual(parseArguments('milk 4 or 5', PLAN), { id: 'milk', hours: '4 or 5' });
  assert.deepEqual(parseArguments('hours=4 all of the milk', PLAN), {
    hours: '4',
    id: 'all of the milk',
  });
  assert.deepEqual(parseArguments('id= hours=4', PLAN), { id: '', hours: '4' });
});

test('the last argument keeps its lines and blanks, wherever the named ones stand', () => {
  const code = 'def f():\n    return "a  b"\n\n\tprint(x="1  2")';
  assert.deepEqual(parseArguments(code, [{ name: 'code', required: true }]), { code });
  assert.deepEqual(parseArguments(`milk ${code}`, PLAN), { id: 'milk', hours: code });
  assert.deepEqual(parseArguments(`"my  milk"\n${code}`, PLAN), { id: 'my  milk', hours: code });
  for (const named of [`hours=4 ${code}`, `hours="4"\n${code}`, `${code} hours=4`]) {
    assert.deepEqual(parseArguments(named, PLAN), { hours: '4', id: code }, named);
  }
  assert.deepEqual(parseArguments('one\nhours=4\n two', PLAN), { hours: '4', id: 'one\n two' });
  assert.deepEqual(parseArguments('milk "4  \\"or\\" 5"', PLAN), {
    id: 'milk',
    hours: '4  "or" 5',
  });
});

test('a word with an equals sign that names no argument stays a word', () => {
  assert.deepEqual(parseArguments('a=b', PLAN), { id: 'a=b' });
  assert.deepEqual(parseArguments('constructor=x', PLAN), { id: 'constructor=x' });
  assert.deepEqual(parseArguments('x', []), {});
});

test('an argument that is written down is read as the same value', () => {
  for (const value of ['milk', 'two words', 'a "quoted" \\ one', '']) {
    assert.deepEqual(parseArguments(argumentText('id', value), PLAN), { id: value });
  }
});
