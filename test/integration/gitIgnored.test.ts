import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { GitIgnored } from '../../src/host/gitIgnored';

const run = promisify(execFile);
const folders: string[] = [];
after(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay ignored ')));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  await run('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}

function asker(over: { mayRun?: boolean } = {}) {
  const clock = { now: 0 };
  const { PATH = '' } = process.env;
  const git = new GitIgnored({
    mayRun: () => over.mayRun ?? true,
    env: () => ({ PATH, HOME: tmpdir(), GIT_CONFIG_NOSYSTEM: '1' }),
    now: () => clock.now,
    // Git is waited for, however busy the machine is.
    withinMs: 60_000,
  });
  return { git, clock };
}

test('what git ignores is left out, also names that are no plain words', async () => {
  const folder = await repository({
    '.gitignore': 'out/\n*.log\n!kept.log\nlö cal.txt\n',
    'out/a.js': '',
    'src/.gitignore': 'made.ts\n',
  });
  const names = [
    ...['out/a.js', 'src/a.ts', 'src/made.ts', 'x.log', 'kept.log', 'lö cal.txt'],
    ...['-rf', 'new\nline.log', 'a "quoted" name.ts'],
  ];
  const files = names.map((name) => path.join(folder, name));
  const left = await asker().git.without(folder, files);
  assert.deepEqual(
    left.map((file) => path.relative(folder, file)),
    ['src/a.ts', 'kept.log', '-rf', 'a "quoted" name.ts'],
  );
});

test('an answer is remembered for a while, until it is forgotten', async () => {
  const folder = await repository({ '.gitignore': '*.log\n' });
  const { git, clock } = asker();
  const file = path.join(folder, 'x.log');
  assert.deepEqual(await git.without(folder, [file]), []);
  await writeFile(path.join(folder, '.gitignore'), '');
  assert.deepEqual(await git.without(folder, [file]), []);
  clock.now += 120_000;
  assert.deepEqual(await git.without(folder, [file]), [file]);
  await writeFile(path.join(folder, '.gitignore'), '*.log\n');
  git.forget();
  assert.deepEqual(await git.without(folder, [file]), []);
});

test('in a folder that a repository around it ignores, all files are wanted', async () => {
  const folder = await repository({ '.gitignore': 'scratch/\n', 'scratch/a.ts': '' });
  const scratch = path.join(folder, 'scratch');
  const file = path.join(scratch, 'a.ts');
  assert.deepEqual(await asker().git.without(scratch, [file]), [file]);
  assert.deepEqual(await asker().git.without(folder, [file]), []);
});

test('outside of a repository, without trust, and where git cannot run nothing counts as ignored', async () => {
  const folder = await repository({ '.gitignore': '*.log\n' });
  const file = path.join(folder, 'x.log');
  assert.deepEqual(await asker({ mayRun: false }).git.without(folder, [file]), [file]);
  const plain = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay plain ')));
  folders.push(plain);
  const other = path.join(plain, 'x.log');
  assert.deepEqual(await asker().git.without(plain, [other]), [other]);
  const gone = path.join(plain, 'gone');
  assert.deepEqual(await asker().git.without(gone, [path.join(gone, 'a')]), [path.join(gone, 'a')]);
  assert.deepEqual(await asker().git.without(folder, []), []);
});

test('a file behind a link, in a submodule or in a repository below hides nothing that is ignored', async () => {
  const folder = await repository({ '.gitignore': '.env\n', '.env': 'x', ok: 'y', 'real/z': 'z' });
  const inner = await repository({ '.gitignore': '.env\n', '.env': 'x', ok: 'y' });
  await symlink('real', path.join(folder, 'lk'));
  const below = async (...names: string[]) => {
    const { git } = asker();
    const at = names.map((name) => path.join(folder, name));
    return (await git.without(folder, at)).map((file) => path.relative(folder, file));
  };
  assert.deepEqual(await below('.env', 'ok', 'lk/z'), ['ok', 'lk/z']);
  const outer = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay holds ')));
  folders.push(outer);
  await symlink(inner, path.join(outer, 'r1'));
  const { git } = asker();
  const files = ['r1/.env', 'r1/ok'].map((name) => path.join(outer, name));
  assert.deepEqual(await git.without(outer, files), [path.join(outer, 'r1/ok')]);
});
