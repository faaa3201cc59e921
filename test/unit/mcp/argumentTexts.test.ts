import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { ToolInput } from '../../../src/mcp/inputTypes';
import { callerFor, lines, value } from './argumentCaller';

const numbers = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'number' } },
  required: [name],
});

test('JSON text is read wherever the schema wants no text, however it says so', async () => {
  const point = z.object({ x: z.number() });
  const shape = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('dot'), size: z.number() }),
    z.object({ kind: z.literal('line'), closed: z.boolean() }),
  ]);
  const zods: readonly (readonly [z.ZodType, unknown, unknown])[] = [
    [point.meta({ id: 'Point' }), '{"x":1}', { x: 1 }],
    [point.meta({ id: 'Spot' }).nullable(), '{"x":"1"}', { x: 1 }],
    [z.array(z.number()).meta({ id: 'List' }), '[1,"2"]', [1, 2]],
    [z.object({ deep: z.array(point) }), { deep: ['{"x":"1"}', { x: '2' }] }, undefined],
    [z.tuple([z.boolean()]).rest(z.int()), ['true', '1', 2], [true, 1, 2]],
    [z.record(z.string(), z.int()), { a: '1', b: 2 }, { a: 1, b: 2 }],
    [z.object({ text: z.string(), n: z.int() }), { text: '1', n: '1' }, { text: '1', n: 1 }],
    [z.union([z.string(), point]), '{"x":1}', '{"x":1}'],
    [z.literal([1, 'a']).or(z.literal(2)), 'a', 'a'],
    [
      z.array(z.union([point, z.object({ y: z.number() })])),
      [{ y: '1' }, { x: '2' }],
      [{ y: 1 }, { x: 2 }],
    ],
    [shape, { kind: 'dot', size: '1' }, { kind: 'dot', size: 1 }],
    [shape, '{"kind":"line","closed":"true"}', { kind: 'line', closed: true }],
    [z.union([z.string(), z.array(z.number())]), ['1'], [1]],
    [point.and(z.object({ y: z.number() })), { x: '1', y: '2' }, { x: 1, y: 2 }],
  ];
  for (const [schema, given, wanted] of zods) {
    const told = wanted ?? { deep: [{ x: 1 }, { x: 2 }] };
    assert.deepEqual(value(await callerFor({ it: schema })({ it: given })), { it: told });
  }
  const own: readonly (readonly [object, unknown, unknown])[] = [
    [{ enum: [1, 2] }, '1', 1],
    [{ const: true }, 'true', true],
    [{ enum: [1, 'a'] }, 'a', 'a'],
    [{ allOf: [{ type: 'integer' }, { minimum: 1 }] }, '3', 3],
    [{ $ref: '#/$defs/Tree' }, '{"n":"1","below":[{"n":"2"}]}', { n: 1, below: [{ n: 2 }] }],
    [{ $ref: '#/$defs/Tree' }, { n: 1 }, { n: 1 }],
    [{ allOf: [numbers('a'), numbers('b')] }, { a: '1', b: '2' }, { a: 1, b: 2 }],
    [
      { ...numbers('a'), allOf: [numbers('b')] },
      { a: '1', b: '2' },
      { a: 1, b: 2 },
    ],
    [{ patternProperties: { '^n': { type: 'integer' } } }, { n1: '1', t: '1' }, { n1: 1, t: '1' }],
    [
      { anyOf: [numbers('a'), { type: 'null' }], properties: { b: { type: 'integer' } } },
      { a: '1', b: '2' },
      { a: 1, b: 2 },
    ],
    // Either may be meant, and one of them wants a text.
    [{ anyOf: [numbers('a'), { properties: { a: { type: 'string' } } }] }, { a: '1' }, { a: '1' }],
  ];
  const $defs = {
    Tree: {
      type: 'object',
      properties: {
        n: { type: 'integer' },
        below: { type: 'array', items: { $ref: '#/$defs/Tree' } },
      },
    },
  };
  for (const [it, given, wanted] of own) {
    const call = callerFor({ type: 'object', properties: { it }, $defs });
    assert.deepEqual(value(await call({ it: given })), { it: wanted });
  }
  const loop = callerFor({ type: 'object', properties: { it: { $ref: '#/properties/it' } } });
  assert.deepEqual(value(await loop({ it: '1' })), { it: '1' });
});

test('a schema of references that multiply stops nobody', async () => {
  for (const choice of ['anyOf', 'oneOf', 'allOf']) {
    const $defs: Record<string, object> = { d60: { type: 'integer' } };
    for (let at = 0; at < 60; at += 1) {
      const next = { $ref: `#/$defs/d${at + 1}` };
      $defs[`d${at}`] = { [choice]: [next, next], properties: { a: next, b: next } };
    }
    const started = performance.now();
    const call = callerFor({
      type: 'object',
      properties: { a: { type: 'integer' }, it: { $ref: '#/$defs/d0' } },
      $defs,
    });
    assert.deepEqual(value(await call({ a: '1' })), { a: 1 });
    await call({ it: { a: { b: {} } } });
    // Without an end to it, longer than anybody waits.
    assert.ok(performance.now() - started < 30_000);
  }
});

test('a number that cannot be kept as it is written is no number', async () => {
  const call = callerFor({
    type: 'object',
    properties: { id: { type: 'integer' }, share: { type: 'number' } },
  });
  assert.deepEqual(lines(await call({ id: '12345678901234567890', share: '1e999' })), [
    'id: expected integer, received string "12345678901234567890"',
    'share: expected number, received string "1e999"',
  ]);
  assert.deepEqual(value(await call({ id: '9007199254740991', share: '0.1' })), {
    id: 9007199254740991,
    share: 0.1,
  });
});

test('a field that is called what every object has may be left out', async () => {
  const shapes: readonly ToolInput[] = [
    { constructor: z.boolean().optional(), a: z.int() },
    { type: 'object', properties: { constructor: { type: 'boolean' }, a: { type: 'integer' } } },
  ];
  for (const shape of shapes) {
    assert.deepEqual(value(await callerFor(shape)({ a: '1' })), { a: 1 });
    const given = { constructor: true, a: 1 };
    assert.deepEqual(Object.entries(value(await callerFor(shape)(given)) ?? {}).length, 2);
  }
});

test('however long choices, names and values are, a line stays short', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `value-${index}`);
  const inputs: readonly ToolInput[] = [
    { e: z.enum(many) },
    { type: 'object', properties: { e: { enum: many } } },
  ];
  for (const input of inputs) {
    const answer = lines(await callerFor(input)({ e: 'x', ['k'.repeat(100_000)]: 1 }));
    assert.equal(answer.length, 2);
    for (const line of answer) assert.ok(line.length < 2_500, String(line.length));
    assert.match(
      answer[1] ?? '',
      /^e: expected one of "value-0", "value-1", .*received string "x"$/,
    );
  }
});
