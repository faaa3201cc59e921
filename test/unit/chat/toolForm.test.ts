import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkForm } from '../../../src/base/checkForm';
import { type FormDraft, initialDraft } from '../../../src/base/formField';
import { toolForm } from '../../../src/chat/toolForm';

/** What a tool gets of a form that is filled in by the names of its fields. */
function filled(schema: Record<string, unknown>, values: FormDraft): unknown {
  const form = toolForm(schema);
  const draft = Object.fromEntries(
    form.fields.flatMap(({ id, name }) => (name in values ? [[id, values[name] ?? '']] : [])),
  );
  const checked = checkForm(form.fields, { ...initialDraft(form.fields), ...draft });
  return checked.ok ? form.read(checked.content) : [...checked.problems.values()];
}

const schema = {
  type: 'object',
  properties: {
    owner: { type: 'string' },
    limit: { type: 'integer', minimum: 1, default: 10 },
    deep: { type: 'boolean' },
    loud: { type: 'boolean', default: true },
    order: { enum: ['name', 'date'] },
    kinds: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
    paths: { type: 'array', items: { type: 'string' } },
    where: { type: 'object', properties: { line: { type: 'number' } } },
  },
  required: ['owner', 'paths'],
};

test('Each argument has its control, and JSON stands for those that have none', () => {
  const { fields } = toolForm(schema);
  assert.deepEqual(
    fields.map((field) => [field.name, field.kind, field.kind === 'text' ? field.format : '']),
    [
      ['owner', 'text', undefined],
      ['limit', 'number', ''],
      ['deep', 'boolean', ''],
      ['loud', 'boolean', ''],
      ['order', 'choice', ''],
      ['kinds', 'choices', ''],
      ['paths', 'text', 'json'],
      ['where', 'text', 'json'],
    ],
  );
});

test('A tool gets what was filled in, each of its own type, and nothing of what was left', () => {
  assert.deepEqual(filled(schema, { owner: 'ann', paths: '["a", "b"]' }), {
    ...{ owner: 'ann', limit: 10, loud: true },
    paths: ['a', 'b'],
  });
  const all = { owner: 'x', limit: '3', deep: true, loud: false, order: '1', kinds: ['0', '2'] };
  assert.deepEqual(filled(schema, { ...all, paths: '[]', where: '{"line":4}' }), {
    ...{ owner: 'x', limit: 3, deep: true, loud: false, order: 'date', kinds: ['a', 'c'] },
    paths: [],
    where: { line: 4 },
  });
});

test('What is no JSON, and what is missing, is said beside its field', () => {
  const problems = filled(schema, { owner: '', limit: '0', paths: '[a' });
  assert.ok(Array.isArray(problems));
  assert.deepEqual(problems.slice(0, 2), ['Fill this in.', 'At least 1.']);
  assert.match(String(problems[2]), /^Write JSON, such as/);
});

test('A schema that is no list of fields is one JSON text', () => {
  const schemas = [
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', anyOf: [{ properties: { a: {} } }] },
    { type: 'object', $ref: '#/$defs/x' },
    {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`p${at}`, {}])),
    },
  ];
  for (const one of schemas) assert.deepEqual(filled(one, { input: '{"a":"b"}' }), { a: 'b' });
  assert.deepEqual(filled(schemas[0] ?? {}, {}), {});
});

test('A tool without arguments has no field', () => {
  for (const one of [
    { type: 'object' },
    { type: 'object', properties: {}, additionalProperties: false },
  ]) {
    assert.deepEqual([toolForm(one).fields, filled(one, {})], [[], {}]);
  }
});

test('An argument with a name of the language is an argument like any other', () => {
  const odd = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
  ) as Record<string, unknown>;
  const form = toolForm(odd);
  const checked = checkForm(form.fields, { '0': 'a', '1': 'b' });
  assert.ok(checked.ok);
  assert.equal(JSON.stringify(form.read(checked.content)), '{"__proto__":"a","constructor":"b"}');
});
