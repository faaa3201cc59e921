import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { z as oldZod } from 'zod/v3';
import { checkForm } from '../../../src/base/checkForm';
import type { FormField } from '../../../src/base/formField';
import { createFormCard, createLinkCard } from '../../../src/chat/formCards';
import { FormSchemaError, readFormSchema } from '../../../src/chat/readFormSchema';
import type { ToolInput } from '../../../src/mcp/inputTypes';
import { createToolInput } from '../../../src/mcp/toolInput';

const read = (schema: object, trusted = true, order?: string[]): FormField[] =>
  readFormSchema({ type: 'object', ...schema }, { trusted, order });
const one = (own: object): FormField | undefined => read({ properties: { it: own } })[0];

test('each kind of field of a schema has its control', () => {
  const fields = read({
    properties: {
      name: { type: 'string', title: 'Your name', description: 'As on the card', maxLength: 40 },
      age: { type: 'integer', minimum: 0, maximum: 150, default: 7 },
      share: { type: 'number', exclusiveMinimum: 0 },
      mail: { type: 'string', format: 'email' },
      other: { type: 'string', format: 'uuid' },
      agree: { type: 'boolean', default: true },
      size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'], default: 'l' },
      color: {
        type: 'string',
        oneOf: [
          { const: '#f00', title: 'Red' },
          { const: '#00f', title: 'Blue' },
        ],
      },
      days: {
        type: 'array',
        items: { type: 'string', enum: ['mon', 'tue'] },
        minItems: 1,
        default: ['tue'],
      },
      parts: {
        type: 'array',
        items: {
          anyOf: [
            { const: 1, title: 'One' },
            { const: 2, title: 'Two' },
          ],
        },
      },
    },
    required: ['name', 'size'],
  });
  assert.deepEqual(
    fields.map(({ kind, label, required }) => `${kind} ${label}${required ? ' *' : ''}`),
    [
      'text Your name *',
      'number Age',
      'number Share',
      'text Mail',
      'text Other',
      'boolean Agree',
      'choice Size *',
      'choice Color',
      'choices Days',
      'choices Parts',
    ],
  );
  const [name, age, , mail, other, agree, size, color, days, parts] = fields;
  assert.ok(
    name?.kind === 'text' && name.maxLength === 40 && name.description === 'As on the card',
  );
  assert.ok(age?.kind === 'number' && age.integer && age.maximum === 150 && age.initial === 7);
  assert.ok(mail?.kind === 'text' && mail.format === 'email');
  assert.ok(other?.kind === 'text' && other.format === undefined);
  assert.ok(agree?.kind === 'boolean' && agree.initial === true);
  assert.ok(size?.kind === 'choice' && size.initial === 1 && size.choices[1]?.label === 'Large');
  assert.ok(color?.kind === 'choice' && color.choices[0]?.label === 'Red');
  assert.ok(days?.kind === 'choices' && days.minItems === 1);
  assert.deepEqual(days.initial, [1]);
  assert.ok(parts?.kind === 'choices' && parts.choices[1]?.value === 2);
});

test('what zod makes of plain fields is a form whose answers zod takes', async () => {
  const shape = {
    to: z.enum(['staging', 'production']).describe('Where to'),
    mail: z.email(),
    page: z.url().optional(),
    day: z.iso.date(),
    at: z.iso.datetime(),
    count: z.int().min(1).max(9).default(3),
    share: z.number().nullable(),
    loud: z.boolean(),
    tags: z.array(z.enum(['a', 'b'])).max(2),
    kind: z.union([z.literal('x'), z.literal('y')]),
    code: z.string().regex(/^[A-Z]{2}$/),
  };
  const input = createToolInput<unknown>(shape);
  const fields = readFormSchema(input.jsonSchema(), { trusted: true });
  const kinds = Object.fromEntries(
    fields.map(({ name, kind, required }) => [name, `${kind} ${required}`]),
  );
  assert.deepEqual(kinds, {
    to: 'choice true',
    mail: 'text true',
    page: 'text false',
    day: 'text true',
    at: 'text true',
    count: 'number false',
    share: 'number false',
    loud: 'boolean true',
    tags: 'choices true',
    kind: 'choice true',
    code: 'text true',
  });
  const count = fields.find(({ name }) => name === 'count');
  assert.ok(count?.kind === 'number' && count.integer && count.minimum === 1);
  const typed: Record<string, string | boolean | string[]> = {
    ...{ to: '1', mail: 'a@b.co', day: '2026-03-31', at: '2026-03-31T12:30:00+02:00' },
    ...{ count: '4', share: '0.5', loud: true, tags: ['0', '1'], kind: '0', code: 'AB' },
  };
  const draft = Object.fromEntries(fields.map(({ id, name }) => [id, typed[name] ?? '']));
  const checked = checkForm(fields, draft);
  assert.ok(checked.ok, JSON.stringify(checked.ok ? '' : [...checked.problems]));
  const parsed = await input.parse(checked.content);
  assert.ok(parsed.ok, JSON.stringify(parsed));
});

