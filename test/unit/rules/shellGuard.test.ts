import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayChangeToolFiles } from '../../../src/rules/shellGuard';

const bash = (line: string, cwd = '/work/shop') => mayChangeToolFiles('Bash', line, cwd);

test('a line that names tool files and may write is told, however it is written', () => {
  for (const line of [
    'echo x > .patchbay/tools/a.tool.ts',
    'touch .patchbay/x',
    'rm -rf .PATCHBAY',
    "tee '.patchbay/tools/a.tool.ts' < a",
    'cp a .patch"bay"/tools/',
    String.raw`mv a .patch\bay/a`,
    "echo x > .pat''chbay/a",
    'cp a .patch*/tools',
    'cp a .p?tchbay/tools',
    'cp a .[p]atchbay/tools',
    'cp a .{patchbay,x}/tools',
    `cp a ${'.*a*'.repeat(40)}`,
    'cd .patchbay && echo x > a',
    'cat .patchbay/a; echo x > .patchbay/a',
    'cat .patchbay/a | tee b',
    'git checkout main -- .patchbay',
    "node -e \"require('fs').writeFileSync('.patchbay/a', '')\"",
    'sed -i s/a/b/ .patchbay/a',
    'ls $(touch .patchbay/a)',
    'find .patchbay -delete',
  ]) {
    assert.equal(bash(line), true, line);
  }
});

test('a line that only reads there, or names other places, is left to the CLI', () => {
  for (const line of [
    'ls -la .patchbay/tools',
    'cat .patchbay/tools/a.tool.ts',
    'cd .patchbay && ls',
    'grep -rn defineTool .patchbay',
    'cat .patchbay/a 2>/dev/null | head -5',
    'npm test',
    'echo patchbay > a',
    'rm -rf dist *',
    'cp .git* b',
    '',
  ]) {
    assert.equal(bash(line), false, line);
  }
});

test('a line that begins in the folder need not name it', () => {
  assert.equal(bash('echo x > a', '/work/shop/.patchbay/tools'), true);
  assert.equal(bash('ls', '/work/shop/.patchbay/tools'), false);
  assert.equal(mayChangeToolFiles('PowerShell', 'Set-Content a x', 'C:\\shop\\.Patchbay'), true);
});

test('of other shells nothing is known that only reads', () => {
  assert.equal(mayChangeToolFiles('PowerShell', 'Get-Content .patch`bay/a', '/work'), true);
  assert.equal(mayChangeToolFiles('PowerShell', 'Get-Content a', '/work'), false);
});

test('a long line is looked through within a moment', () => {
  const line = `${'.p*{a,'.repeat(40_000)} .${'*'.repeat(190)}`;
  assert.equal(typeof bash(line), 'boolean');
  assert.equal(bash(`${'x '.repeat(50_000)} .patchbay`), true);
});
