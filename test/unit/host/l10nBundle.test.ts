import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../../harness/paths';

const CALL = /\bl10n\.t\(/g;
const CALL_WITH_TEXT = /\bl10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`$\\]*)`)/gs;

const sources = readdirSync(inRoot('src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(inRoot('src', file), 'utf8') }));

/** The tool that makes the bundle takes ten seconds for this; the two must find the same strings. */
const strings = new Set(
  sources.flatMap(({ text }) =>
    [...text.matchAll(CALL_WITH_TEXT)].map((match) =>
      (match[1] ?? match[2] ?? match[3] ?? '').replace(/\\(n|.)/gs, (_, c: string) =>
        c === 'n' ? '\n' : c,
      ),
    ),
  ),
);

test('every string that a person sees is written out where it is used', () => {
  const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
  const computed = sources.filter(({ text }) => count(text, CALL) !== count(text, CALL_WITH_TEXT));
  assert.deepEqual(
    computed.map(({ file }) => file),
    [],
  );
});

test('the bundle for translators holds every string that a person sees, and no other', () => {
  const bundle: unknown = JSON.parse(readFileSync(inRoot('l10n/bundle.l10n.json'), 'utf8'));
  assert.ok(typeof bundle === 'object' && bundle !== null);
  const keys = new Set(Object.keys(bundle));
  const hint = 'run "npm run l10n" and look at what changed';
  assert.deepEqual(
    [...strings].filter((key) => !keys.has(key)),
    [],
    `missing: ${hint}`,
  );
  assert.deepEqual(
    [...keys].filter((key) => !strings.has(key)),
    [],
    `left over: ${hint}`,
  );
});

test('no string for a person is exclaimed', () => {
  assert.deepEqual(
    [...strings].filter((text) => text.includes('!')),
    [],
  );
});
