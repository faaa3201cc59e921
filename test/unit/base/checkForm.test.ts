import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkForm } from '../../../src/base/checkForm';
import { type DraftValue, type FormField, initialDraft } from '../../../src/base/formField';

const common = { id: '0', name: 'it', label: 'It', required: true } as const;
const colors = [
  { label: 'Red', value: 'r' },
  { label: 'Three', value: 3 },
  { label: 'Yes', value: true },
];

/** The value that the asker gets, or the line at the field. */
function read(field: FormField, value: DraftValue | undefined): unknown {
  const checked = checkForm([field], value === undefined ? {} : { '0': value });
  return checked.ok ? checked.content.it : (checked.problems.get('0') ?? 'nothing');
}

const text = (rules: object = {}): FormField => ({ ...common, kind: 'text', ...rules });
const number = (rules: object = {}): FormField => ({
  ...common,
  kind: 'number',
  integer: false,
  ...rules,
});

test('a text is kept as it was typed; an empty one is missed, or left out where it may be', () => {
  assert.equal(read(text(), ' two words '), ' two words ');
  assert.match(String(read(text(), '')), /Fill this in/);
  assert.match(String(read(text(), undefined)), /Fill this in/);
  assert.equal(read(text({ minLength: 0 }), ''), '');
  assert.deepEqual(checkForm([text({ required: false })], { '0': '' }), { ok: true, content: {} });
  // Of a wrong kind, as only a broken view sends it.
  assert.match(String(read(text(), ['1'])), /Fill this in/);
});

test('lengths count what the person sees as characters, and the line says how many there are', () => {
  const name = text({ minLength: 2, maxLength: 4 });
  assert.equal(read(name, '👍👍👍👍'), '👍👍👍👍');
  assert.match(String(read(name, 'a')), /at least 2 .* 1/);
  assert.match(String(read(name, 'abcde')), /at most 4 .* 5/);
  assert.match(String(read(text({ pattern: '^a+$' }), 'b')), /\^a\+\$/);
  assert.equal(read(text({ pattern: '(' }), 'b'), 'b', 'what is no pattern checks nothing');
});

const FORMATS: readonly (readonly [format: string, good: string[], bad: string[]])[] = [
  ['email', ['a@b.co', ' ä.ö+x@mail.example.com '], ['a', 'a@b', 'a b@c.de', 'a@b.c@d', 'a@.de']],
  [
    'uri',
    ['https://example.com/a?b#c', 'mailto:a@b.co', 'urn:x:y'],
    ['example.com', 'http://', '/a'],
  ],
  ['date', ['2026-03-31', '2024-02-29'], ['31.3.2026', '2026-02-30', '2025-02-29', '2026-3-1']],
  [
    'date-time',
    ['2026-03-31T14:30:00Z', '2026-03-31 14:30', '2026-03-31t14:30:05.5+02:00'],
    ['2026-03-31', '14:30', '2026-02-30T10:00:00Z', '2026-03-31T25:00:00Z', '2026-03-31 noon'],
  ],
];

for (const [format, good, bad] of FORMATS) {
  test(`the format ${format} takes what is one, and says at the field how one looks`, () => {
    for (const one of good)
      assert.ok(!String(read(text({ format }), one)).startsWith('Write'), one);
    for (const one of bad) assert.match(String(read(text({ format }), one)), /such as \S/, one);
  });
}

test('a moment goes out in UTC, with the zone that was written or the person’s own', () => {
  const moment = text({ format: 'date-time' });
  assert.equal(read(moment, '2026-03-31T14:30:00+02:00'), '2026-03-31T12:30:00Z');
  assert.equal(read(moment, '2026-03-31T14:30:00.250Z'), '2026-03-31T14:30:00.250Z');
  const own = new Date(2026, 2, 31, 14, 30).toISOString().replace('.000Z', 'Z');
  assert.equal(read(moment, '2026-03-31 14:30'), own);
});

