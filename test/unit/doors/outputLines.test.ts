import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutputLines } from '../../../src/doors/outputLines';

const SECRET = 'VerySecretValueOfTheCompany0123456789ABC';

/** What is shown of an output that comes in these pieces. */
function shown(pieces: readonly Uint8Array[]): readonly string[] {
  const told: string[] = [];
  const mask = (line: string): string => line.replaceAll(SECRET, '•••');
  const lines = new OutputLines(mask, (line) => told.push(line));
  for (const piece of pieces) lines.push(piece);
  lines.end();
  return told;
}

test('wherever an output is torn, its lines are the same, and no part of a secret is in them', () => {
  const text = `one ${SECRET}\r\n\n  \nnörth 🧭 ${SECRET}${SECRET}\nlast ${SECRET}`;
  const bytes = Buffer.from(text);
  const whole = ['one •••', 'nörth 🧭 ••••••', 'last •••'];
  for (let at = 0; at <= bytes.length; at += 1) {
    assert.deepEqual(shown([bytes.subarray(0, at), bytes.subarray(at)]), whole, `torn at ${at}`);
  }
  assert.deepEqual(shown([...bytes].map((byte) => Buffer.of(byte))), whole);
});

test('a line is cut after its secrets are taken out, wherever they stand in it', () => {
  for (let before = 400; before <= 520; before += 1) {
    const [line = ''] = shown([Buffer.from(`${'x'.repeat(before)}${SECRET}\n`)]);
    assert.equal(line, `${'x'.repeat(before)}•••`.slice(0, 500));
  }
  // What was cut off for its length alone could be the rest of a secret.
  for (const size of [65_500, 65_530, 65_536, 65_537, 5_000_000]) {
    const piece = Buffer.from(`${SECRET} `.repeat(100));
    const pieces = Array.from({ length: Math.ceil(size / piece.length) }, () => piece);
    const told = shown([...pieces, Buffer.from('\nnext')]);
    assert.equal(told.length, 2);
    assert.match(told[0] ?? '', /^(••• )+(•+)?$|^\(a line of more than 65536 characters\)$/);
    assert.equal(told[1], 'next');
  }
});