test('what a form takes the schema of the form takes too', async () => {
  const texts = [
    ...['bob@acme.com', 'bob@other.org', 'a@b.c', 'bob.the.builder@other.org', 'two words', 'a-b'],
    ...['https://acme.com/x', 'ftp://x.test', 'mailto:a@b.co', '2026-03-31', '2026-02-30', '10:00'],
    ...['2026-03-31T10:00', '2026-03-31 10:00:05.5', '2026-03-31T10:00:00.000+02:00'],
    ...['🧭🧭🧭', '🧭🧭🧭🧭🧭', '🧭🧭🧭🧭🧭🧭', '  a  ', 'abc', 'ABC', ''],
  ];
  const rules = [
    ...[{}, { minLength: 12 }, { maxLength: 5 }, { maxLength: 12 }],
    ...[
      { minLength: 0, pattern: '^a' },
      { minLength: 0, pattern: '^$' },
    ],
    ...[{ pattern: '@acme\\.com$' }, { pattern: '^\\w+\\-\\w+$' }, { pattern: '^.{1,20}$' }],
  ];
  const formats = [undefined, 'email', 'uri', 'date', 'date-time', 'uuid'];
  const schemas: readonly ToolInput[] = [
    ...formats.flatMap((format) =>
      rules.map((rule) => ({
        type: 'object' as const,
        properties: { f: { type: 'string', ...rule, ...(format === undefined ? {} : { format }) } },
        required: ['f'],
      })),
    ),
    ...[z.email(), z.email().max(12), z.iso.date(), z.iso.time(), z.uuid(), z.string().max(5)],
    ...[z.iso.datetime(), z.iso.datetime({ precision: 3 }), z.iso.datetime({ precision: -1 })],
    ...[z.iso.datetime({ offset: true }), z.iso.datetime({ local: true })],
  ].map((one) => ('type' in one && one.type === 'object' ? one : { f: one }) as ToolInput);
  let taken = 0;
  for (const schema of schemas) {
    const input = createToolInput<unknown>(schema);
    const fields = readFormSchema(input.jsonSchema(), { trusted: true });
    for (const text of texts) {
      const checked = checkForm(fields, { '0': text });
      if (!checked.ok) continue;
      taken += 1;
      const parsed = await input.parse(checked.content);
      assert.ok(parsed.ok, JSON.stringify([input.jsonSchema(), text, checked.content, parsed]));
    }
  }
  assert.ok(taken > 200, String(taken));
});

test('null beside a kind makes it optional, and a definition inside the schema is followed', () => {
  const fields = read({
    properties: {
      a: { type: ['string', 'null'] },
      b: { anyOf: [{ type: 'integer' }, { type: 'null' }], title: 'B' },
      c: { $ref: '#/$defs/Size' },
      d: { anyOf: [{ $ref: '#/$defs/Size' }, { type: 'null' }] },
    },
    required: ['a', 'b', 'c', 'd'],
    $defs: { Size: { enum: ['s', 'l'] } },
  });
  assert.deepEqual(
    fields.map(({ kind, required }) => `${kind} ${required}`),
    ['text false', 'number false', 'choice true', 'choice false'],
  );
});

