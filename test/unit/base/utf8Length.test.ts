import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { utf8Length } from '../../../src/base/utf8Length';

test('The length of a text in bytes is what Node writes, halves of pairs included', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
      (text) => {
        assert.equal(utf8Length(text), Buffer.byteLength(text));
      },
    ),
    { examples: [['a\u{1f600}ä€'], ['\ud83d'], ['\ude00\ud83d'], ['\ud83d\ud83d\ude00']] },
  );
});