test('numbers are numbers, whole ones whole, and each bound has its line', () => {
  assert.equal(read(number(), ' 1.5 '), 1.5);
  assert.equal(read(number(), '-2e3'), -2000);
  for (const bad of ['one', '1,5', '0x10', 'Infinity', 'NaN', '1 2', '--1']) {
    assert.match(String(read(number(), bad)), /Write a number/, bad);
  }
  assert.match(String(read(number({ integer: true }), '1.5')), /whole number/);
  assert.equal(read(number({ integer: true }), '12'), 12);
  const lines: readonly (readonly [object, string, RegExp])[] = [
    [{ minimum: 2 }, '1', /At least 2/],
    [{ maximum: 2 }, '3', /At most 2/],
    [{ exclusiveMinimum: 2 }, '2', /More than 2/],
    [{ exclusiveMaximum: 2 }, '2', /Less than 2/],
    [{ multipleOf: 0.1 }, '0.25', /multiple of 0.1/],
  ];
  for (const [rules, given, line] of lines) assert.match(String(read(number(rules), given)), line);
  assert.equal(read(number({ multipleOf: 0.1 }), '0.3'), 0.3);
  assert.equal(read(number({ required: false }), ''), undefined);
});

test('a multiple is one by its decimals, however large or small', () => {
  const good = [
    [0.3, 0.1],
    [123_456_789_012.3, 0.1],
    [3e21, 3],
    [5e-7, 1e-7],
    [-0.06, 0.02],
    [0, 7],
  ];
  const bad = [
    [1e-12, 1],
    [0.30000001, 0.1],
    [1e21, 7],
    [2.5, 1],
    [5e-324, 1e-300],
  ];
  for (const [value = 0, of = 0] of good) {
    assert.equal(read(number({ multipleOf: of }), String(value)), value, `${value} of ${of}`);
  }
  for (const [value = 0, of = 0] of bad) {
    assert.match(
      String(read(number({ multipleOf: of }), String(value))),
      /multiple of/,
      `${value}`,
    );
  }
});

test('a tick is true or false; a choice gives its value of whatever kind', () => {
  const field: FormField = { ...common, kind: 'boolean' };
  assert.deepEqual([read(field, true), read(field, undefined)], [true, false]);
  const one: FormField = { ...common, kind: 'choice', choices: colors };
  assert.deepEqual([read(one, '0'), read(one, '1'), read(one, '2')], ['r', 3, true]);
  for (const bad of ['', '3', '-1', 'constructor', '0x0']) {
    assert.match(String(read(one, bad)), /Choose one/, bad);
  }
  assert.equal(read({ ...one, required: false }, ''), undefined);
});

test('of several choices each counts once, between the bounds; none is no answer where it may be', () => {
  const many: FormField = { ...common, kind: 'choices', choices: colors, minItems: 1, maxItems: 2 };
  assert.deepEqual(read(many, ['1', '1', '0', '9']), [3, 'r']);
  assert.match(String(read(many, [])), /Choose at least one/);
  assert.match(String(read(many, ['0', '1', '2'])), /at most 2/);
  assert.equal(read({ ...many, required: false }, []), undefined);
  assert.deepEqual(read({ ...many, minItems: undefined }, []), []);
});

test('a field may be called what every object has, and harms nothing', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const fields = names.map((name, index): FormField => ({
    ...common,
    id: String(index),
    name,
    kind: 'text',
  }));
  const checked = checkForm(fields, { '0': 'a', '1': 'b', '2': 'c' });
  assert.ok(checked.ok);
  assert.equal(
    JSON.stringify(checked.content),
    '{"__proto__":"a","constructor":"b","toString":"c"}',
  );
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
});

test('a form is first drawn with its defaults, and those alone are a good answer', () => {
  const fields: FormField[] = [
    { ...common, id: '0', name: 'a', kind: 'text', initial: 'x' },
    { ...common, id: '1', name: 'b', kind: 'number', integer: true, initial: 7 },
    { ...common, id: '2', name: 'c', kind: 'boolean', initial: true },
    { ...common, id: '3', name: 'd', kind: 'choice', choices: colors, initial: 1 },
    { ...common, id: '4', name: 'e', kind: 'choices', choices: colors, initial: [0, 2] },
  ];
  const draft = initialDraft(fields);
  assert.deepEqual(draft, { '0': 'x', '1': '7', '2': true, '3': '1', '4': ['0', '2'] });
  const checked = checkForm(fields, draft);
  assert.deepEqual(checked.ok && { ...checked.content }, {
    ...{ a: 'x', b: 7, c: true, d: 3 },
    e: ['r', true],
  });
});

