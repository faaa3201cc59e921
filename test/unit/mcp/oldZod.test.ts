import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z4 from 'zod';
import { z } from 'zod/v3';
import { DefinitionError } from '../../../src/mcp/definitionError';
import { defineTool } from '../../../src/mcp/defineTool';
import type { ToolInput } from '../../../src/mcp/inputTypes';
import { createBench, serverWith, textOf } from './routerFixture';

function schemaOf(input: ToolInput): Record<string, unknown> {
  return defineTool({ name: 't', description: '', input, run: () => 1 }).inputSchema;
}

async function answerTo(input: ToolInput, args: unknown): Promise<string> {
  const tool = defineTool({ name: 't', description: '', input, run: (value) => value });
  const answer = await createBench([serverWith('x', tool)]).call('x', 't', args);
  return answer.error?.message ?? textOf(answer) ?? '';
}

test('greet with zod 3, as shape and as object, is on the wire exactly as with zod 4', () => {
  const shape = {
    name: z.string().describe('Whom to greet'),
    formal: z.boolean().optional().describe('With title'),
  };
  const exact =
    '{"type":"object","properties":{"name":{"type":"string","description":"Whom to greet"},"formal":{"type":"boolean","description":"With title"}},"required":["name"]}';
  for (const input of [shape, z.object(shape)])
    assert.equal(JSON.stringify(schemaOf(input)), exact);
});

test('every kind of zod 3 that JSON knows survives to the wire', () => {
  interface Node {
    value: string;
    kids?: Node[] | undefined;
  }
  const node: z.ZodType<Node> = z.lazy(() =>
    z.object({ value: z.string(), kids: z.array(node).optional() }),
  );
  const Level = { Low: 0, 0: 'Low', High: 'high' } as const;
  const schema = schemaOf({
    text: z.string().min(1).max(9).regex(/^a/),
    exact: z.string().length(3),
    mail: z.string().email(),
    count: z.number().int().min(0).max(9),
    half: z.number().gt(0).lt(1).multipleOf(0.5),
    kind: z.enum(['a', 'b']).default('a'),
    level: z.nativeEnum(Level),
    one: z.literal(1),
    list: z.array(z.string()).min(1).max(3),
    pair: z.tuple([z.string(), z.number()]),
    rest: z.tuple([z.string()]).rest(z.number()).optional(),
    map: z.record(z.number()),
    keyed: z.record(z.enum(['k']), z.boolean()),
    either: z.union([z.string(), z.number()]),
    told: z.discriminatedUnion('k', [
      z.object({ k: z.literal('a'), a: z.string() }),
      z.object({ k: z.literal('b'), b: z.number() }),
    ]),
    both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    maybe: z.string().nullable(),
    loose: z.object({}).passthrough(),
    strict: z.object({}).strict(),
    numbers: z.object({}).catchall(z.number()),
    any: z.any(),
    made: z.string().transform((text) => text.length),
    piped: z.string().pipe(z.string()),
    branded: z.string().brand('id').readonly(),
    caught: z.number().catch(1),
    tree: node,
  });
  assert.deepEqual(schema.properties, {
    text: { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' },
    exact: { type: 'string', minLength: 3, maxLength: 3 },
    mail: { type: 'string', format: 'email' },
    count: { type: 'integer', minimum: 0, maximum: 9 },
    half: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.5 },
    kind: { type: 'string', enum: ['a', 'b'], default: 'a' },
    level: { enum: [0, 'high'] },
    one: { const: 1 },
    list: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
    pair: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'number' }],
      items: false,
      minItems: 2,
    },
    rest: {
      type: 'array',
      prefixItems: [{ type: 'string' }],
      items: { type: 'number' },
      minItems: 1,
    },
    map: { type: 'object', additionalProperties: { type: 'number' } },
    keyed: {
      type: 'object',
      additionalProperties: { type: 'boolean' },
      propertyNames: { type: 'string', enum: ['k'] },
    },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    told: {
      anyOf: [
        {
          type: 'object',
          properties: { k: { const: 'a' }, a: { type: 'string' } },
          required: ['k', 'a'],
        },
        {
          type: 'object',
          properties: { k: { const: 'b' }, b: { type: 'number' } },
          required: ['k', 'b'],
        },
      ],
    },
    both: {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    loose: { type: 'object', properties: {}, additionalProperties: true },
    strict: { type: 'object', properties: {}, additionalProperties: false },
    numbers: { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
    any: {},
    made: { type: 'string' },
    piped: { type: 'string' },
    branded: { type: 'string' },
    caught: { type: 'number' },
    tree: { $ref: '#/$defs/schema0' },
  });
  assert.deepEqual(schema.$defs, {
    schema0: {
      type: 'object',
      properties: {
        value: { type: 'string' },
        kids: { type: 'array', items: { $ref: '#/$defs/schema0' } },
      },
      required: ['value'],
    },
  });
  const optional = ['kind', 'rest', 'any', 'caught'];
  const names = Object.keys(schema.properties);
  assert.deepEqual(
    schema.required,
    names.filter((name) => !optional.includes(name)),
  );
});

