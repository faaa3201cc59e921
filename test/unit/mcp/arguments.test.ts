import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { array, enum as enumOf, number, object, optional } from 'zod/mini';
import { defineTool } from '../../../src/mcp/defineTool';
import type { ToolInput } from '../../../src/mcp/inputTypes';
import { type Answer, createBench, serverWith } from './routerFixture';

function callerFor(input: ToolInput): (args: unknown) => Promise<Answer> {
  const tool = defineTool({ name: 'find', description: '', input, run: (value) => value });
  const { call } = createBench([serverWith('x', tool)]);
  return (args) => call('x', 'find', args);
}

/** The lines under the headline, each about one field. */
function lines(answer: Answer): string[] {
  assert.equal(answer.error?.code, -32602, JSON.stringify(answer).slice(0, 300));
  const [headline, ...rest] = answer.error.message.split('\n');
  assert.equal(headline, "Invalid arguments for tool 'find':");
  return rest;
}

function value(answer: Answer): unknown {
  assert.equal(answer.error, undefined);
  return JSON.parse(answer.result?.content?.[0]?.text ?? 'null');
}

const asSchema = {
  type: 'object',
  properties: { paths: { type: 'array' }, limit: { type: 'integer' }, note: { type: 'string' } },
  required: ['paths'],
} as const;
const asZod = {
  paths: z.array(z.string()),
  limit: z.int().optional(),
  note: z.string().optional(),
};

for (const [kind, input] of [
  ['JSON Schema', asSchema],
  ['zod', asZod],
] as const) {
  test(`T15 with ${kind}: JSON text is read where no text is wanted, everything else is told by field`, async () => {
    const call = callerFor(input);
    assert.deepEqual(value(await call({ paths: '["src/a b.ts"]', limit: '10', note: '[1,2]' })), {
      paths: ['src/a b.ts'],
      limit: 10,
      note: '[1,2]',
    });
    assert.deepEqual(value(await call('{"paths":["whole as text"]}')), {
      paths: ['whole as text'],
    });
    assert.deepEqual(lines(await call({ paths: 'not json' })), [
      'paths: expected array, received string "not json"',
    ]);
    assert.deepEqual(lines(await call({ paths: '{"a":1}' })), [
      'paths: expected array, received string "{\\"a\\":1}"',
    ]);
    assert.deepEqual(lines(await call({})), ['paths: expected array, received nothing']);
    assert.deepEqual(lines(await call(undefined)), ['paths: expected array, received nothing']);
    for (const [args, received] of [
      [null, 'null'],
      [[1], 'array of 1'],
      [5, 'number 5'],
    ] as const) {
      assert.equal(lines(await call(args))[0], `arguments: expected object, received ${received}`);
    }
    assert.deepEqual(lines(await call({ paths: [], pathz: 1 })), [
      'pathz: expected one of the fields paths, limit, note, received number 1',
    ]);
    const huge = 'x'.repeat(2 * 1024 * 1024);
    const [paths, limit] = lines(await call({ paths: huge, limit: huge }));
    assert.equal(paths, 'paths: expected array, received string of 2097152 characters');
    assert.match(limit ?? '', /^limit: expected (integer|number), received string of 2097152 char/);
    assert.deepEqual(value(await call({ paths: [], note: huge })), { paths: [], note: huge });
    assert.deepEqual(lines(await call({ paths: [], limit: 1.5 })), [
      'limit: expected integer, received number 1.5',
    ]);
  });
}

const range = { type: 'object', properties: { end: { type: 'integer' } } };
const nestedSchema = {
  type: 'object',
  properties: {
    filters: { type: 'array', items: { type: 'object', properties: { range } } },
    mode: { enum: ['a', 'b'] },
    size: { type: 'number', minimum: 1 },
  },
} as const;
const nestedZod = object({
  filters: optional(array(object({ range: object({ end: number() }) }))),
  mode: optional(enumOf(['a', 'b'])),
  size: optional(number()),
});

test('S14: a wrong type deep inside is told with its whole path', async () => {
  for (const input of [nestedSchema, nestedZod]) {
    const filters = [{ range: { end: 1 } }, { range: { end: 2 } }, { range: { end: 'z' } }];
    const answer = lines(await callerFor(input)({ filters, mode: 'c' }));
    assert.match(
      answer[0] ?? '',
      /^filters\[2\]\.range\.end: expected (integer|number), received string "z"$/,
    );
    assert.equal(answer[1], 'mode: expected one of "a", "b", received string "c"');
  }
});

