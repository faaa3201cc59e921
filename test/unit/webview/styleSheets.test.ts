import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../../harness/paths';

/** The sheets that the panel loads together, in their order. */
function sheets(): readonly string[] {
  const main = readFileSync(inRoot('src/webview/main.tsx'), 'utf8');
  return [...main.matchAll(/^import '\.\/(.+\.css)';$/gm)].flatMap(([, name]) => name ?? []);
}

test('no two style sheets of the panel draw a class of the same name: the later would win', () => {
  const owners = new Map<string, string[]>();
  // It says again, for some themes, what others say.
  for (const sheet of sheets().filter((name) => name !== 'contrast.css')) {
    const text = readFileSync(path.join(inRoot('src/webview'), sheet), 'utf8');
    for (const name of new Set(text.match(/^\.[\w-]+(?= \{$)/gm))) {
      owners.set(name, [...(owners.get(name) ?? []), sheet]);
    }
  }
  assert.ok(owners.size > 100, 'the sheets are read');
  assert.deepEqual(
    [...owners].filter(([, all]) => all.length > 1),
    [],
  );
});
