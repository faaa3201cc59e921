import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { silentLogger } from '../../../src/base/logger';
import { configFolder } from '../../../src/cli/configFolder';
import { configFile, readPersonServers, writeMcpConfig } from '../../../src/cli/personServers';
import { projectEntry } from '../../../src/cli/projectFolders';

const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'patchbay-person-')));
after(() => rmSync(home, { recursive: true, force: true }));

const stdio = (name: string) => ({ type: 'stdio', command: name, args: [], env: { T: 'secret' } });

function readWith(cwd: string, env = {}, lines: string[] = []) {
  const log = { ...silentLogger, warn: (line: string) => void lines.push(line) };
  return readPersonServers({ env, home, cwd, log });
}

test('The file is in CLAUDE_CONFIG_DIR, else in the home folder', () => {
  assert.equal(configFile({ env: {}, home: '/h' }), '/h/.claude.json');
  assert.equal(configFile({ env: { CLAUDE_CONFIG_DIR: '/c' }, home: '/h' }), '/c/.claude.json');
});

test('A folder by a relative path lies in the folder in which the CLI works, as it was seen', () => {
  const where = { env: { CLAUDE_CONFIG_DIR: 'conf/here' }, home: '/h' };
  assert.equal(configFile({ ...where, cwd: '/w' }), '/w/conf/here/.claude.json');
  assert.equal(configFolder({ ...where, folder: '/w' }), '/w/conf/here');
  assert.equal(configFolder(where), '/h/conf/here', 'no folder is open');
  assert.equal(configFolder({ env: {}, home: '/h', folder: '/w' }), '/h/.claude');
});

test('The file of an early version is gone on with where it holds something', async () => {
  const config = await mkdtemp(path.join(home, 'early-'));
  const own = path.join(config, '.claude.json');
  const early = path.join(config, '.config.json');
  const where = { env: { CLAUDE_CONFIG_DIR: config }, home: '/h' };
  await writeFile(own, '{}');
  for (const [text, file] of [
    ['', own],
    ['{}', early],
  ] as const) {
    await writeFile(early, text);
    assert.equal(configFile(where), file);
  }
});

test('On Windows a project is found however its folder is written', () => {
  const projects = { 'C:/Users/Me/App': { mcpServers: {} }, '/other': {} };
  for (const folder of ['c:\\Users\\Me\\App', 'C:/Users/Me/App']) {
    assert.equal(
      projectEntry(projects, ['c:\\none', folder], 'win32'),
      projects['C:/Users/Me/App'],
    );
  }
  assert.equal(projectEntry(projects, ['c:\\Users\\Me\\App'], 'linux'), undefined);
  assert.equal(
    projectEntry({ ...projects, '/x': 1 }, ['/x', '/other'], 'linux'),
    projects['/other'],
  );
  assert.equal(projectEntry(projects, ['constructor']), undefined);
});

test('User and local scope are joined, local first, switched-off ones left out', async () => {
  const repository = path.join(home, 'repo');
  await mkdir(path.join(repository, '.git'), { recursive: true });
  await mkdir(path.join(repository, 'sub'));
  await symlink(path.join(repository, 'sub'), path.join(home, 'link'));
  await writeFile(
    path.join(home, '.claude.json'),
    `\uFEFF${JSON.stringify({
      mcpServers: { a: stdio('a'), both: stdio('user'), off: stdio('off'), broken: 7 },
      projects: {
        [repository]: {
          mcpServers: { both: stdio('local'), b: stdio('b') },
          disabledMcpServers: ['off'],
        },
        '/elsewhere': { mcpServers: { c: stdio('c') } },
      },
    })}`,
  );
  for (const cwd of [repository, path.join(repository, 'sub'), path.join(home, 'link')]) {
    const servers = readWith(cwd);
    assert.deepEqual(Object.keys(servers), ['a', 'both', 'b']);
    assert.deepEqual(servers.both, stdio('local'));
  }
  assert.deepEqual(Object.keys(readWith('/no/such/folder')), ['a', 'both', 'off']);
});

test('A missing file means no servers, a broken one too, with one line in the log', async () => {
  const folder = path.join(home, 'config');
  await mkdir(folder);
  const lines: string[] = [];
  assert.deepEqual(readWith(home, { CLAUDE_CONFIG_DIR: folder }, lines), {});
  assert.deepEqual(lines, []);
  await writeFile(path.join(folder, '.claude.json'), '{"mcpServers": {');
  assert.deepEqual(readWith(home, { CLAUDE_CONFIG_DIR: folder }, lines), {});
  assert.equal(lines.length, 1);
  await writeFile(path.join(folder, '.claude.json'), '[1]');
  assert.deepEqual(readWith(home, { CLAUDE_CONFIG_DIR: folder }), {});
});

test('The file for the CLI is private, ours win in it, and it is gone after dispose', async () => {
  const own = { editor: { type: 'sdk', name: 'editor', version: '1.0.0' } } as const;
  const person = { editor: stdio('theirs'), other: stdio('other') };
  const file = await writeMcpConfig({ own, person }, home);
  assert.ok(file !== undefined);
  assert.equal(statSync(file.path).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(readFileSync(file.path, 'utf8')), {
    mcpServers: { editor: own.editor, other: person.other },
  });
  await file.dispose();
  await file.dispose();
  assert.ok(!existsSync(file.path));
  assert.equal(await writeMcpConfig({ own: {}, person: {} }, home), undefined);
});
