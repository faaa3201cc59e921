import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readRuleFiles } from '../../../src/cli/ruleFiles';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'patchbay-rules-')));
after(() => rmSync(base, { recursive: true }));
let made = 0;

function place(files: Readonly<Record<string, string>>) {
  const root = path.join(base, `p${(made += 1)}`);
  mkdirSync(path.join(root, 'ws'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const read = (env: Record<string, string> = {}, folder: string | undefined = `${root}/ws`) =>
    readRuleFiles({
      env,
      home: path.join(root, 'home'),
      folder,
      platform: 'linux',
      managedFile: path.join(root, 'managed.json'),
    });
  return { root, read };
}

const rules = (permissions: unknown) => JSON.stringify({ permissions, other: 1 });

test('rules come from all four files, each with its source and its file', async () => {
  const { root, read } = place({
    'managed.json': rules({ deny: ['Bash(a)'] }),
    'home/.claude/settings.json': `\uFEFF${rules({ allow: ['Bash(b)'], additionalDirectories: ['~/x'] })}`,
    'ws/.claude/settings.json': rules({ ask: ['Bash(c)'], allow: ['Read'] }),
    'ws/.claude/settings.local.json': rules({ allow: ['Bash(d)'] }),
  });
  const { rules: found, directories, faults } = await read();
  assert.deepEqual(
    found.map(({ source, behavior, text }) => `${source} ${behavior} ${text}`),
    [
      'policySettings deny Bash(a)',
      'userSettings allow Bash(b)',
      'projectSettings allow Read',
      'projectSettings ask Bash(c)',
      'localSettings allow Bash(d)',
    ],
  );
  assert.equal(found[1]?.file, path.join(root, 'home/.claude/settings.json'));
  assert.deepEqual(directories, [{ folder: '~/x', source: 'userSettings' }]);
  assert.deepEqual(faults, []);
});

test('what an administrator has set may stand in several files, hidden ones left out', async () => {
  const { root, read } = place({
    'managed.json': rules({ deny: ['Bash(a)'] }),
    'managed.d/20.json': rules({ deny: ['Bash(c)'] }),
    'managed.d/10.json': rules({ deny: ['Bash(b)'] }),
    'managed.d/.30.json': rules({ deny: ['Bash(d)'] }),
    'managed.d/notes.txt': 'no settings',
  });
  assert.deepEqual(
    (await read()).rules.map(({ source, text }) => `${source} ${text}`),
    ['policySettings Bash(a)', 'policySettings Bash(b)', 'policySettings Bash(c)'],
  );
  rmSync(path.join(root, 'managed.json'));
  assert.equal((await read()).rules.length, 2, 'they need no file beside them');
});

test('a broken file is named, the others still count; odd values are left out', async () => {
  const { root, read } = place({
    'home/.claude/settings.json': '{"permissions": {',
    'ws/.claude/settings.json': '[1]',
    'ws/.claude/settings.local.json': rules({ allow: ['Bash(d)', 7, null], deny: 'Read' }),
  });
  const { rules: found, faults } = await read();
  assert.deepEqual(
    found.map(({ text }) => text),
    ['Bash(d)'],
  );
  assert.deepEqual(
    faults.map(({ file }) => path.relative(root, file)),
    ['home/.claude/settings.json', 'ws/.claude/settings.json'],
  );
  for (const { reason } of faults) assert.ok(reason.length > 3);
});

test('an empty file, none at all and no folder mean no rules and no fault', async () => {
  const { read } = place({ 'home/.claude/settings.json': ' \n' });
  const found = await read();
  assert.deepEqual([found.rules, found.faults, found.isTrusted], [[], [], false]);
  assert.deepEqual((await read({}, undefined)).rules, []);
});

test('the person’s settings lie where CLAUDE_CONFIG_DIR says, and the mark of trust beside them', async () => {
  const { root, read } = place({ 'conf/settings.json': rules({ allow: ['Bash(b)'] }) });
  const env = { CLAUDE_CONFIG_DIR: path.join(root, 'conf') };
  assert.equal((await read(env)).rules.length, 1);
  assert.equal((await read(env)).isTrusted, false);
  const projects = { [path.join(root, 'ws')]: { hasTrustDialogAccepted: true } };
  writeFileSync(path.join(root, 'conf/.claude.json'), JSON.stringify({ projects }));
  assert.equal((await read(env)).isTrusted, true);
  writeFileSync(path.join(root, 'conf/.claude.json'), '{');
  assert.equal((await read(env)).isTrusted, false);
});

test('the person’s settings of a relative CLAUDE_CONFIG_DIR are those below the folder', async () => {
  const { root, read } = place({ 'ws/conf/settings.json': rules({ deny: ['Read(b)'] }) });
  const env = { CLAUDE_CONFIG_DIR: 'conf' };
  assert.equal((await read(env)).rules.length, 1);
  const projects = { [path.join(root, 'ws')]: { hasTrustDialogAccepted: true } };
  writeFileSync(path.join(root, 'ws/conf/.claude.json'), JSON.stringify({ projects }));
  assert.equal((await read(env)).isTrusted, true);
});

test('a worktree is trusted as the checkout that it belongs to', async () => {
  const { root, read } = place({
    'main/.git/worktrees/ws/commondir': '../..\n',
    'main/.git/worktrees/ws/gitdir': '../../../../ws/.git\n',
    'ws/.git': 'gitdir: ../main/.git/worktrees/ws\n',
  });
  const env = { CLAUDE_CONFIG_DIR: path.join(root, 'conf') };
  const projects = { [path.join(root, 'main')]: { hasTrustDialogAccepted: true } };
  mkdirSync(path.join(root, 'conf'));
  writeFileSync(path.join(root, 'conf/.claude.json'), JSON.stringify({ projects }));
  assert.equal((await read(env)).isTrusted, true);
  writeFileSync(path.join(root, 'main/.git/worktrees/ws/gitdir'), '/another/.git\n');
  assert.equal((await read(env)).isTrusted, false);
});
