import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codePointLength } from '../../../src/base/codePointLength';

test('the length of a text is what its iterator gives, halves of pairs included', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
      (text) => {
        assert.equal(codePointLength(text), Array.from(text).length);
      },
    ),
    { examples: [['a\u{1f600}ä€'], ['\ud83d'], ['\ude00\ud83d'], ['\ud83d\ud83d\ude00']] },
  );
});
