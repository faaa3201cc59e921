import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserFacingError } from '../../../src/base/errors';
import { locateCli, type LocateCliOptions } from '../../../src/cli/locateCli';
import { playedDisk } from './playedDisk';

/** Windows and macOS are played: their path rules and a disk are handed in. */

const binary = '\u007fELF';
const nodeScript = '#!/usr/bin/env node\n';

type Played = Partial<LocateCliOptions> & { files: Record<string, string> };

const onMac = ({ files, ...options }: Played) =>
  locateCli({
    platform: 'darwin',
    arch: 'arm64',
    home: '/Users/zoë',
    env: { PATH: '/usr/bin:/bin' },
    disk: playedDisk({ '/usr/bin/env': '', ...files }, '/'),
    ...options,
  });

const onWindows = ({ files, ...options }: Played) =>
  locateCli({
    platform: 'win32',
    arch: 'x64',
    home: 'C:\\Users\\zoë',
    env: { Path: 'C:\\Windows;"C:\\My Tools"', APPDATA: 'C:\\Users\\zoë\\AppData\\Roaming' },
    disk: playedDisk(files, '\\'),
    ...options,
  });

test('With a bare PATH the CLI is found in each known folder, and the answer says whose it is (W01)', async () => {
  const home = '/Users/zoë';
  const places: readonly (readonly [owner: string, file: string])[] = [
    ['native installer', `${home}/.local/bin/claude`],
    ['native installer', `${home}/.claude/local/claude`],
    ['npm', `${home}/.npm-global/bin/claude`],
    ['nvm', `${home}/.nvm/versions/node/v22.1.0/bin/claude`],
    [
      'fnm',
      `${home}/Library/Application Support/fnm/node-versions/v20.0.0/installation/bin/claude`,
    ],
    ['volta', `${home}/.volta/bin/claude`],
    ['asdf', `${home}/.asdf/shims/claude`],
    ['homebrew', '/opt/homebrew/bin/claude'],
    ['homebrew or npm', '/usr/local/bin/claude'],
  ];
  for (const [owner, file] of places) {
    const found = await onMac({ files: { [file]: binary } });
    assert.deepEqual([found.path, found.command, found.source], [file, file, 'known folder']);
    assert.ok(found.why.includes(`(${owner})`), found.why);
    assert.ok(found.tried.some((line) => line.startsWith('PATH: /usr/bin: not there')));
    assert.equal(found.tried.at(-1), `${owner}: ${file}: chosen`);
  }
});

test('Of several versions under nvm the newest that has the CLI is taken, with the Node beside it', async () => {
  const root = '/Users/zoë/.nvm/versions/node';
  const files = Object.fromEntries(
    ['v9.11.2', 'v18.20.0', 'v20.2.0'].flatMap((version) => [
      [`${root}/${version}/bin/claude`, nodeScript],
      [`${root}/${version}/bin/node`, binary],
    ]),
  );
  const found = await onMac({ files: { ...files, [`${root}/v22.0.0/bin/node`]: binary } });
  assert.equal(found.path, `${root}/v20.2.0/bin/claude`);
  assert.deepEqual(found.searchFolders, [`${root}/v20.2.0/bin`, '/usr/bin', '/bin']);
});

test('The login shell is asked after the PATH, not before, and its folders go along', async () => {
  let asked = 0;
  const loginPath = () => {
    asked += 1;
    return Promise.resolve('/Users/zoë/tools/bin:relative:/usr/bin');
  };
  const own = await onMac({ files: { '/usr/bin/claude': binary }, loginPath });
  assert.deepEqual([own.source, own.searchFolders, asked], ['path', undefined, 0]);
  const file = '/Users/zoë/tools/bin/claude';
  const files = {
    [file]: nodeScript,
    '/Users/zoë/tools/bin/node': binary,
    '/opt/homebrew/bin/claude': binary,
  };
  const found = await onMac({ files, loginPath });
  assert.deepEqual([found.path, found.source, asked], [file, 'login shell', 1]);
  assert.deepEqual(found.searchFolders, ['/Users/zoë/tools/bin', '/usr/bin', '/bin']);
});

test('A script whose Node is not on the PATH gets the folder of one that is elsewhere', async () => {
  const files = { '/usr/bin/claude': nodeScript, '/opt/homebrew/bin/node': binary };
  const found = await onMac({ files });
  assert.deepEqual([found.command, found.args], ['/usr/bin/claude', []]);
  assert.deepEqual(found.searchFolders, ['/usr/bin', '/bin', '/opt/homebrew/bin']);
  await assert.rejects(onMac({ files: { '/usr/bin/claude': nodeScript } }), /node, which runs it/);
});