test('kinds that JSON does not know are refused with their place', () => {
  for (const [input, word] of [
    [{ when: z.date() }, 'ZodDate'],
    [{ deep: z.object({ big: z.bigint() }) }, 'ZodBigInt'],
    [{ run: z.function() }, 'ZodFunction'],
    [{ old: z.string(), now: z4.string() }, 'mixes kinds'],
    [{ old: { _def: {}, safeParse: () => 1 } }, 'unknown kind'],
  ] as const) {
    const make = (): unknown => schemaOf(input as unknown as ToolInput);
    assert.throws(
      make,
      (error) => error instanceof DefinitionError && error.message.includes(word),
    );
  }
});

test('arguments are checked by zod 3, with defaults, transforms and one line a field', async () => {
  const shape = {
    count: z.number().int().min(1).default(2),
    name: z.string().trim(),
    tags: z
      .array(z.enum(['a', 'b']))
      .max(2)
      .optional(),
    place: z.union([z.object({ line: z.number() }), z.string()]).optional(),
  };
  for (const input of [shape, z.object(shape)]) {
    assert.equal(await answerTo(input, { name: ' x ' }), '{"count":2,"name":"x"}');
    assert.equal(
      await answerTo(input, { name: 'x', tags: '["a"]' }),
      '{"count":2,"name":"x","tags":["a"]}',
    );
    const lines = (await answerTo(input, { count: 0.5, tags: ['c'], place: { line: 'z' }, odd: 1 }))
      .split('\n')
      .slice(1)
      .sort();
    assert.deepEqual(lines, [
      'count: expected integer, received number 0.5',
      'count: expected number at least 1, received number 0.5',
      'name: expected string, received nothing',
      'odd: expected one of the fields count, name, tags, place, received number 1',
      'place.line: expected number, received string "z"',
      'tags[0]: expected one of "a", "b", received string "c"',
    ]);
  }
  assert.match(await answerTo(z.object(shape).strict(), { name: 'x', odd: 1 }), /odd: expected/);
});

test('asynchronous checks of zod 3 are waited for', async () => {
  const word = z.string().refine((text) => Promise.resolve(text !== 'bad'), 'a good word');
  for (const input of [{ word }, z.object({ word })]) {
    assert.equal(await answerTo(input, { word: 'ok' }), '{"word":"ok"}');
    assert.match(await answerTo(input, { word: 'bad' }), /word: expected a good word/);
  }
});

test('the handler’s argument has the type of the zod 3 schema', () => {
  const tool = defineTool({
    name: 'typed',
    description: '',
    input: { count: z.number(), note: z.string().optional() },
    run: ({ count, note }) => {
      const sum: number = count + 1;
      const maybe: string | undefined = note;
      return `${sum} ${maybe ?? '-'}`;
    },
  });
  assert.deepEqual(tool.parseInput({ count: 1 }), { ok: true, value: { count: 1 } });
});
