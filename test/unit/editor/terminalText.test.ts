import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  OutputTail,
  plainText,
  tailLines,
  withoutSecretValues,
} from '../../../src/editor/terminalText';

test('colours, titles, shell marks and cursor moves are taken out of a terminal text', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['\u001B[31mred\u001B[0m', 'red'],
    ['\u001B[38;5;12mblue\u001B[m end', 'blue end'],
    ['\u001B]0;a title\u0007text', 'text'],
    ['\u001B]633;C\u001B\\ls\u001B]633;D;0\u0007', 'ls'],
    ['\u001B]8;;https://example.org\u0007link\u001B]8;;\u0007', 'link'],
    ['\u001B[2K\u001B[1Gline', 'line'],
    ['\u009B1mwide\u009B0m', 'wide'],
    ['\u001BPq#0;2\u001B\\after', 'after'],
    ['\u001B(Bplain\u001B=', 'plain'],
    ['cut in the middle \u001B[3', 'cut in the middle'],
    ['cut in a title \u001B]0;abc', 'cut in a title'],
    ['a\r\nb\r\n', 'a\nb\n'],
    ['10 %\r50 %\r100 %\ndone', '100 %\ndone'],
    ['long line\rab', 'abng line'],
    ['abc\b\bX', 'aXc'],
    ['ls -l\b \b\b \b\b', 'ls'],
    ['|\b/\b-\bdone', 'done'],
    ['a\bab\bb', 'ab'],
    // A line that was erased holds nothing of what stood in it, whichever way that is done.
    ['loading 100 of 100 packages\r\u001B[KDone', 'Done'],
    ['loading 100 of 100 packages\u001B[2K\rDone', 'Done'],
    ['loading 100 of 100 packages\u001B[1K\rDone', 'Done'],
    ['loading 100 of 100 packages\r\u001B[JDone', 'Done'],
    ['loading 100 of 100 packages\u009B1G\u009B0KDone', 'Done'],
    ['Compiling 10%\u001B[1G\u001B[0KOK\n', 'OK\n'],
    ['loading\r\u001B[K\r\nnext', '\nnext'],
    ['abcdef\u001B[4G\u001B[K!', 'abc!'],
    ['abcdef\u001B[3G\u001B[1K', '   def'],
    ['abcdef\u001B[3D\u001B[31mX\u001B[0mY', 'abcXYf'],
    ['two\u001B[2Cwords\u001B[20G[ ok ]', 'two  words         [ ok ]'],
    ['far\u001B[999999999Gaway', `far${' '.repeat(197)}away`],
    ['\u001B\u001B[31m[Kplain', '[Kplain'],
    ['😀\b.', ' .'],
    ['a\u0000b\u0007c', 'abc'],
    ['tab\tkept  ', 'tab\tkept'],
    ['été 🎉 \u4E2D', 'été 🎉 \u4E2D'],
  ];
  for (const [raw, plain] of cases) assert.equal(plainText(raw), plain, JSON.stringify(raw));
});

test('an output is told whole where it fits, else its last whole lines with how much there was', () => {
  assert.deepEqual(tailLines('', 100), []);
  assert.deepEqual(tailLines('\n\n', 100), []);
  assert.deepEqual(tailLines('\u001B[0m\n', 100), []);
  assert.deepEqual(tailLines('one\ntwo\n', 100), ['output:', 'one', 'two']);
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join('\n');
  assert.deepEqual(tailLines(lines, 20), [
    `output, last 2 lines of ${lines.length} characters:`,
    'line 49',
    'line 50',
  ]);
  assert.deepEqual(tailLines('kept', 100, 9_000), [
    'output, last 1 line of 9000 characters:',
    'kept',
  ]);
  assert.ok(tailLines('x'.repeat(100_000), 1_000).join('\n').length < 600);
});

test('what is cut ends and begins with whole characters', () => {
  for (let length = 396; length <= 402; length += 1) {
    const lines = tailLines(`${'a'.repeat(length)}😀 and more`, 2_500);
    assert.ok(
      lines.every((line) => line.isWellFormed()),
      `${length}`,
    );
  }
  for (let limit = 3; limit <= 6; limit += 1) {
    const tail = new OutputTail(limit);
    tail.push('xx😀a\uD83D');
    tail.push('\uDE00c');
    assert.ok(tail.since().isWellFormed(), `${limit}`);
    assert.ok(tail.since(3).isWellFormed(), `${limit}`);
  }
});

