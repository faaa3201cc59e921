import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Platform } from '../../../src/rules/pathShape';
import { classifyPath, isPlanFile, namedProtectedFolder } from '../../../src/rules/protectedPaths';

function kindOf(realPath: string, platform: Platform, ...workspaceRoots: string[]): string {
  const { kind, folder } = classifyPath({ realPath, workspaceRoots, platform });
  return folder === undefined ? kind : `${kind} ${folder}`;
}

test('on POSIX a path is inside, outside or protected by its folders below the workspace', () => {
  const cases: [string, string][] = [
    ['/w/app/src/a.ts', 'inside'],
    ['/w/app', 'inside'],
    ['/w/app/src/../b.ts', 'inside'],
    ['/w/app//./b.ts', 'inside'],
    ['/w/app/git/a', 'inside'],
    ['/w/app/.github/a.yml', 'inside'],
    ['/w/app/.gitignore', 'inside'],
    ['/w/app/.git.bak/a', 'inside'],
    ['/w/app/.GIT/config', 'protected .git'],
    ['/w/app/a\\.git\\b', 'inside'],
    ['/w/app/.git/hooks/pre-commit', 'protected .git'],
    ['/w/app/.git', 'protected .git'],
    ['/w/app/sub/module/.git/config', 'protected .git'],
    ['/w/app/.vscode/tasks.json', 'protected .vscode'],
    ['/w/app/.patchbay/tools/a.tool.ts', 'protected .patchbay'],
    ['/w/app/x/../.vscode/settings.json', 'protected .vscode'],
    ['/w/application/a.ts', 'outside'],
    ['/w/app/../b.ts', 'outside'],
    ['/w/app/../../../../etc/passwd', 'outside'],
    ['/etc/passwd', 'outside'],
    ['/other/.git/config', 'outside'],
    ['relative/a.ts', 'outside'],
    ['', 'outside'],
  ];
  for (const [path, kind] of cases) assert.equal(kindOf(path, 'linux', '/w/app'), kind, path);
});

test('a second folder counts, none makes all outside, the root folder makes all inside', () => {
  assert.equal(kindOf('/w/lib/a', 'linux', '/w/app', '/w/lib/'), 'inside');
  assert.equal(kindOf('/w/app/a', 'linux'), 'outside');
  assert.equal(kindOf('/any/a', 'linux', '/'), 'inside');
  assert.equal(kindOf('/any/.git/a', 'linux', '/'), 'protected .git');
  assert.equal(kindOf('/home/.vscode/ws/a', 'linux', '/home/.vscode/ws'), 'inside');
  assert.equal(kindOf('/w/.vscode/ws/a', 'linux', '/w/.vscode/ws', '/w'), 'protected .vscode');
});

test('on Windows letters, slashes and spellings of one file are one, and protected names hold in all of them', () => {
  const root = 'C:\\Work\\My App';
  const cases: [string, string][] = [
    ['C:\\Work\\My App\\src\\a b.ts', 'inside'],
    ['c:/work/my app/src/a b.ts', 'inside'],
    ['\\\\?\\C:\\Work\\My App\\a', 'inside'],
    ['D:\\Work\\My App\\a', 'outside'],
    ['C:\\Work\\My App2\\a', 'outside'],
    ['\\\\wsl.localhost\\Distro\\home\\dev\\a.ts', 'outside'],
    ['/mnt/c/Work/My App/a.ts', 'outside'],
    ['C:Work\\a', 'outside'],
    ['C:\\Work\\My App\\.GIT\\config', 'protected .git'],
    ['C:\\Work\\My App\\.VsCode/tasks.json', 'protected .vscode'],
    ['C:\\Work\\My App\\.git.\\config', 'protected .git'],
    ['C:\\Work\\My App\\.git \\config', 'protected .git'],
    ['C:\\Work\\My App\\.git::$INDEX_ALLOCATION\\config', 'protected .git'],
    ['C:\\Work\\My App\\.patchbay\\tools\\a.ts', 'protected .patchbay'],
  ];
  for (const [path, kind] of cases) assert.equal(kindOf(path, 'win32', root), kind, path);
  assert.equal(kindOf('p:\\a\\b.ts', 'win32', 'P:\\'), 'inside');
  assert.equal(kindOf('\\\\HOST\\Share\\app\\a', 'win32', '\\\\host\\share\\app'), 'inside');
  assert.equal(
    kindOf('\\\\?\\UNC\\host\\share\\app\\a', 'win32', '\\\\host\\share\\app'),
    'inside',
  );
  assert.equal(kindOf('\\\\host\\other\\app\\a', 'win32', '\\\\host\\share\\app'), 'outside');
});

test('on macOS case, composed letters and characters of no width make no difference', () => {
  const root = '/Users/ann/Größe'.normalize('NFC');
  assert.equal(kindOf('/users/ANN/größe/a.ts'.normalize('NFD'), 'darwin', root), 'inside');
  assert.equal(kindOf(`${root}/.Git/config`, 'darwin', root), 'protected .git');
  assert.equal(kindOf(`${root}/.g\u200cit/config`, 'darwin', root), 'protected .git');
});