test('a key that must be there and may be null is sent as null where it is left empty', () => {
  const fields = read({
    properties: {
      note: { type: ['string', 'null'], minLength: 3 },
      count: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      size: { enum: ['s', 'l', null] },
      days: { anyOf: [{ type: 'array', items: { enum: ['mon'] } }, { type: 'null' }] },
      spare: { type: ['string', 'null'] },
    },
    required: ['note', 'count', 'size', 'days'],
  });
  const empty = checkForm(fields, { '0': '', '1': ' ', '2': '', '3': [] });
  assert.deepEqual(empty, {
    ok: true,
    content: { note: null, count: null, size: null, days: null },
  });
  const full = checkForm(fields, { '0': 'abc', '1': '2', '2': '1', '3': ['0'], '4': 'x' });
  assert.ok(full.ok);
  assert.deepEqual(full.content, { note: 'abc', count: 2, size: 'l', days: ['mon'], spare: 'x' });
  assert.ok(!checkForm(fields, { '0': 'ab' }).ok, 'what is filled in is checked as ever');
});

test('choices that a list takes from a definition inside the schema are choices', () => {
  const [field] = read({
    properties: { days: { type: 'array', items: { $ref: '#/$defs/Day' }, default: ['tue'] } },
    $defs: { Day: { type: 'string', enum: ['mon', 'tue'] } },
  });
  assert.ok(field?.kind === 'choices');
  assert.deepEqual([field.choices.map(({ label }) => label), field.initial], [['mon', 'tue'], [1]]);
});

test('what no form can show is refused, and the field is named', () => {
  const bad: readonly object[] = [
    { type: 'object', properties: {} },
    { type: 'array', items: { type: 'string' } },
    { type: ['string', 'integer'] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    { $ref: 'https://example.com/a.json' },
    { $ref: '#/$defs/__proto__' },
    {},
  ];
  for (const own of bad) {
    assert.throws(
      () => one(own),
      (error) => error instanceof FormSchemaError && error.message.includes("'it'"),
    );
  }
  const many = Object.fromEntries(
    Array.from({ length: 101 }, (_, i) => [`f${i}`, { type: 'string' }]),
  );
  assert.throws(() => read({ properties: many }), /101 fields/);
  const choices = Array.from({ length: 501 }, (_, i) => `c${i}`);
  assert.throws(() => one({ enum: choices }), /501 choices/);
});

test('what a server wrote is made visible and cut, and its patterns are not run', () => {
  const [field, mail] = read(
    {
      properties: {
        x: { type: 'string', pattern: '(a+)+$', title: `Name\u202Eevil${'x'.repeat(500)}` },
        y: { type: 'string', pattern: '(a+)+$', format: 'email' },
      },
    },
    false,
  );
  assert.ok(field?.kind === 'text' && field.pattern === undefined);
  assert.ok(mail?.kind === 'text' && mail.format === 'email' && mail.pattern === undefined);
  assert.match(field.label, /^Name\\u202Eevil/);
  assert.ok(field.label.length <= 200);
});

test('fields stand in the order that the server names, also those whose names are numbers', () => {
  const properties = { b: { type: 'string' }, '1': { type: 'string' }, a: { type: 'string' } };
  const names = read({ properties }, true, ['b', 'gone', 'a']).map(({ name }) => name);
  assert.deepEqual(names, ['b', 'a', '1']);
});

test('a card says who asks, with its words whole and without hidden characters', () => {
  const asker = { id: 'r1', server: 'ext', message: '  Two\nlines\u200B ' };
  const card = createFormCard({ ...asker, schema: { type: 'object' }, trusted: false });
  assert.deepEqual([card.title, card.server, card.message], ['ext', 'ext', 'Two\nlines\\u200B']);
  assert.deepEqual(card.fields, []);
});

test('a page is shown by the host that the browser would go to; what is no page is not opened', () => {
  const link = (url: string) => createLinkCard({ id: 'r', server: 'ext', message: '', url });
  assert.deepEqual(
    [
      link('https://example.com:8443/a?b=c').host,
      link('https://good.com@evil.example/').host,
      link('HTTPS://EXAMPLE.com').url,
      link('https://еxample.com/').host,
    ],
    ['example.com:8443', 'evil.example', 'https://example.com/', 'xn--xample-2of.com'],
  );
  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://x',
    'command:x',
    'nope',
    '',
  ]) {
    assert.equal(link(url).host, undefined, url);
  }
  assert.equal(link('ftp://a\u202Eb').url, 'ftp://a\\u202Eb');
});

