import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonText } from '../../../src/base/jsonText';
import { byteCount } from '../../../src/webview/inspector/frameWords';
import { jsonParts } from '../../../src/webview/inspector/jsonParts';

test('the parts of JSON are the text again, also of one that is cut off', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, cut) => {
      const text = jsonText(value);
      for (const shown of [text, text.slice(0, cut)]) {
        assert.equal(
          jsonParts(shown)
            .map((part) => part.text)
            .join(''),
          shown,
        );
      }
    }),
  );
});

test('names, texts, numbers and words are told apart', () => {
  const text = jsonText({ a: ['x: 1', -1.5e3, true, null], 'b"': {} });
  const kinds = jsonParts(text).filter(({ kind }) => kind !== 'plain');
  assert.deepEqual(
    kinds.map((part) => `${part.kind} ${part.text}`),
    ['name "a"', 'string "x: 1"', 'number -1500', 'word true', 'word null', 'name "b\\""'],
  );
});

test('sizes are told in the unit that suits them', () => {
  assert.deepEqual([0, 1023, 1024, 9_999, 500_000, 5_000_000].map(byteCount), [
    '0 B',
    '1023 B',
    '1.0 KB',
    '9.8 KB',
    '488 KB',
    '4.8 MB',
  ]);
});