test('keys of every object’s prototype are ordinary keys and pollute nothing', async () => {
  const args = JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":2,"toString":"x","a":"1"}',
  ) as unknown;
  const open = callerFor({
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: true,
  });
  assert.equal(JSON.stringify(value(await open(args))), JSON.stringify(args));
  const closed = lines(await callerFor({ a: z.string() })(args));
  assert.equal(closed.length, 3);
  const named = callerFor({ constructor: z.number(), toString: z.string() });
  assert.deepEqual(lines(await named({})), [
    'constructor: expected number, received nothing',
    'toString: expected string, received nothing',
  ]);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('a tool without fields takes whatever a model puts there', async () => {
  assert.deepEqual(value(await callerFor({})({ random_string: 'dummy' })), {});
});

test('defaults, refinements and asynchronous checks of zod are kept', async () => {
  const call = callerFor({
    count: z.number().min(1).max(5).default(2),
    word: z.string().refine((text) => Promise.resolve(text !== 'bad'), 'a good word'),
    code: z.string().regex(/^\d+$/).optional(),
    list: z.array(z.string()).max(1).optional(),
  });
  assert.deepEqual(value(await call({ word: 'ok' })), { count: 2, word: 'ok' });
  assert.deepEqual(lines(await call({ word: 'bad' })), [
    'word: expected a good word, received string "bad"',
  ]);
  assert.deepEqual(lines(await call({ word: 'ok', count: 9, code: 'x', list: ['a', 'b'] })), [
    'count: expected number at most 5, received number 9',
    'code: expected text matching /^\\d+$/, received string "x"',
    'list: expected array at most 1 items long, received array of 2',
  ]);
});

test('a choice is told by the branch that was meant, else by all kinds', async () => {
  const call = callerFor({
    place: z.union([z.object({ line: z.number() }), z.string()]),
  });
  assert.deepEqual(lines(await call({ place: { line: 'x' } })), [
    'place.line: expected number, received string "x"',
  ]);
  assert.deepEqual(lines(await call({ place: true })), [
    'place: expected object or string, received boolean true',
  ]);
});

test('the keywords of JSON Schema are checked', async () => {
  const cases: [unknown, unknown, string | undefined][] = [
    [{ type: 'string', minLength: 2 }, 'a', 'text of at least 2 characters'],
    [{ type: 'string', pattern: '^a' }, 'b', 'text matching ^a'],
    [{ type: ['string', 'null'] }, null, undefined],
    [{ type: ['string', 'null'] }, 5, 'string or null'],
    [{ minimum: 1 }, 0, 'at least 1'],
    [{ maximum: 1 }, 2, 'at most 1'],
    [{ exclusiveMinimum: 1 }, 1, 'more than 1'],
    [{ exclusiveMaximum: 1 }, 1, 'less than 1'],
    [{ multipleOf: 0.1 }, 0.3, undefined],
    [{ multipleOf: 2 }, 3, 'a multiple of 2'],
    [{ const: 'x' }, 'y', '"x"'],
    [{ enum: [{ a: 1 }] }, { a: 1 }, undefined],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'array of at most 1 items'],
    [{ type: 'array', uniqueItems: true }, [1, 1], 'array without repeats'],
    [{ type: 'object', minProperties: 1 }, {}, 'object of at least 1 fields'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, 'string or number'],
    [
      { oneOf: [{ type: 'number' }, { type: 'integer' }] },
      1,
      'a value that fits exactly one choice',
    ],
    [{ allOf: [{ type: 'number' }, { minimum: 3 }] }, 1, 'at least 3'],
    [{ not: { type: 'string' } }, 'x', 'another value'],
    [
      { if: { type: 'string' }, then: { minLength: 3 }, else: { minimum: 9 } },
      'ab',
      'text of at least 3 characters',
    ],
    [{ if: { type: 'string' }, then: { minLength: 3 }, else: { minimum: 9 } }, 1, 'at least 9'],
    [{ $ref: '#/$defs/id' }, 'x', 'integer'],
    [{ $ref: 'https://example.invalid/s' }, 'x', undefined],
    [{ $ref: '#/$defs/loop' }, 'x', undefined],
    [false, 1, 'nothing'],
  ];
  for (const [schema, given, expected] of cases) {
    const call = callerFor({
      type: 'object',
      properties: { f: schema },
      $defs: { id: { type: 'integer' }, loop: { $ref: '#/$defs/loop' } },
    });
    const answer = await call({ f: given });
    const text = answer.error === undefined ? undefined : lines(answer)[0];
    const line = expected === undefined ? undefined : `f: expected ${expected}, received`;
    assert.equal(text?.slice(0, line?.length), line, JSON.stringify(schema));
  }
});

test('references that multiply end in a refusal, not in a standstill', async () => {
  const twice = [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }];
  const call = callerFor({
    type: 'object',
    properties: { f: { $ref: '#/$defs/a' } },
    $defs: { a: { anyOf: twice, oneOf: twice } },
  });
  assert.equal(lines(await call({ f: 1 })).length, 1);
});

test('many faults are told in a bounded text', async () => {
  const call = callerFor({ list: z.array(z.string()) });
  const answer = lines(await call({ list: Array.from({ length: 1000 }, () => 5) }));
  assert.equal(answer.length, 21);
  assert.equal(answer[20], '… and 980 more');
});