test('a link that has a protected name protects what lies behind it', () => {
  assert.equal(namedProtectedFolder('/w/app/.patchbay/a.ts', ['/w/app'], 'linux'), '.patchbay');
  assert.equal(namedProtectedFolder('/link/.git/a', ['/w/app'], 'linux'), '.git');
  assert.equal(
    namedProtectedFolder('/home/.vscode/ws/a', ['/home/.vscode/ws'], 'linux'),
    undefined,
  );
});

test('only markdown files directly in the plan folder are plans', () => {
  const isPlan = (path: string, folder = '/h/.claude/plans'): boolean =>
    isPlanFile(path, folder, 'linux');
  assert.equal(isPlan('/h/.claude/plans/say-hi.md'), true);
  for (const path of [
    '/h/.claude/plans/a.sh',
    '/h/.claude/plans/x/a.md',
    '/h/.claude/a.md',
    '/h/.claude/plans',
    '/h/.claude/plans/../a.md',
  ]) {
    assert.equal(isPlan(path), false, path);
  }
  for (const folder of ['', '/', 'plans']) assert.equal(isPlan('/a.md', folder), false, folder);
  assert.equal(isPlanFile('c:\\H\\.claude\\plans\\A.MD', 'C:\\h\\.claude\\plans', 'win32'), true);
});

test('what shells start with and what names programs to be run is protected on every platform', () => {
  const files = [
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile',
    '.zlogin .zlogout .kshrc .cshrc .tcshrc .inputrc config.fish .envrc .mcp.json .gitmodules',
    '.gitconfig .npmrc .yarnrc .yarnrc.yml .ripgreprc profile.ps1 Microsoft.PowerShell_profile.ps1',
    'Microsoft.VSCode_profile.ps1 shop.code-workspace .claude.json .devcontainer.json',
    '.pre-commit-config.yaml lefthook.yml .lefthook.yaml pyrightconfig.json .pnp.cjs .pnpmfile.cjs',
    'bunfig.toml .bunfig.toml .bazelrc .bazeliskrc gradle-wrapper.properties',
  ];
  for (const name of files.join(' ').split(' ')) {
    const named = `protected ${name.toLowerCase()}`;
    assert.equal(kindOf(`/w/app/sub/${name}`, 'linux', '/w/app'), named);
    assert.equal(kindOf(`/w/app/${name.toUpperCase()}`, 'darwin', '/w/app'), named);
    assert.equal(kindOf(`C:\\app\\sub\\${name}`, 'win32', 'c:\\App'), named);
    assert.equal(kindOf(`C:\\app\\${name}.`, 'win32', 'c:\\App'), named);
  }
});

test('folders of editors, agents and hooks are protected, those that only sound like them are not', () => {
  const cases: [string, string][] = [
    ['/w/app/.claude/settings.json', 'protected .claude'],
    ['/w/app/.claude/settings.local.json', 'protected .claude'],
    ['/w/app/.husky/pre-commit', 'protected .husky'],
    ['/w/app/.idea/workspace.xml', 'protected .idea'],
    ['/w/app/.devcontainer/devcontainer.json', 'protected .devcontainer'],
    ['/w/app/.cargo/config.toml', 'protected .cargo'],
    ['/w/app/.yarn/releases/yarn.cjs', 'protected .yarn'],
    ['/w/app/.mvn/wrapper/a.jar', 'protected .mvn'],
    ['/w/app/.config/git/config', 'protected .config/git'],
    ['/w/app/.config/gitx/a', 'inside'],
    ['/w/app/git/config', 'inside'],
    ['/w/app/cargo/config.toml', 'inside'],
    ['/w/app/.config/fish/config.fish', 'protected config.fish'],
    ['/w/app/.config/fish/conf.d/a.fish', 'protected fish/conf.d'],
    ['/w/app/fish/functions/ls.fish', 'protected fish/functions'],
    ['/w/app/fish/salmon.ts', 'inside'],
    ['/w/app/.bashrc.md', 'inside'],
    ['/w/app/bashrc', 'inside'],
    ['/w/app/.bashrc/a.ts', 'inside'],
    ['/w/app/src/profile.ts', 'inside'],
    ['/w/app/CLAUDE.md', 'inside'],
    ['/w/app/package.json', 'inside'],
    ['/w/app/.github/workflows/a.yml', 'inside'],
  ];
  for (const [path, kind] of cases) assert.equal(kindOf(path, 'linux', '/w/app'), kind, path);
});

test('a worktree of the agent is a checkout as any other: its own places are protected, not all of it', () => {
  const cases: [string, string][] = [
    ['/w/app/.claude/worktrees/fix/src/a.ts', 'inside'],
    ['/w/app/.claude/worktrees/fix/.claude/settings.json', 'protected .claude'],
    ['/w/app/.claude/worktrees/fix/.vscode/tasks.json', 'protected .vscode'],
    ['/w/app/.claude/worktrees/fix/.envrc', 'protected .envrc'],
    ['/w/app/.claude/worktrees/fix', 'protected .claude'],
    ['/w/app/.claude/worktrees', 'protected .claude'],
    ['/w/app/.claude/worktrees/../settings.json', 'protected .claude'],
    ['/w/app/sub/.claude/WorkTrees/fix/src/a.ts', 'inside'],
    ['/w/app/.git/.claude/worktrees/fix/a.ts', 'protected .git'],
  ];
  for (const [path, kind] of cases) assert.equal(kindOf(path, 'linux', '/w/app'), kind, path);
});
