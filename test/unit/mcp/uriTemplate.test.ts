import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DefinitionError } from '../../../src/mcp/definitionError';
import { parseUriTemplate } from '../../../src/mcp/uriTemplate';

test('templates of every form give back the values that they were filled with', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['note://one', {}, 'note://one'],
    ['todo://{owner}', { owner: 'Ann Ü' }, 'todo://Ann%20%C3%9C'],
    ['x://{a},{b}/c', { a: '1', b: '2' }, 'x://1,2/c'],
    ['x://{a,b}', { a: '1', b: '2' }, 'x://1,2'],
    ['file:///{+path}', { path: 'src/a b.ts' }, 'file:///src/a%20b.ts'],
    ['x://h{/a,b}', { a: 'p', b: 'q' }, 'x://h/p/q'],
    ['x://h/f{.ext}', { ext: 'ts' }, 'x://h/f.ts'],
    ['x://h{#part}', { part: 'top' }, 'x://h#top'],
    ['db://t{?limit,where}', { limit: '5', where: 'a=b&c' }, 'db://t?limit=5&where=a%3Db%26c'],
    ['db://t?x=1{&limit}', { limit: '5' }, 'db://t?x=1&limit=5'],
    ['x://{list*}', { list: 'a' }, 'x://a'],
  ];
  for (const [text, values, uri] of cases) {
    const template = parseUriTemplate(text);
    assert.equal(template.expand(values), uri);
    assert.deepEqual({ ...template.match(uri) }, values, text);
    assert.deepEqual(template.variables, Object.keys(values));
  }
});

test('a query may come in another order, with more or with less in it', () => {
  const template = parseUriTemplate('db://{table}{?limit,where}');
  const read = (uri: string) => ({ ...template.match(uri) });
  assert.deepEqual(read('db://t?where=x&odd=1&limit=2&limit=3'), {
    table: 't',
    limit: '2',
    where: 'x',
  });
  assert.deepEqual(read('db://t'), { table: 't' });
  assert.equal(template.match('db://t/u'), undefined);
  assert.equal(template.match('db://'), undefined);
});

test('a template that could be read in two ways, or in none, is refused', () => {
  const bad = [
    '',
    'x://{a',
    'x://a}',
    'x://{}',
    'x://{a b}',
    'x://{!a}',
    'x://{a}{b}',
    'x://{a}/{a}',
    'x://{+a}/{+b}/{+c}',
    'x://h{?a}/b',
    'x://'.padEnd(3000, 'a'),
  ];
  for (const text of bad) assert.throws(() => parseUriTemplate(text), DefinitionError, text);
});

test('matching neither throws, nor takes long, nor reaches into a prototype, whatever comes', () => {
  const templates = [
    'x://{a}/{b}',
    'x://{+a}/y/{+b}z',
    'x://{__proto__}{?constructor}',
    'x://h{/a}{?q}',
  ];
  const parsed = templates.map(parseUriTemplate);
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.constantFrom(...parsed), (text, template) => {
      for (const uri of [text, `x://${text}`, `x://${text}/y/${text}z`]) {
        const values = template.match(uri);
        for (const value of Object.values(values ?? {})) assert.equal(typeof value, 'string');
      }
    }),
    { numRuns: 500 },
  );
  assert.equal(({} as Record<string, unknown>).a, undefined);
  const started = performance.now();
  for (const template of parsed) template.match(`x://${'/y/'.repeat(600)}`);
  // Only against an expression that never ends.
  assert.ok(performance.now() - started < 60_000);
});

