import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { z } from 'zod';
import { array, enum as enumOf, number, object, optional } from 'zod/mini';
import { callerFor, lines, value } from './argumentCaller';

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

const UNIQUE = { type: 'array', uniqueItems: true };
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

test('zod of another copy is as good as ours, with what is asynchronous in it, and a fault stays a fault', async () => {
  // The package has two builds, whose classes know nothing of each other.
  const { z: other } = createRequire(import.meta.url)('zod') as { z: typeof z };
  assert.notEqual(other.core.$ZodAsyncError, z.core.$ZodAsyncError);
  const late = (zod: typeof z) =>
    zod.string().refine((text) => Promise.resolve(text !== 'bad'), 'a good word');
  for (const [name, input] of [
    ['ours', { word: late(z) }],
    ['a shape of the other', { word: late(other) }],
    ['an object of the other', other.object({ word: late(other) })],
    ['the other inside ours', z.object({ word: late(other) })],
    ['ours inside the other', other.object({ word: late(z) })],
  ] as const) {
    const call = callerFor(input);
    assert.deepEqual(value(await call({ word: 'ok' })), { word: 'ok' }, name);
    assert.deepEqual(
      lines(await call({ word: 'bad' })),
      ['word: expected a good word, received string "bad"'],
      name,
    );
    assert.match(lines(await call({ word: 5 }))[0] ?? '', /^word: expected string/, name);
  }
  for (const zod of [z, other]) {
    const call = callerFor({ word: zod.string().refine((text) => JSON.parse(text) === 1) });
    assert.equal((await call({ word: 'no json' })).error?.code, -32603);
  }
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
    [{ multipleOf: 1e9 }, 1, 'a multiple of 1000000000'],
    [{ multipleOf: 1e10 }, 1, 'a multiple of 10000000000'],
    [{ multipleOf: 1e9 }, 3e9, undefined],
    [{ maxLength: 2 }, '🧭🧭', undefined],
    [{ maxLength: 2 }, '🧭🧭🧭', 'text of at most 2 characters'],
    [{ minLength: 2 }, '🧭', 'text of at least 2 characters'],
    [{ propertyNames: { pattern: '^a' } }, { ab: 1 }, undefined],
    [{ propertyNames: false }, {}, undefined],
    [{ contains: { const: 5 } }, [1, 5], undefined],
    [{ contains: { const: 5 } }, [1], 'array of at least 1 items that it must contain'],
    [
      { contains: { const: 5 }, minContains: 2 },
      [5, 1],
      'array of at least 2 items that it must contain',
    ],
    [{ contains: { const: 5 }, minContains: 0 }, [], undefined],
    [
      { contains: { const: 5 }, maxContains: 1 },
      [5, 5],
      'array of at most 1 items that it must contain',
    ],
    [{ contains: false }, 'no array', undefined],
    [{ const: 'x' }, 'y', '"x"'],
    [{ enum: [{ a: 1 }] }, { a: 1 }, undefined],
    [{ enum: [{ a: 1, b: [{ c: 1, d: 2 }] }] }, { b: [{ d: 2, c: 1 }], a: 1 }, undefined],
    [{ const: { a: 1, b: 2 } }, { b: 2, a: 2 }, '{"a":1,"b":2}'],
    [
      UNIQUE,
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'array without repeats',
    ],
    [
      UNIQUE,
      [
        [1, 2],
        [2, 1],
      ],
      undefined,
    ],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'array of at most 1 items'],
    [UNIQUE, [1, 1], 'array without repeats'],
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
    [false, 1, 'another value'],
    [{ allOf: [false] }, 1, 'nothing'],
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

test('a key that may not be called so is named with what it must be', async () => {
  const call = callerFor({
    type: 'object',
    properties: { f: { type: 'object', propertyNames: { pattern: '^a', maxLength: 2 } } },
  });
  assert.deepEqual(lines(await call({ f: { ab: 1, abc: 2, b: 3 } })), [
    'f.abc: expected a name that is text of at most 2 characters, received string "abc"',
    'f.b: expected a name that is text matching ^a, received string "b"',
  ]);
});

/** `{next: {next: … last}}`, so many levels. */
function nested(levels: number, last: unknown): unknown {
  let value = last;
  for (let level = 0; level < levels; level += 1) value = { next: value };
  return value;
}

const numberOrMore = ['object', 'number'];
const recursive = {
  object: { type: numberOrMore, properties: { next: { $ref: '#/$defs/e' } } },
  others: { type: numberOrMore, additionalProperties: { allOf: [{ $ref: '#/$defs/e' }] } },
  oneOf: {
    oneOf: [
      { type: 'number' },
      { type: 'object', properties: { next: { $ref: '#/$defs/e' } }, required: ['next'] },
    ],
  },
  anyOf: {
    anyOf: [
      { type: 'number' },
      { type: 'object', patternProperties: { '^n': { $ref: '#/$defs/e' } } },
    ],
  },
  if: {
    if: { type: 'number' },
    else: { type: 'object', properties: { next: { $ref: '#/$defs/e' } } },
  },
};

for (const [kind, e] of Object.entries(recursive)) {
  test(`however deep a value goes, a schema that refers to itself by ${kind} is checked to its end or refused`, async () => {
    const call = callerFor({
      type: 'object',
      properties: { f: { $ref: '#/$defs/e' } },
      required: ['f'],
      $defs: { e },
    });
    for (const levels of [1, 5, 20, 37, 38, 39, 40, 55, 58, 59, 60, 61, 80, 100]) {
      const good = { f: nested(levels, 1) };
      assert.deepEqual(value(await call(good)), good, `${levels}`);
      const told = lines(await call({ f: nested(levels, 'no number') }));
      assert.match(told[0] ?? '', /next: expected .*, received string "no number"$/, `${levels}`);
    }
    // Deeper than anything that is meant: never passed unseen, never a fault of ours.
    for (const levels of [200, 1000, 3000]) {
      const told = lines(await call({ f: nested(levels, 'no number') }));
      assert.equal(told.length, 1, `${levels}`);
    }
  });
}

test('a list that must contain itself is checked to its end, too', async () => {
  const call = callerFor({
    type: 'object',
    properties: { f: { $ref: '#/$defs/e' } },
    $defs: { e: { type: ['array', 'number'], contains: { $ref: '#/$defs/e' } } },
  });
  for (const levels of [1, 30, 59, 90, 110, 300]) {
    let [good, bad]: unknown[] = [1, 'no number'];
    for (let level = 0; level < levels; level += 1) [good, bad] = [[good], [bad]];
    if (levels < 200) assert.deepEqual(value(await call({ f: good })), { f: good }, `${levels}`);
    assert.equal(lines(await call({ f: bad })).length, 1, `${levels}`);
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
