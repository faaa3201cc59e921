import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';
import { build } from 'esbuild';
import { escapeScript, escapeScripts } from '../../../build/escapeScripts.mjs';

/** Each evaluates to a list of what the characters in it mean. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'a text': String.raw`['’', "\’", '\\’', '\\\’', '😀'.length]`,
  'a template': '[`’${1}☐`, `\\’`]',
  'a regular expression': String.raw`[/’/.test('\u2019'), /[☐☑]/u.test('\u2611'), /\’/.test('\u2019')]`,
  'characters beyond two bytes': String.raw`[/^😀$/u.test('😀'), /^[😀]$/u.test('😀'), /^.😀/.test('a😀')]`,
  'backslashes before it': String.raw`[/\\’/.test('\\\u2019'), /\\\’/.test('\\\u2019'), /\\’/.test('\u2019')]`,
};

for (const [what, script] of Object.entries(SCRIPTS)) {
  test(`a script says the same when what is beyond ASCII in it is escaped: ${what}`, () => {
    const escaped = escapeScript(script);
    assert.match(escaped, /^[\0-\x7f]*$/);
    assert.notEqual(escaped, script);
    assert.deepEqual(vm.runInThisContext(escaped), vm.runInThisContext(script));
  });
}

test('what esbuild leaves beyond ASCII is escaped where it lies, and other files are not touched', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-escape-'));
  const at = (name: string): string => path.join(folder, name);
  try {
    await writeFile(at('in.js'), `export const isEnd = (text) => /[’”]$/u.test(text);\n`);
    await writeFile(at('words.json'), '"’"');
    const options = { bundle: true, minify: true, format: 'esm', logLevel: 'silent' } as const;
    await build({ ...options, entryPoints: [at('in.js')], outfile: at('out.js') });
    const before = await readFile(at('out.js'), 'utf8');
    assert.match(before, /[^\0-\x7f]/, 'esbuild does it itself by now: then this can go');
    await escapeScripts([at('out.js'), at('words.json')]);
    assert.match(await readFile(at('out.js'), 'utf8'), /^[\0-\x7f]*$/);
    assert.equal(await readFile(at('words.json'), 'utf8'), '"’"');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
