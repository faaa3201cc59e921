import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { configProblems } from '../../../src/cli/configHealth';

async function withHome(use: (home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'patchbay home ü '));
  try {
    await use(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

test('a home in which nothing is wrong, or nothing is yet, has no problems', async () => {
  await withHome(async (home) => {
    assert.deepEqual(configProblems({ env: {}, home, cwd: home }), []);
    await put(path.join(home, '.claude', 'settings.json'), '\uFEFF{"model":"opus"}');
    await put(path.join(home, 'ws', '.claude', 'settings.local.json'), '');
    assert.deepEqual(configProblems({ env: {}, home, cwd: path.join(home, 'ws') }), []);
  });
});

test('each broken settings file is named, those of the workspace only where they are read', async () => {
  await withHome(async (home) => {
    const own = path.join(home, '.claude', 'settings.json');
    const cwd = path.join(home, 'ws');
    const shared = path.join(cwd, '.claude', 'settings.json');
    const local = path.join(cwd, '.claude', 'settings.local.json');
    await put(own, '{ broken');
    await put(shared, '[1]');
    await put(local, '{"a":1,}');
    const all = configProblems({ env: {}, home, cwd });
    assert.equal(all.length, 3);
    for (const [index, file] of [own, shared, local].entries()) {
      assert.ok(all[index]?.includes(file), all[index]);
    }
    assert.equal(configProblems({ env: {}, home, cwd: undefined }).length, 1);
    const elsewhere = { CLAUDE_CONFIG_DIR: path.join(home, 'other') };
    assert.deepEqual(configProblems({ env: elsewhere, home, cwd: undefined }), []);
  });
});

test('a folder in which nothing can be kept is named', async () => {
  await withHome(async (home) => {
    await writeFile(path.join(home, '.claude'), 'a file, where a folder should be');
    const [problem, ...others] = configProblems({ env: {}, home, cwd: undefined });
    assert.match(problem ?? '', /cannot write to .*\.claude: neither a login nor/);
    assert.deepEqual(others, []);
  });
});
