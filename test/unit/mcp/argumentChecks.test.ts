import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import type { ToolInput } from '../../../src/mcp/inputTypes';
import { callerFor, lines, value } from './argumentCaller';

const num = { type: 'number' };
/** Two objects that only differ by what they need, and two that a word tells apart. */
const kinds: readonly (readonly [string, ToolInput, ToolInput])[] = [
  [
    'zod 4',
    { it: z.union([z.object({ a: z.number() }), z.object({ b: z.number() })]) },
    {
      it: z.union([
        z.object({ k: z.literal('a'), n: z.number() }),
        z.object({ k: z.literal('b'), m: z.number() }),
      ]),
    },
  ],
  [
    'zod 3',
    { it: z3.union([z3.object({ a: z3.number() }), z3.object({ b: z3.number() })]) },
    {
      it: z3.union([
        z3.object({ k: z3.literal('a'), n: z3.number() }),
        z3.object({ k: z3.literal('b'), m: z3.number() }),
      ]),
    },
  ],
  [
    'JSON Schema',
    choiceOf(
      { properties: { a: num }, required: ['a'] },
      { properties: { b: num }, required: ['b'] },
    ),
    choiceOf(
      { properties: { k: { const: 'a' }, n: num }, required: ['k', 'n'] },
      { properties: { k: { const: 'b' }, m: num }, required: ['k', 'm'] },
    ),
  ],
];

function choiceOf(...choices: readonly object[]): ToolInput {
  const anyOf = choices.map((one) => ({ type: 'object', ...one }));
  return { type: 'object', properties: { it: { anyOf } } };
}

for (const [kind, needs, words] of kinds) {
  test(`S14: of several objects each line of ${kind} says what is wrong, and never "expected object, received object"`, async () => {
    assert.deepEqual(lines(await callerFor(needs)({ it: { a: 'x' } })), [
      'it: expected object with a: number or object with b: number, received object',
    ]);
    assert.deepEqual(lines(await callerFor(words)({ it: { k: 'a', n: 'x' } })), [
      'it.n: expected number, received string "x"',
    ]);
  });
}

test('what zod wants of texts, names and kinds is told in words that a model can follow', async () => {
  const call = callerFor({
    start: z.string().startsWith('ab').optional(),
    end: z.string().endsWith('z').optional(),
    part: z.string().includes('-').optional(),
    form: z.templateLiteral(['v', z.int()]).optional(),
    names: z.record(z.string().regex(/^a/), z.number()).optional(),
    none: z.never().optional(),
    kind: z
      .discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })])
      .optional(),
  });
  const given = {
    start: 'x',
    end: 'x',
    part: 'x',
    form: 'x',
    names: { b: 1 },
    none: 1,
    kind: { k: 'c' },
  };
  assert.deepEqual(
    lines(await call(given)).map((line) => line.replace(/, received .*/u, '')),
    [
      'start: expected text that starts with "ab"',
      'end: expected text that ends with "z"',
      'part: expected text that holds "-"',
      'form: expected text matching ^v-?\\d+$',
      'names.b: expected a name that is text matching /^a/',
      'none: expected no such field',
      'kind.k: expected one of "a", "b"',
    ],
  );
});

test('a check of the author’s own that throws is told as such, and the tool is not run', async () => {
  const boom = (): never => {
    throw new Error('boom');
  };
  for (const field of [
    z.string().refine(boom),
    z.string().transform(boom),
    z
      .string()
      .refine(() => Promise.resolve(true))
      .transform(boom),
    z3.string().transform(boom),
  ]) {
    const { error } = await callerFor({ f: field })({ f: 'x' });
    assert.deepEqual(error, { code: -32603, message: 'tools/call failed: boom' });
  }
});

test('a check that takes its time is made once a call, once that is known', async () => {
  const checked: string[] = [];
  const exists = (name: string): Promise<boolean> => {
    checked.push(name);
    return Promise.resolve(true);
  };
  const call = callerFor({ f: z.string().refine(exists) });
  await call({ f: 'first' });
  for (const name of ['a', 'b', 'c']) await call({ f: name });
  assert.deepEqual(
    checked.filter((name) => name !== 'first'),
    ['a', 'b', 'c'],
  );
});

test('fields whose names fit a pattern are fields, also where no others are allowed', async () => {
  const call = callerFor({
    type: 'object',
    properties: { a: num },
    patternProperties: { '^x-': num },
    additionalProperties: false,
  });
  assert.deepEqual(value(await call({ a: 1, 'x-b': 2 })), { a: 1, 'x-b': 2 });
  assert.deepEqual(lines(await call({ 'x-b': 'no', y: 1 })), [
    'y: expected one of the fields a, received number 1',
    'x-b: expected number, received string "no"',
  ]);
});

test('what follows from other fields, or is said of all the rest, is checked in every draft', async () => {
  const properties = { a: num, b: num };
  const whole = { allOf: [{ properties: { a: num } }], anyOf: [{ properties: { b: num } }] };
  const rest = { ...whole, patternProperties: { '^x': num }, unevaluatedProperties: false };
  const cases: readonly (readonly [object, object, string | undefined])[] = [
    [{ properties, dependentRequired: { a: ['b'] } }, { a: 1 }, 'it.b: expected number'],
    [{ properties, dependentRequired: { a: ['b'] } }, { b: 1 }, undefined],
    [{ properties, dependencies: { a: ['b'] } }, { a: 1 }, 'it.b: expected number'],
    [
      { properties, dependentSchemas: { a: { required: ['b'] } } },
      { a: 1 },
      'it.b: expected a value',
    ],
    [{ properties, dependencies: { a: { required: ['b'] } } }, { a: 1 }, 'it.b: expected a value'],
    [{ properties, dependencies: { a: false } }, { a: 1 }, 'it: expected nothing'],
    [rest, { a: 1, b: 2, x: 3 }, undefined],
    [rest, { a: 1, c: 2 }, 'it.c: expected no such field'],
    [{ ...whole, unevaluatedProperties: { type: 'string' } }, { c: 2 }, 'it.c: expected string'],
    [
      {
        if: { properties: { a: { const: 1 } } },
        then: { properties: { c: num } },
        unevaluatedProperties: false,
      },
      { a: 1, c: 2 },
      undefined,
    ],
    [
      { $ref: '#/$defs/named', unevaluatedProperties: false },
      { z: 1, c: 2 },
      'it.c: expected no such field',
    ],
    [{ $ref: '#there' }, { z: 'x' }, 'it.z: expected number'],
  ];
  for (const [schema, it, expected] of cases) {
    const $defs = { named: { $anchor: 'there', properties: { z: num } } };
    const answer = await callerFor({ type: 'object', properties: { it: schema }, $defs })({ it });
    const [line] = answer.error === undefined ? [] : lines(answer);
    assert.equal(line?.replace(/, received .*/u, ''), expected, JSON.stringify(schema));
  }
  const root = callerFor({ type: 'object', properties, unevaluatedProperties: false });
  assert.deepEqual(lines(await root({ c: 1 })), ['c: expected no such field, received number 1']);
});

test('what zod asks of the names in a map is asked, and what it makes of them is taken', async () => {
  const call = callerFor({
    f: z.record(z.string().regex(/^a/), z.number()).optional(),
    g: z.record(z.string().toLowerCase(), z.number()).optional(),
  });
  assert.equal(lines(await call({ f: { b: 1 } })).length, 1);
  assert.deepEqual(value(await call({ f: { ab: 1 }, g: { B: 1 } })), { f: { ab: 1 }, g: { b: 1 } });
});
