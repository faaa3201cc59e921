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
    ['abc\b\bX', 'aX'],
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
    ['tokens are words', 'tokens are words'],
    ['the secret of it', 'the secret of it'],
    // By its form, whatever it is called.
    ['login with sk-ant-0123456789 now', 'login with ••• now'],
  ];
  for (const [text, told] of cases) assert.equal(withoutSecretValues(text), told);
});