test('what a form began with and the person has taken out is out, unless the rules want something there', () => {
  const many: FormField = {
    ...{ ...common, kind: 'choices', choices: colors, initial: [0] },
    required: false,
  };
  assert.deepEqual(read(many, []), []);
  assert.match(String(read({ ...many, minItems: 1 }, [])), /Choose at least one/);
  assert.equal(read({ ...many, orNull: true }, []), null);
  const some = { initial: 'x', required: false };
  assert.equal(read(text(some), ''), '');
  for (const rule of [{ minLength: 1 }, { pattern: '^x' }, { format: 'email' }]) {
    assert.equal(read(text({ ...some, ...rule }), ''), undefined);
  }
  assert.equal(read(text({ ...some, orNull: true }), ''), null);
  assert.equal(read(number(some), ''), undefined);
});

test('what could not be kept whole is said at the field', () => {
  assert.match(String(read(number({ integer: true }), '9007199254740993')), /too large/);
  assert.match(String(read(number({ integer: true }), '12345678901234567890')), /too large/);
  assert.equal(read(number({ integer: true }), '9007199254740991'), Number.MAX_SAFE_INTEGER);
  assert.match(String(read(text(), 'x'.repeat(200_001))), /at most 200000 characters/);
});

test('beside a format length and pattern count too, each with its line', () => {
  const formats: readonly (readonly [format: string, good: string])[] = [
    ['email', 'bob@acme.com'],
    ['uri', 'https://acme.com'],
    ['date', '2026-03-31'],
    ['date-time', '2026-03-31T14:30:05.250Z'],
  ];
  for (const [format, good] of formats) {
    const { length } = good;
    assert.equal(read(text({ format, minLength: length, maxLength: length }), good), good, format);
    assert.match(String(read(text({ format, minLength: length + 1 }), good)), /at least/, format);
    assert.match(String(read(text({ format, maxLength: length - 1 }), good)), /at most/, format);
    assert.equal(read(text({ format, pattern: '^[^#]+$' }), good), good, format);
    assert.match(String(read(text({ format, pattern: '#$' }), good)), /the form #\$/, format);
    // What was typed around it does not go out.
    assert.equal(read(text({ format, pattern: '^\\S+$', maxLength: length }), ` ${good} `), good);
    // The format's own line first: it says more than a pattern.
    assert.match(String(read(text({ format, pattern: '#$' }), 'a')), /such as \S/, format);
  }
});

test('a pattern that nobody reads is told by the line of its format', () => {
  const pattern = `^(?:${'[a-z]+\\.'.repeat(12)})*[a-z]+@[a-z.]+[a-z]{2,}$`;
  assert.match(String(read(text({ format: 'email', pattern }), 'a@b.c')), /name@example\.com/);
});

test('of a moment that spelling goes out which the pattern wants', () => {
  const moment = (pattern: string) => text({ format: 'date-time', pattern });
  assert.equal(
    read(moment('T\\d\\d:\\d\\d:\\d\\dZ$'), '2026-03-31T14:30Z'),
    '2026-03-31T14:30:00Z',
  );
  assert.equal(read(moment('\\.\\d{3}Z$'), '2026-03-31T14:30Z'), '2026-03-31T14:30:00.000Z');
  assert.equal(read(moment('T\\d\\d:\\d\\dZ$'), '2026-03-31T14:30Z'), '2026-03-31T14:30Z');
  assert.match(String(read(moment('T\\d\\d:\\d\\dZ$'), '2026-03-31T14:30:05Z')), /the form/);
});

test('a pattern of an older draft is checked as well', () => {
  for (const pattern of ['^\\w+\\-\\w+$', '^[\\w-]+\\-[\\w-]+$', '^\\w{1,}\\-\\w+\\z?$']) {
    assert.throws(() => new RegExp(pattern, 'u'), pattern);
    assert.equal(read(text({ pattern }), 'a-b'), 'a-b', pattern);
    assert.match(String(read(text({ pattern }), 'bad value')), /the form/, pattern);
  }
});