test('When it is nowhere the details list every place, in order', async () => {
  await assert.rejects(onMac({ files: {} }), (error) => {
    assert.ok(error instanceof UserFacingError);
    const lines = error.details?.split('\n') ?? [];
    assert.equal(lines[1], 'PATH: /usr/bin: not there');
    assert.ok(lines.some((line) => line.startsWith('login shell:')));
    assert.ok(lines.some((line) => line.startsWith('homebrew: /opt/homebrew/bin: not there')));
    return true;
  });
});

const npm = 'C:\\Users\\zoë\\AppData\\Roaming\\npm';
const shim = '@"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*';
const script = `${npm}\\node_modules\\@anthropic-ai\\claude-code\\cli.js`;

test("npm's shim on Windows is started as its script by a real Node, never as a batch file (W02)", async () => {
  const files = {
    [`${npm}\\claude.cmd`]: shim,
    [`${npm}\\claude.ps1`]: '',
    [`${npm}\\claude`]: '',
    [script]: '',
  };
  const node = 'C:\\My Tools\\node.exe';
  const found = await onWindows({ files: { ...files, [node]: '' } });
  assert.deepEqual([found.path, found.command, found.args], [`${npm}\\claude.cmd`, node, [script]]);
  const beside = await onWindows({ files: { ...files, [node]: '', [`${npm}\\node.exe`]: '' } });
  assert.equal(beside.command, `${npm}\\node.exe`);
  await assert.rejects(onWindows({ files }), /node, which runs it/);
});

test('An exe on the PATH of Windows is started as it is, before any shim', async () => {
  const exe = 'C:\\My Tools\\claude.exe';
  const found = await onWindows({ files: { [exe]: '', 'C:\\My Tools\\claude.cmd': shim } });
  assert.deepEqual([found.command, found.args, found.source], [exe, [], 'path']);
});

test('A setting on Windows may name a shim, a script or an exe', async () => {
  const node = 'C:\\Program Files\\nodejs\\node.exe';
  const files = { [`${npm}\\claude.cmd`]: shim, [script]: '', [node]: '', 'D:\\c.exe': '' };
  const command = async (configured: string) => {
    const found = await onWindows({ files, configured });
    return [found.command, ...found.args];
  };
  assert.deepEqual(await command(`${npm}\\claude.cmd`), [node, script]);
  assert.deepEqual(await command('~\\AppData\\Roaming\\npm\\claude.cmd'), [node, script]);
  assert.deepEqual(await command(script), [node, script]);
  assert.deepEqual(await command('D:\\c.exe'), ['D:\\c.exe']);
  const blind = { 'D:\\claude.cmd': 'echo' };
  await assert.rejects(onWindows({ files: blind, configured: 'D:\\claude.cmd' }), /which program/);
  await assert.rejects(
    onWindows({ files: { 'D:\\claude.cmd': shim }, configured: 'D:\\claude.cmd' }),
    /was not found at D:/,
  );
});

test('Known folders of Windows and the prefix in .npmrc are looked at', async () => {
  const places = [
    'C:\\Users\\zoë\\.local\\bin\\claude.exe',
    'C:\\Users\\zoë\\AppData\\Local\\Volta\\bin\\claude.exe',
    'C:\\Users\\zoë\\AppData\\Roaming\\nvm\\v20.0.0\\claude.exe',
    'C:\\Users\\zoë\\AppData\\Roaming\\fnm\\node-versions\\v20.0.0\\installation\\claude.exe',
  ];
  for (const file of places) assert.equal((await onWindows({ files: { [file]: '' } })).path, file);
  const rc = {
    'C:\\Users\\zoë\\.npmrc': 'a=b\r\nprefix = "D:\\\\npm"\r\n',
    'D:\\npm\\claude.exe': '',
  };
  assert.equal(
    (await onWindows({ files: { ...rc, 'D:\\\\npm\\claude.exe': '' } })).source,
    'known folder',
  );
  const unix = { '/Users/zoë/.npmrc': 'prefix=${HOME}/n\n', '/Users/zoë/n/bin/claude': binary };
  assert.equal((await onMac({ files: unix })).path, '/Users/zoë/n/bin/claude');
});
