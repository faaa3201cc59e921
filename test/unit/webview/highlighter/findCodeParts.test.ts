import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import hljs from 'highlight.js/lib/core';
import { CODE_KINDS } from '../../../../src/webview/highlighter/codeParts';
import { LANGUAGES } from '../../../../src/webview/highlighter/languages';
import { findCodeParts, prepareLanguage } from '../../../../src/webview/highlighter/main';

const atOnce = (): Promise<void> => Promise.resolve();

async function partsOf(
  code: string,
  language: string,
): Promise<readonly (readonly [string, string])[]> {
  await prepareLanguage(language, atOnce);
  return findCodeParts(code, language).map(({ kind, from, to }) => [kind, code.slice(from, to)]);
}

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

// The first test: what is made stays so for the whole process.
test('a language is made in steps, those inside it too, and only once', async () => {
  assert.deepEqual(findCodeParts('a: 1', 'yml'), [], 'not made yet');
  let pauses = 0;
  const pause = (): Promise<void> => {
    pauses += 1;
    return Promise.resolve();
  };
  await prepareLanguage('YML', pause);
  assert.equal(pauses, 4, 'two for yaml, two for the ruby inside it');
  assert.notDeepEqual(findCodeParts('a: 1', 'yml'), []);
  assert.notDeepEqual(findCodeParts('a = 1', 'ruby'), []);
  await prepareLanguage('yaml', pause);
  assert.equal(pauses, 4);
});

test('parts of a code are told by their kind', async () => {
  assert.deepEqual(await partsOf('const n = 12; // why', 'ts'), [
    ['keyword', 'const'],
    ['number', '12'],
    ['comment', '// why'],
  ]);
  assert.deepEqual(await partsOf('class Order extends Base {}', 'ts'), [
    ['keyword', 'class'],
    ['type', 'Order'],
    ['keyword', 'extends'],
    ['type', 'Base'],
  ]);
  assert.deepEqual(await partsOf('+new\n-old\n same', 'diff'), [
    ['added', '+new'],
    ['removed', '-old'],
  ]);
});

test('a language inside another has its places in the whole', async () => {
  const page = '<p>é</p><script>let a = 1;</script>';
  const parts = await partsOf(page, 'html');
  const inside = parts.filter(([kind]) => kind === 'keyword' || kind === 'number');
  assert.deepEqual(inside, [
    ['keyword', 'let'],
    ['number', '1'],
  ]);
});

test('an unknown language has no parts, also one that is a key of every object', async () => {
  for (const name of ['nosuch', '', 'constructor', '__proto__', 'toString'])
    assert.deepEqual(await partsOf('const a = 1;', name), []);
});

test('the names of a language, and the languages inside it, are those of its grammar', async () => {
  for (const [name, { load, aliases = [], inside = [] }] of Object.entries(LANGUAGES)) {
    const grammar = (await load()).default(hljs);
    assert.deepEqual(aliases, grammar.aliases ?? [], name);
    assert.deepEqual([...inside].sort(), [...innerLanguages(grammar)].sort(), name);
    for (const one of inside) assert.ok(Object.hasOwn(LANGUAGES, one), `${one} inside ${name}`);
  }
});

test('each name of a language colours as the language does, in whatever order they come', async () => {
  const code = '// a\n# b\n"c" 1 <p>let x = 2;</p>';
  for (const [name, { aliases = [] }] of Object.entries(LANGUAGES)) {
    for (const alias of [...aliases, name.toUpperCase()])
      assert.deepEqual(await partsOf(code, alias), await partsOf(code, name), alias);
  }
});

test('whatever is coloured lies in the text and has a kind, in each language', async () => {
  const kinds = new Set<string>(CODE_KINDS);
  for (const language of Object.keys(LANGUAGES)) {
    await prepareLanguage(language, atOnce);
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
