import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../../harness/paths';

const SAMPLES = 'docs/samples/tools';

test('the examples of docs/tool-files.md are the samples, word by word', () => {
  const page = readFileSync(inRoot('docs/tool-files.md'), 'utf8');
  const shown = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  const names = readdirSync(inRoot(SAMPLES), { recursive: true }).map(String);
  const files = names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(inRoot(SAMPLES, name), 'utf8'));
  assert.deepEqual(shown.toSorted(), files.toSorted());
});
