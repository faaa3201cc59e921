import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecrets, secretValues } from '../../../src/base/maskSecrets';
import { StderrTail } from '../../../src/cli/stderrTail';

test('Known forms of secrets are hidden, the words around them stay', () => {
  const cases = [
    ['key sk-ant-api03-AbCdEfGh_123 refused', 'key ••• refused'],
    ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer •••'],
    ['https://user:hunter22@example.test/x', 'https://user:•••@example.test/x'],
    ['ANTHROPIC_API_KEY=abcd1234 next', 'ANTHROPIC_API_KEY=••• next'],
    ['{"access_token":"abcd1234","n":1}', '{"access_token":"•••","n":1}'],
    ['token ghp_abcdefghij0123456789', 'token •••'],
    ['eyJhbGciOiJIUzI1.eyJzdWIiOiIx.abc', '•••'],
    ['an ordinary line about a token and a key', 'an ordinary line about a token and a key'],
  ] as const;
  for (const [text, masked] of cases) assert.equal(maskSecrets(text), masked);
});

test('Values of variables with a secret name are hidden wherever they stand', () => {
  const known = secretValues({
    MY_TOKEN: 'correct horse',
    SHORT_KEY: 'ab',
    PLAIN: 'visible-value',
  });
  assert.deepEqual(known, ['correct horse']);
  assert.equal(maskSecrets('x correct horse y visible-value', known), 'x ••• y visible-value');
});

test('The last two hundred lines are kept, each bounded, whatever comes', () => {
  const tail = new StderrTail([]);
  for (let i = 0; i < 5000; i += 1) tail.push(Buffer.from(`line ${i}\r\n`));
  tail.push(Buffer.from(`${'x'.repeat(3_000_000)}\nend`));
  tail.end();
  const lines = tail.text().split('\n');
  assert.equal(lines.length, 200);
  assert.equal(lines[0], 'line 4802');
  assert.equal(lines[199], 'end');
  assert.ok((lines[198]?.length ?? 0) < 2100);
});

test('A character cut by a chunk and a secret cut by a chunk are seen whole', () => {
  const tail = new StderrTail(['s3cr3t-ü-value']);
  for (const byte of Buffer.from('a 🧭 s3cr3t-ü-value b\n')) tail.push(Buffer.from([byte]));
  assert.equal(tail.text(), 'a 🧭 ••• b');
});

test('A line is cut where no secret is cut, wherever that stands', () => {
  const secrets = ['s3cr3t-value-of-mine', 'correct horse battery', 'ghp_abcdefghij0123456789'];
  for (const secret of secrets) {
    for (let before = 1960; before <= 2005; before += 1) {
      const tail = new StderrTail(secrets.slice(0, 2));
      const start = '.... '
        .repeat(before / 5)
        .padEnd(before, '.')
        .slice(0, before - 1);
      // In two chunks, so that the line is cut before its end has come.
      tail.push(Buffer.from(`${start} ${secret}`));
      tail.push(Buffer.from(` - - -\n${'x'.repeat(before)}\n`));
      const [line = '', run = ''] = tail.text().split('\n');
      assert.doesNotMatch(line, /[a-z0-9]/, `${secret} at ${before}`);
      assert.ok(line.length > 1900);
      assert.equal(run, before <= 2000 ? 'x'.repeat(before) : ' …');
    }
  }
});

test('Of a flood some lines of each second are logged, and how many were left out', () => {
  let now = 0;
  const logged: string[] = [];
  const tail = new StderrTail(['s3cr3t-value'], {
    onLine: (line) => logged.push(line),
    now: () => now,
  });
  tail.push(Buffer.from('with s3cr3t-value\n'.repeat(100_000)));
  assert.equal(logged.length, 200);
  assert.ok(logged.every((line) => line === 'with •••'));
  now = 1000;
  tail.push(Buffer.from('calm again\n'));
  assert.deepEqual(logged.slice(200), ['(99800 lines were left out)', 'calm again']);
  tail.end();
  assert.equal(logged.length, 202);
  assert.equal(tail.text().split('\n').at(-1), 'calm again');
});

test('A long run of what could begin a token is read in one go', () => {
  // Started anew at each dash this would take hours.
  const text = 'eyJ-'.repeat(200_000);
  assert.equal(maskSecrets(text), text);
});
