import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { SHIPPED, stageExtension } from '../../harness/boot/stage.mjs';
import { inRoot } from '../../harness/paths';

test('The package holds the types of the API and their page, where package.json and the page lead to', async () => {
  const stage = await mkdtemp(path.join(tmpdir(), 'patchbay-stage-'));
  try {
    await stageExtension(inRoot('.'), stage);
    const read = (name: string): string => readFileSync(path.join(stage, name), 'utf8');
    const { types } = JSON.parse(read('package.json')) as { types: string };
    assert.match(read(types), /export interface PatchbayApi /);
    const links = [...read('docs/api.md').matchAll(/\]\(([^)#]*patchbayApi[^)#]*)\)/g)];
    assert.ok(links.length > 0);
    for (const [, link = ''] of links) {
      assert.equal(path.join(stage, 'docs', link), path.join(stage, types));
    }
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
});

test('What is laid out for the package is taken into it', () => {
  const rules = readFileSync(inRoot('.vscodeignore'), 'utf8').split('\n');
  for (const name of SHIPPED.filter((one) => one !== '.vscodeignore' && existsSync(inRoot(one)))) {
    const isKept = [name, `${name}/**`, name.replace('.json', '*.json')].some((one) =>
      rules.includes(`!${one}`),
    );
    assert.ok(isKept, `${name} is not left out by .vscodeignore`);
  }
});
