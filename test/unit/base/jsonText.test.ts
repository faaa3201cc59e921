import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonText } from '../../../src/base/jsonText';

function nested(depth: number): unknown {
  return JSON.parse(`${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`);
}

test('What is read from JSON is written as JSON.stringify does with two spaces', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      assert.equal(jsonText(value), JSON.stringify(value, undefined, 2));
    }),
    { numRuns: 500 },
  );
  const odd: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":[],"s":"\\ud83d","n":-0}');
  assert.equal(jsonText(odd), JSON.stringify(odd, undefined, 2));
});

test('At any depth it ends, in a size that grows with the value and not with its square', () => {
  for (const depth of [20, 1000, 50_000]) {
    const text = jsonText(nested(depth));
    assert.ok(text.length < 12 * depth + 5000, `${text.length} characters for ${depth} levels`);
    // V8 reads any depth; so what is written can be read again.
    assert.equal(jsonText(JSON.parse(text)), text);
  }
});

test('Writing stops soon after the limit, and long strings inside are cut between characters', () => {
  const many = Array.from({ length: 100_000 }, () => 'word');
  assert.ok(jsonText(many, { limit: 1000 }).length < 1100);
  assert.equal(jsonText({ a: 'xy😀z' }, { stringLimit: 3 }), '{\n  "a": "xy…"\n}');
});
