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