test('a whole output is told as whole also where a value was taken out of it', () => {
  assert.deepEqual(tailLines('start\nTOKEN=abcdefghijkl\nend\n', 2_500), [
    ...['output:', 'start', 'TOKEN=…', 'end'],
  ]);
  // Nor does a colour in the middle hide it.
  assert.deepEqual(tailLines('TOK\u001B[1mEN=abc\u001B[0mdefgh', 100), ['output:', 'TOKEN=…']);
});

test('a growing output keeps its end, and knows how much there has been', () => {
  const tail = new OutputTail(100);
  for (let index = 0; index < 1_000; index += 1) tail.push(`${index}\n`);
  assert.equal(tail.length, 3_890);
  assert.ok(tail.since().endsWith('998\n999\n'));
  assert.equal(tail.since().length, 100);
  assert.equal(tail.since(tail.length - 4), '999\n');
  assert.equal(tail.since(tail.length), '');
});

test('values that are named like secrets are not given out', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['export API_TOKEN=abcdef123', 'export API_TOKEN=…'],
    ['curl -H "Authorization: Bearer abc.def.ghi"', 'curl -H "Authorization: Bearer …"'],
    ['"password": "hunter2x"', '"password": "…"'],
    ["db_passwd='longvalue' next", "db_passwd='…' next"],
    ['MY_API_KEY=sk-12345; ls', 'MY_API_KEY=…; ls'],
    ['authorization=basic hunter', 'authorization=basic …'],
    ['Proxy-Authorization: Basic secretly', 'Proxy-Authorization: Basic …'],
    ['PASSWORD="correct horse battery" next', 'PASSWORD="…" next'],
    ["'secret': 'two words', 'b': 1", "'secret': '…', 'b': 1"],
    ['deploy --password hunter2x --verbose', 'deploy --password … --verbose'],
    ['deploy --api-key "two words" -v', 'deploy --api-key "…" -v'],
    ['login -token abcd1234; ls', 'login -token …; ls'],
    ['DB_PASS=hunter2x npm start', 'DB_PASS=… npm start'],
    ['passphrase: hunter2x', 'passphrase: …'],
    ...[
      'deploy --token-file secrets/deploy --password --verbose',
      'pass: 1234 tests; bypass=12345',
      'use --tokens 1234',
    ].map((plain) => [plain, plain] as const),
    ['sent Bearer abcdef', 'sent Bearer abcdef'],
    ['sent bearer a1b2c3d4', 'sent bearer …'],
    ['sent Basic dXNlcjpwYXNzd29yZA==', 'sent Basic …'],
    ['sent Basic dXNlcjpwYXNz', 'sent Basic …'],
    ['sent Bearer aaaaabbbbbcccccdddddeeeee', 'sent Bearer …'],
    ['tokens=abc123def', 'tokens=…'],
    ['"token": 123456', '"token": …'],
    ['tokens: 1234abcd', 'tokens: …'],
    ['tokens are words', 'tokens are words'],
    ['the secret of it', 'the secret of it'],
    ...[
      'running basic arithmetic tests; tokens: 1234',
      'Basic end-to-end. Basic TypeScript, basic HTTP: a bearer token',
      '"input_tokens": 12345, max_tokens=4096 tokens: 1,234.',
      'tokenizer: gpt2-large',
    ].map((plain) => [plain, plain] as const),
    // By its form, whatever it is called.
    ['login with sk-ant-0123456789 now', 'login with ••• now'],
  ];
  for (const [text, told] of cases) assert.equal(withoutSecretValues(text), told);
});

test('of a secret whose beginning was let go of, or told before, nothing is told', () => {
  for (const end of ['', '\n', '\nlast\n']) {
    const tail = new OutputTail(50);
    tail.push(`${'first words '.repeat(20)}TOKEN=${'abcdefgh'.repeat(5)} and the rest${end}`);
    const text = tailLines(tail.since(), 500, tail.length).join('\n');
    assert.doesNotMatch(text, /abcd/);
    assert.match(text, end === '\nlast\n' ? /\nlast$/ : /\n… and the rest$/);
  }
  const told = new OutputTail(1_000);
  told.push('first\nTOKEN=');
  const mark = told.length;
  assert.equal(told.sinceLine(mark), '');
  told.push('abcdefgh\n');
  assert.deepEqual(tailLines(told.sinceLine(mark), 500, told.length - mark), [
    'output:',
    'TOKEN=…',
  ]);
  const dots = new OutputTail(1_000);
  dots.push('.'.repeat(900));
  dots.push('new');
  assert.match(dots.sinceLine(900), /^\.{200}new$/);
});