test('a default that the person has taken out does not come back', async () => {
  const shape = {
    targets: z.array(z.enum(['staging', 'production'])).default(['staging']),
    note: z.string().default('as always'),
  };
  const input = createToolInput<unknown>(shape, 'form');
  const fields = readFormSchema(input.jsonSchema(), { trusted: true });
  const checked = checkForm(fields, { '0': [], '1': '' });
  assert.ok(checked.ok);
  assert.deepEqual(await input.parse(checked.content), {
    ok: true,
    value: { targets: [], note: '' },
  });
});

test('an expression with flags refuses in a form nothing that its schema takes', async () => {
  const taken: readonly (readonly [RegExp, string])[] = [
    [/^[a-z]+$/i, 'ABC'],
    [/^b$/m, 'a\nb'],
    [/^a.b$/s, 'a\nb'],
    [/^[a-c]+$/u, 'abc'],
  ];
  for (const [pattern, typed] of taken) {
    const both = z.string().regex(/./su).regex(pattern);
    for (const one of [z.string().regex(pattern), oldZod.string().regex(pattern), both]) {
      const input = createToolInput<unknown>({ it: one }, 'form');
      const fields = readFormSchema(input.jsonSchema(), { trusted: true });
      const checked = checkForm(fields, { '0': typed });
      assert.ok(checked.ok, JSON.stringify(checked.ok ? '' : [...checked.problems]));
      assert.deepEqual(await input.parse(checked.content), { ok: true, value: { it: typed } });
    }
  }
  // What has no flags is still said, and so is what stands beside one that has.
  const json = createToolInput<unknown>({
    a: z.string().regex(/^a/),
    b: z.string().regex(/^b/).regex(/x/i),
  }).jsonSchema();
  assert.deepEqual(json.properties, {
    a: { type: 'string', pattern: '^a' },
    b: { type: 'string', allOf: [{ pattern: '^b' }] },
  });
});

test('fields may have any names: nobody but the person sees them', async () => {
  for (const name of ['Größe', 'First name', 'a/b', 'x'.repeat(65), '日付']) {
    for (const schema of [
      { [name]: z.string() },
      { [name]: oldZod.string() },
      { type: 'object' as const, properties: { [name]: { type: 'string' } }, required: [name] },
    ]) {
      const input = createToolInput<unknown>(schema, 'form');
      const fields = readFormSchema(input.jsonSchema(), { trusted: true });
      const checked = checkForm(fields, { '0': 'here' });
      assert.ok(checked.ok);
      assert.deepEqual(await input.parse(checked.content), { ok: true, value: { [name]: 'here' } });
      assert.throws(() => createToolInput<unknown>(schema).jsonSchema(), /may only have/);
    }
  }
});

test('whatever way a schema takes to a kind that can be shown, it is shown', () => {
  const size = { type: 'string', enum: ['s', 'l'] };
  const fields = read({
    properties: {
      a: { $ref: '#/definitions/Size' },
      b: { $ref: '#/$defs/Again' },
      c: { allOf: [{ $ref: '#/$defs/Size' }], default: 'l' },
      d: { oneOf: [{ $ref: '#/definitions/Size' }, { type: 'null' }] },
      e: { oneOf: [{ type: 'null' }, { type: 'integer' }] },
      f: { type: 'array', items: { $ref: '#/$defs/Again' } },
    },
    required: ['a', 'b', 'c', 'd', 'e', 'f'],
    definitions: { Size: size },
    $defs: { Size: size, Again: { $ref: '#/definitions/Size' } },
  });
  assert.deepEqual(
    fields.map(({ kind, required }) => `${kind} ${required}`),
    [
      ...['choice true', 'choice true', 'choice true', 'choice false', 'number false'],
      'choices true',
    ],
  );
  assert.equal(fields[2]?.initial, 1);
  for (const circle of [{ $ref: '#/$defs/A' }, { allOf: [{ $ref: '#/$defs/A' }] }]) {
    assert.throws(
      () => read({ properties: { it: circle }, $defs: { A: circle } }),
      FormSchemaError,
    );
  }
});