/** The grammar as a regular expression, which tries all ways: right for short texts. */
function patternOf(template: string): RegExp {
  const holes: Record<string, (names: string[]) => string> = {
    '?': () => String.raw`(?:\?([^#]*))?`,
    '&': () => '((?:&[^#]*)?)',
    '+': (names) => names.map(() => '(.+?)').join(','),
    '#': (names) => `#${names.map(() => '(.+?)').join(',')}`,
    '/': (names) => names.map(() => String.raw`\/([^\/?#]+)`).join(''),
    '.': (names) => names.map(() => String.raw`\.([^\/?#.]+)`).join(''),
    '': (names) => names.map(() => String.raw`([^\/?#&,]+)`).join(','),
  };
  const source = template.split(/(\{[^{}]*\})/u).map((piece) => {
    const [, operator, list = ''] = /^\{([+#./?&]?)(.*)\}$/u.exec(piece) ?? [];
    return operator === undefined
      ? piece.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
      : holes[operator]?.(list.split(','));
  });
  return new RegExp(`^${source.join('')}$`, 'u');
}

test('of several ways to read a URI it is always the same one, as a regular expression finds it', () => {
  const operators = fc.constantFrom('', '+', '#', '.', '/', '?', '&');
  const piece = fc.oneof(
    fc.constantFrom('-', '/', '.', 'a', '-a', 'x/', ',', '?'),
    fc.tuple(operators, fc.integer({ min: 1, max: 2 })),
  );
  const text = fc
    .array(fc.constantFrom('-', 'a', '/', '.', ',', '?', '#', '&', 'x=1', '\n', '🧭'), {
      maxLength: 4,
    })
    .map((parts) => parts.join(''));
  const pieces = fc.array(fc.tuple(piece, text), { minLength: 1, maxLength: 7 });
  let matched = 0;
  fc.assert(
    fc.property(pieces, (given) => {
      let count = 0;
      const name = (): string => `v${(count += 1)}`;
      const template = given.map(([one]) =>
        typeof one === 'string' ? one : `{${one[0]}${Array.from({ length: one[1] }, name).join()}}`,
      );
      // Of the template's own shape, so that it fits now and then.
      const uri = given.map(([one, filled]) => {
        if (typeof one === 'string') return one;
        return `${one[0].replace('+', '')}${filled}`;
      });
      const [shape, whole] = [`x:${template.join('')}`, `x:${uri.join('')}`];
      let parsed;
      try {
        parsed = parseUriTemplate(shape);
      } catch (error) {
        assert.ok(error instanceof DefinitionError);
        return;
      }
      const found = patternOf(shape).exec(whole);
      const read = parsed.match(whole);
      assert.equal(read !== undefined, found !== null, `${shape} of ${whole}`);
      if (read === undefined || found === null || /\{[?&]/.test(shape)) return;
      assert.deepEqual(Object.values(read), found.slice(1), `${shape} of ${whole}`);
      matched += 1;
    }),
    { numRuns: 20_000, seed: 5 },
  );
  assert.ok(matched > 1_000, `${matched} were compared`);
});

test('a URI that nearly fits is refused however many ways there are to read it', () => {
  const letters = 'abcdefghijkl'.split('');
  // By trying one way after the other each of these would outlast this machine.
  const cases: [string, string][] = [
    ['log://{a}-{b}-{c}-{d}/end', `log://${'-'.repeat(2_000)}x/en`],
    [`x://${letters.map((name) => `{${name}}`).join('-')}/end`, `x://${'-'.repeat(2_000)}/enD`],
    [
      `x://{+m}/${letters.map((name) => `{${name}}`).join('a')}!{+n}?`,
      `x://${'/a'.repeat(1_000)}!`,
    ],
    [`x://h{.${letters.join()}}z`, `x://h${'.a'.repeat(1_000)}`],
    [`x://{${letters.join()}}{#p,q}?`, `x://${'a,'.repeat(900)}#${','.repeat(200)}`],
    [
      `x://${Array.from({ length: 300 }, (_, n) => `{v${n}}`).join('-')}!`,
      `x://${'-'.repeat(2_040)}`,
    ],
  ];
  for (const [template, uri] of cases) {
    assert.ok(template.length <= 2_048 && uri.length <= 2_048);
    assert.equal(parseUriTemplate(template).match(uri), undefined);
  }
  const many = parseUriTemplate('log://{a}-{b}-{c}-{d}/end').match(
    `log://${'-'.repeat(2_000)}/end`,
  );
  assert.deepEqual({ ...many }, { a: '-'.repeat(1_994), b: '-', c: '-', d: '-' });
});
