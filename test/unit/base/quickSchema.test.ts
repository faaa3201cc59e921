import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  array,
  boolean,
  email,
  literal,
  nullish,
  number,
  object,
  optional,
  pipe,
  record,
  regex,
  string,
  toLowerCase,
  transform,
  union,
  unknown,
} from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import {
  assistantSchema,
  resultSchema,
  userSchema,
} from '../../../src/protocol/conversationMessages';
import { detail, jsonObject, nullableDetail } from '../../../src/protocol/lazySchema';
import { MISFIT, quickDataSchema, quickSchema } from '../../../src/base/quickSchema';
import { assertSameVerdict } from './sameVerdict';

/** Every construct that the protocol's schemas are made of. */
const everything = object({
  type: literal('all'),
  needed: string(),
  anything: unknown(),
  maybe: optional(number()),
  flag: detail(boolean()),
  reason: nullableDetail(string()),
  parent: nullish(string()),
  raw: detail(jsonObject()),
  list: detail(array(object({ name: string(), size: detail(number()) }))),
  table: detail(record(string(), object({ count: detail(number()) }))),
  either: optional(union([string(), array(number())])),
  made: pipe(
    optional(unknown()),
    transform((value: unknown) => (Array.isArray(value) ? value.length : undefined)),
  ),
});

const schemas: Readonly<Record<string, $ZodType>> = {
  everything,
  assistant: assistantSchema(),
  user: userSchema(),
  result: resultSchema(),
};

/** Objects with the schema's own keys, each with a value that fits, nearly fits, or is anything. */
function valuesOf(schema: $ZodType): fc.Arbitrary<unknown> {
  const { shape } = (schema as typeof everything)._zod.def;
  const text = fc.constantFrom('', 'a', 'assistant', 'user', 'result', 'all');
  const block = fc.record({
    type: fc.constantFrom('text', 'tool_use'),
    text,
    id: text,
    name: text,
  });
  const small = fc.oneof(
    text,
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(null, undefined, Number.NaN, Infinity),
    fc.array(fc.oneof(text, block), { maxLength: 2 }),
    fc.dictionary(text, fc.oneof(fc.integer(), text, fc.dictionary(text, fc.integer()))),
    fc.record({ content: fc.oneof(text, fc.array(block, { maxLength: 2 })), id: text, role: text }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const kind = String([...shape.type._zod.values][0]);
  const keys = Object.fromEntries(Object.keys(shape).map((key) => [key, small]));
  return fc
    .record({ ...keys, other: small }, { requiredKeys: [] })
    .chain((value) => fc.constantFrom(value, { ...value, type: kind, subtype: 'a', needed: 'b' }))
    .map((value) => ({ message: { content: 'a' }, anything: 1, ...value }));
}

for (const [name, schema] of Object.entries(schemas)) {
  test(`the quick reading of ${name} gives what zod gives, whatever comes`, () => {
    assert.notEqual(quickSchema(schema), undefined);
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        assertSameVerdict(schema, value);
      }),
      { numRuns: 400 },
    );
    for (const odd of [null, undefined, 1, 'a', [], [[]], {}]) assertSameVerdict(schema, odd);
  });
}

test('what fits is read quickly, also with an own __proto__ key inside', () => {
  const value: unknown = JSON.parse(
    '{"type":"all","needed":"a","anything":null,"maybe":1,"raw":{"__proto__":{"x":1}},"table":{"__proto__":{"count":1},"a":{"count":2}},"list":[{"name":"n","size":"wrong"}],"extra":1}',
  );
  assert.notEqual(quickSchema(everything)?.(value), MISFIT);
  assertSameVerdict(everything, value);
});

test('a needed field that is missing, and one of the wrong type, are left to zod', () => {
  const quick = quickSchema(everything)!;
  assert.equal(quick({ type: 'all', needed: 'a' }), MISFIT);
  assert.equal(quick({ type: 'all', needed: 1, anything: 1 }), MISFIT);
  assert.equal(quick({ type: 'other', needed: 'a', anything: 1 }), MISFIT);
});

test('a schema with something in it that is not known here is left to zod as a whole', () => {
  assert.equal(quickSchema(object({ mail: email() })), undefined);
  // What is asked of names is asked as well.
  const names = string().check(regex(/^a/));
  assert.equal(quickSchema(object({ table: record(names, number()) })), undefined);
  const lower = string().check(toLowerCase());
  assert.equal(quickDataSchema(record(lower, number())), undefined);
});

test('of schemas of others only what is mere data is read here: no code of theirs, nothing that holds itself', () => {
  const text = pipe(
    string(),
    transform((value: string) => value.length),
  );
  for (const part of [text, jsonObject(), detail(string())]) {
    for (const schema of [part, array(part), object({ part }), record(string(), part)]) {
      assert.equal(quickDataSchema(schema), undefined);
      assert.notEqual(quickSchema(schema), undefined);
    }
  }
  const chain = object({
    name: string(),
    get next() {
      return optional(chain);
    },
  });
  assert.equal(quickDataSchema(chain), undefined);
  const read = quickDataSchema(object({ name: string(), size: optional(number()) }));
  assert.ok(read);
  assert.deepEqual(read({ name: 'a', more: 1 }), { name: 'a' });
  assert.equal(read({ name: 'a', size: 'b' }), MISFIT);
});
