import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { AllowRules } from '../../../src/host/allowRules';

let base: string;
let given: string[] = [];

before(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'patchbay-rules-'));
});

after(() => rm(base, { recursive: true, force: true }));

async function write(folder: string, permissions: object): Promise<string> {
  const root = path.join(base, folder);
  await mkdir(path.join(root, '.claude'), { recursive: true });
  await writeFile(
    path.join(root, '.claude', 'settings.local.json'),
    JSON.stringify({ permissions }),
  );
  return root;
}

function rulesOf(roots: readonly string[], isTrusted = true): AllowRules {
  const home = path.join(base, 'home');
  return new AllowRules({
    log: silentLogger,
    roots: () => roots,
    where: () => ({
      env: {},
      home,
      platform: process.platform,
      managedFile: path.join(base, 'managed'),
    }),
    given: () => given,
    isTrusted: () => isTrusted,
  });
}

const todo = 'mcp__workspace__todo';

test('nothing is allowed before the rules are read', async () => {
  given = ['mcp__workspace'];
  const rules = rulesOf([await write('plain', {})]);
  assert.equal(rules.isAllowed(todo), false);
  await rules.read();
  assert.equal(rules.isAllowed(todo), true);
  assert.equal(rules.isAllowed('mcp__other__todo'), false);
});

test('a rule that asks or denies outweighs one that allows', async () => {
  given = [todo];
  for (const behavior of ['ask', 'deny']) {
    const rules = rulesOf([await write(behavior, { [behavior]: ['mcp__workspace__*'] })]);
    await rules.read();
    assert.equal(rules.isAllowed(todo), false, behavior);
  }
});

test('a rule of one folder alone does not speak for the window', async () => {
  given = [];
  const allows = await write('allows', { allow: [todo] });
  const says = await write('says nothing', {});
  const one = rulesOf([allows]);
  const both = rulesOf([allows, says]);
  await Promise.all([one.read(), both.read()]);
  assert.deepEqual([one.isAllowed(todo), both.isAllowed(todo)], [true, false]);
});

test('rules of a workspace that is not trusted do not count', async () => {
  given = [];
  const rules = rulesOf([await write('untrusted', { allow: [todo] })], false);
  await rules.read();
  assert.equal(rules.isAllowed(todo), false);
});

test('rules that change are told of, the same ones are not', async () => {
  given = [];
  const root = await write('changing', { allow: [] });
  const rules = rulesOf([root]);
  let changes = 0;
  rules.onDidChange(() => (changes += 1));
  await rules.read();
  await rules.read();
  assert.equal(changes, 1);
  await write('changing', { allow: [todo] });
  await rules.read();
  assert.deepEqual([changes, rules.isAllowed(todo)], [2, true]);
});
