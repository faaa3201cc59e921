import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  array,
  boolean,
  enum as oneOf,
  literal,
  nullable,
  nullish,
  number,
  object,
  optional,
  pipe,
  record,
  string,
  transform,
  union,
  unknown,
} from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import * as controlResults from '../../../src/protocol/controlResults';
import {
  detail,
  fit,
  jsonObject,
  nullableDetail,
  type LazySchema,
} from '../../../src/protocol/lazySchema';
import { permissionUpdate } from '../../../src/protocol/permissions';
import { MISFIT, quickSchema } from '../../../src/base/quickSchema';
import { knownDeltaMessageSchema } from '../../../src/protocol/streamEvents';
import { hostileValue, lineOf } from '../protocol/hostileJson';
import { assertSameVerdict } from './sameVerdict';

interface Made {
  readonly schema: $ZodType;
  /** Mostly of a fitting value. */
  readonly value: fc.Arbitrary<unknown>;
}

const leaf = fc.constantFrom<Made>(
  { schema: string(), value: fc.constantFrom('', 'a', '__proto__') },
  { schema: number(), value: fc.oneof(fc.integer(), fc.double()) },
  { schema: boolean(), value: fc.boolean() },
  { schema: literal(['a', 1]), value: fc.constantFrom('a', 1, 'b') },
  { schema: oneOf(['a', 'b']), value: fc.constantFrom('a', 'b', 'toString') },
  { schema: unknown(), value: fc.anything({ maxDepth: 1 }) },
  { schema: jsonObject(), value: fc.dictionary(fc.string(), fc.integer()) },
);

/** What has a part; each kind of construct that the protocol's schemas are made of. */
const wrappers: readonly ((part: Made) => Made)[] = [
  ({ schema, value }) => ({
    schema: optional(schema),
    value: fc.option(value, { nil: undefined }),
  }),
  ({ schema, value }) => ({ schema: nullable(schema), value: fc.option(value) }),
  ({ schema, value }) => ({ schema: nullish(schema), value: fc.option(value) }),
  ({ schema, value }) => ({ schema: detail(schema), value }),
  ({ schema, value }) => ({ schema: nullableDetail(schema), value: fc.option(value) }),
  ({ schema, value }) => ({ schema: array(schema), value: fc.array(value, { maxLength: 3 }) }),
  ({ schema, value }) => ({
    schema: record(string(), schema),
    value: fc.dictionary(fc.constantFrom('a', '1', 'constructor', '__proto__'), value),
  }),
  ({ schema, value }) => ({
    schema: pipe(
      schema,
      transform((read: unknown) => ({ read })),
    ),
    value,
  }),
];

const keys = ['a', 'b', 'type'] as const;

function objectOf(parts: readonly Made[]): Made {
  const fields = parts.slice(0, keys.length).map((part, at) => [keys[at] ?? 'z', part] as const);
  return {
    schema: object(Object.fromEntries(fields.map(([key, { schema }]) => [key, schema]))),
    value: fc.record(
      { ...Object.fromEntries(fields.map(([key, part]) => [key, part.value])), z: fc.integer() },
      { requiredKeys: [] },
    ),
  };
}

const { schemas } = fc.letrec<{ schemas: Made }>((tie) => ({
  schemas: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.tuple(fc.constantFrom(...wrappers), tie('schemas')).map(([wrap, part]) => wrap(part)),
    fc.array(tie('schemas'), { minLength: 1, maxLength: 3 }).map(objectOf),
    fc.tuple(tie('schemas'), tie('schemas')).map(([one, two]) => ({
      schema: union([one.schema, two.schema]),
      value: fc.oneof(one.value, two.value),
    })),
  ),
}));

test('Any schema of the constructs in use is read quickly as zod reads it, whatever comes', () => {
  const pair = schemas.chain(({ schema, value }) =>
    fc.tuple(
      fc.constant(schema),
      fc.array(fc.oneof({ weight: 3, arbitrary: value }, hostileValue), {
        minLength: 3,
        maxLength: 6,
      }),
    ),
  );
  let read = 0;
  let refused = 0;
  fc.assert(
    fc.property(pair, ([schema, values]) => {
      for (const value of values) {
        if (quickSchema(schema) === undefined) return;
        if (assertSameVerdict(schema, value)) read += 1;
        else refused += 1;
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(read > 200 && refused > 200, `${read} read, ${refused} refused`);
});

test('Every schema that is read as a whole is known to the quick reading, so that zod only finds words', () => {
  const exported = Object.entries(controlResults).flatMap(([name, value]) =>
    typeof value === 'function' ? [[name, value as LazySchema] as const] : [],
  );
  assert.ok(exported.length > 8);
  for (const [name, schema] of [
    ...exported,
    ...Object.entries(controlResults.controlResponseBodies),
    ['permissionUpdate', permissionUpdate] as const,
    ['knownDelta', knownDeltaMessageSchema] as const,
  ]) {
    assert.notEqual(quickSchema(schema()), undefined, name);
    fc.assert(
      fc.property(hostileValue, (value) => {
        const given: unknown = JSON.parse(lineOf(value));
        assertSameVerdict(schema(), given);
        assert.equal(fit(schema(), given).ok, quickSchema(schema())?.(given) !== MISFIT);
      }),
      { numRuns: 40 },
    );
  }
});
