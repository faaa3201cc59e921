import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { UserFacingError } from '../../../src/base/errors';
import { realDisk, type CliDisk } from '../../../src/cli/cliDisk';
import { cliVersion } from '../../../src/cli/cliVersion';
import { locateCli, type LocateCliOptions } from '../../../src/cli/locateCli';

const base = mkdtempSync(path.join(tmpdir(), 'patchbay locate ü '));
after(() => rmSync(base, { recursive: true, force: true }));

async function put(folder: string, name: string, text = '#!/bin/sh\n', mode = 0o755) {
  await mkdir(path.join(base, folder), { recursive: true });
  const file = path.join(base, folder, name);
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

/** Nothing of this machine: a person may have a CLI in one of the known folders. */
const disk: CliDisk = {
  ...realDisk,
  isFile: (file) => /^(?:\/usr)?\/bin\//.test(file.replace(base, '/bin/')) && realDisk.isFile(file),
};
const locate = (options: Partial<LocateCliOptions>) =>
  locateCli({ env: { PATH: '' }, home: base, platform: 'linux', arch: 'x64', disk, ...options });
const command = (file: string) => ({ command: file, args: [], file });

async function fails(options: Partial<LocateCliOptions>, words: RegExp): Promise<void> {
  await assert.rejects(
    () => locate(options),
    (error) => {
      assert.ok(error instanceof UserFacingError);
      assert.match(error.message, words);
      assert.ok(error.next !== undefined);
      return true;
    },
  );
}

test('The setting comes before the PATH, the PATH before the bundled one', async () => {
  const set = await put('set', 'my claude');
  const onPath = await put('path', 'claude');
  const bundled = await put('nm/@anthropic-ai/claude-agent-sdk-linux-x64', 'claude');
  const env = { PATH: `relative::${path.join(base, 'none')}:${path.join(base, 'path')}` };
  const bundledIn = path.join(base, 'nm');
  assert.equal((await locate({ configured: set, env, bundledIn })).path, set);
  assert.equal((await locate({ configured: ' ~/set/my claude ', env })).path, set);
  const found = await locate({ env, bundledIn });
  assert.deepEqual([found.path, found.source], [onPath, 'path']);
  assert.equal((await locate({ configured: '', bundledIn })).path, bundled);
});

test('A candidate that cannot run is passed over and named', async () => {
  const bad = await put('bad', 'claude', 'words', 0o644);
  const good = await put('good', 'claude');
  const env = { PATH: `${path.join(base, 'bad')}:${path.join(base, 'good')}` };
  const located = await locate({ env });
  assert.equal(located.path, good);
  assert.ok(located.why.includes(bad));
});

test('Not found, not executable, not a file and a missing interpreter are told apart', async () => {
  const plain = await put('plain', 'claude', 'words', 0o644);
  const orphan = await put('orphan', 'claude', '#!/no/such/interpreter -x\n');
  const env = await put('env', 'claude', '#!/usr/bin/env -S no-such-runtime --flag\n');
  await fails({}, /was not found on the PATH/);
  await fails({ configured: path.join(base, 'nothing') }, /was not found at/);
  await fails({ configured: 'bin/claude' }, /not an absolute path/);
  await fails({ configured: base }, /not an executable file/);
  await fails({ configured: plain }, /not an executable file/);
  await fails({ configured: orphan }, /\/no\/such\/interpreter, which runs it/);
  await fails({ configured: env }, /no-such-runtime, which runs it/);
  await fails({ env: { PATH: path.dirname(plain) } }, /not an executable file/);
});

test('The version is asked once for a file until the file changes', async () => {
  const log = path.join(base, 'asked');
  const file = await put('v', 'claude', `#!/bin/sh\necho x >> "${log}"\necho "1.2.3 (X)"\n`);
  const env = { PATH: '/usr/bin:/bin' };
  const asked = async () => (await import('node:fs')).readFileSync(log, 'utf8').length / 2;
  const answers = await Promise.all([
    cliVersion(command(file), env),
    cliVersion(command(file), env),
  ]);
  assert.deepEqual(answers, ['1.2.3', '1.2.3']);
  assert.equal(await asked(), 1);
  await utimes(file, 1, 1);
  assert.equal(await cliVersion(command(file), env), '1.2.3');
  assert.equal(await asked(), 2);
  assert.equal(await cliVersion(command(path.join(base, 'nothing')), env), undefined);
  const failing = await put('f', 'claude', '#!/bin/sh\nexit 1\n');
  assert.equal(await cliVersion(command(failing), env), undefined);
});
