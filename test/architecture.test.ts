import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findBreaches } from './harness/importRules';
import { inRoot } from './harness/paths';

function sourceFiles(): Map<string, string> {
  const src = inRoot('src');
  const files = new Map<string, string>();
  for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
    const full = path.join(entry.parentPath, entry.name);
    files.set(path.relative(src, full).split(path.sep).join('/'), readFileSync(full, 'utf8'));
  }
  return files;
}

test('no source file breaks the rooms', () => {
  const files = sourceFiles();
  assert.ok(files.size > 30, 'the walk finds the sources');
  assert.deepEqual(findBreaches(files), []);
});

const forbidden: readonly (readonly [title: string, file: string, text: string])[] = [
  ['a lower room importing a higher one', 'protocol/x.ts', `import { a } from '../cli/a';`],
  ['a type import across a wall', 'mcp/x.ts', `import type { A } from '../cli/a';`],
  ['an inline type import across a wall', 'cli/x.ts', `let a: import('../mcp/a').A;`],
  ['a dynamic import across a wall', 'cli/x.ts', `await import('../chat/a');`],
  ['a re-export across a wall', 'rules/x.ts', `export * from '../workFiles/a';`],
  ['a node built-in in a pure room', 'chat/x.ts', `import fs from 'node:fs';`],
  ['a bare built-in', 'cli/x.ts', `import fs from 'fs';`],
  ['run-time vscode outside its rooms', 'conversation/x.ts', `import * as v from 'vscode';`],
  [
    'the webview reaching behind the protocol',
    'webview/x.ts',
    `import { a } from '../chat/model';`,
  ],
  ['an alias', 'host/x.ts', `import { a } from '@/chat/a';`],
  ['a way out of src', 'host/x.ts', `import { a } from '../../test/a';`],
  ['anyone using host', 'editor/x.ts', `import { a } from '../host/a';`],
  ['a room nobody knows', 'helpers/x.ts', `export const a = 1;`],
];

for (const [title, file, text] of forbidden) {
  test(`the walk finds ${title}`, () => {
    assert.equal(findBreaches(new Map([[file, text]])).length, 1);
  });
}

test('the walk finds a cycle of type imports', () => {
  const files = new Map([
    ['chat/a.ts', `import type { B } from './b';`],
    ['chat/b.ts', `import type { A } from './a';`],
  ]);
  assert.match(findBreaches(files)[0] ?? '', /cycle: chat\/a\.ts -> chat\/b\.ts/);
});
