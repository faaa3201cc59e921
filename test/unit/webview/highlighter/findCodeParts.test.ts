import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import hljs from 'highlight.js/lib/core';
import { CODE_KINDS } from '../../../../src/webview/highlighter/codeParts';
import { LANGUAGES } from '../../../../src/webview/highlighter/languages';
import { findCodeParts } from '../../../../src/webview/highlighter/main';

const partsOf = (code: string, language: string): readonly (readonly [string, string])[] =>
  findCodeParts(code, language).map(({ kind, from, to }) => [kind, code.slice(from, to)]);

/** By name, from anywhere in a grammar, whose parts refer to each other. */
function innerLanguages(grammar: object): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    for (const [key, value] of Object.entries(part)) {
      if (key === 'subLanguage') for (const one of [value].flat()) found.add(String(one));
      else visit(value);
    }
  };
  visit(grammar);
  return found;
}

test('parts of a code are told by their kind', () => {
  assert.deepEqual(partsOf('const n = 12; // why', 'ts'), [
    ['keyword', 'const'],
    ['number', '12'],
    ['comment', '// why'],
  ]);
  assert.deepEqual(partsOf('class Order extends Base {}', 'ts'), [
    ['keyword', 'class'],
    ['type', 'Order'],
    ['keyword', 'extends'],
    ['type', 'Base'],
  ]);
  assert.deepEqual(partsOf('+new\n-old\n same', 'diff'), [
    ['added', '+new'],
    ['removed', '-old'],
  ]);
});

test('a language inside another has its places in the whole', () => {
  const page = '<p>é</p><script>let a = 1;</script>';
  const inside = partsOf(page, 'html').filter(([kind]) => kind === 'keyword' || kind === 'number');
  assert.deepEqual(inside, [
    ['keyword', 'let'],
    ['number', '1'],
  ]);
});

test('an unknown language has no parts, also one that is a key of every object', () => {
  for (const name of ['nosuch', '', 'constructor', '__proto__', 'toString'])
    assert.deepEqual(findCodeParts('const a = 1;', name), []);
});

test('the names of a language, and the languages inside it, are those of its grammar', () => {
  for (const [name, { define, aliases = [], inside = [] }] of Object.entries(LANGUAGES)) {
    const grammar = define(hljs);
    assert.deepEqual(aliases, grammar.aliases ?? [], name);
    assert.deepEqual([...inside].sort(), [...innerLanguages(grammar)].sort(), name);
    for (const one of inside) assert.ok(Object.hasOwn(LANGUAGES, one), `${one} inside ${name}`);
  }
});

test('each name of a language colours as the language does, in whatever order they come', () => {
  const code = '// a\n# b\n"c" 1 <p>let x = 2;</p>';
  for (const [name, { aliases = [] }] of Object.entries(LANGUAGES)) {
    for (const alias of [...aliases, name.toUpperCase()])
      assert.deepEqual(partsOf(code, alias), partsOf(code, name), alias);
  }
});

test('whatever is coloured lies in the text and has a kind, in each language', () => {
  const kinds = new Set<string>(CODE_KINDS);
  for (const language of Object.keys(LANGUAGES)) {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (code) => {
        for (const { kind, from, to } of findCodeParts(code, language)) {
          assert.ok(kinds.has(kind));
          assert.ok(from >= 0 && from < to && to <= code.length);
        }
      }),
      { numRuns: 20 },
    );
  }
});
