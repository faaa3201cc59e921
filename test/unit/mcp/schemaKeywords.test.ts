import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DefinitionError } from '../../../src/mcp/definitionError';
import { normalizeSchema } from '../../../src/mcp/normalizeSchema';

test('S01: what the metaschema of 2020-12 refuses is refused by its place, at the root and below', () => {
  const odd: readonly (readonly [string, readonly unknown[]])[] = [
    ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'].map(
      (key) => [key, [-1, 1.5, '1', Number.NaN]] as const,
    ),
    ['minProperties', [-1, 0.5]],
    ['maxProperties', [-1, 0.5]],
    ['multipleOf', [0, -1, '2']],
    ['minimum', ['1', true]],
    ['uniqueItems', [1, 'yes']],
    ['deprecated', ['since 2']],
    ['readOnly', ['yes']],
    ['writeOnly', [1]],
    ['examples', ['one', { a: 1 }]],
    ['contentEncoding', [1]],
    ['contentMediaType', [1]],
    ['contentSchema', [1, { type: 'int' }]],
    ['dependentRequired', [['b'], { a: 'b' }, { a: [1] }]],
    ['dependentSchemas', [{ a: 1 }]],
    ['dependencies', [{ a: 3 }, { a: [1] }, { a: { type: 'int' } }]],
    ['patternProperties', [{ '[': {} }]],
    ['$anchor', ['1a', '', 5]],
    ['$dynamicAnchor', ['#a']],
    ['$recursiveAnchor', [true]],
    ['$dynamicRef', [1]],
    ['$id', ['x#y', 5]],
  ];
  for (const [key, values] of odd) {
    for (const value of values) {
      for (const [at, schema] of [
        ['input', { type: 'object', [key]: value }],
        [
          'input.properties.f.items',
          { type: 'object', properties: { f: { items: { [key]: value } } } },
        ],
      ] as const) {
        assert.throws(
          () => normalizeSchema(schema),
          (error) => error instanceof DefinitionError && error.message.startsWith(`${at}.${key}`),
          JSON.stringify(schema),
        );
      }
    }
  }
});

test('what stands twice in a list of names goes out once, and draft-07 goes out as 2020-12 has it', () => {
  const given = {
    type: 'object',
    properties: { a: { type: ['string', 'string', 'null'] }, b: { $ref: '#word' } },
    required: ['a', 'a'],
    dependencies: { a: ['b', 'b'], b: { required: ['a'] } },
    definitions: { word: { $id: '#word', type: 'string', multipleOf: 0.5, minLength: 0 } },
  };
  assert.deepEqual(normalizeSchema(given), {
    type: 'object',
    properties: { a: { type: ['string', 'null'] }, b: { $ref: '#word' } },
    required: ['a'],
    dependentRequired: { a: ['b'] },
    dependentSchemas: { b: { required: ['a'] } },
    definitions: { word: { $anchor: 'word', type: 'string', multipleOf: 0.5, minLength: 0 } },
  });
});
