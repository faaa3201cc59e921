import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { GitIgnored } from '../../src/host/gitIgnored';
import { KeptBackFiles } from '../../src/host/keptBackFiles';

const run = promisify(execFile);
let base = '';

before(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay kept back ')));
});
after(() => rm(base, { recursive: true, force: true }));

const at = (name: string): string => path.join(base, name);

async function put(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), 'x');
  }
}

function keptBack(roots: readonly string[], globs: readonly string[] = [], mayRun = true) {
  const { PATH = '' } = process.env;
  const git = new GitIgnored({
    mayRun: () => mayRun,
    env: () => ({ PATH, HOME: tmpdir(), GIT_CONFIG_NOSYSTEM: '1' }),
    now: () => 0,
    // Git is waited for, however busy the machine is.
    withinMs: 60_000,
  });
  const kept = new KeptBackFiles({
    roots: () => roots.map(at),
    globs: () => globs,
    git,
    platform: process.platform,
  });
  return async (...names: readonly string[]): Promise<Readonly<Record<string, string>>> => {
    const files = names.map(at);
    const reasons = await kept.withheld(files);
    const call = kept.forOneCall();
    for (const time of ['first', 'second'])
      assert.deepEqual(await call.withheld(files), reasons, `${time} time in one call`);
    return Object.fromEntries(
      names.flatMap((name) => {
        const reason = reasons.get(at(name));
        return reason === undefined ? [] : [[name, reason]];
      }),
    );
  };
}

const SECRET = 'a file of secrets that is not in git:';
const OUT = 'a link out of the workspace:';

test('secrets that git ignores are kept back, also behind a link; what git tracks is not', async () => {
  await put('repo/.env', 'repo/.env.local', 'repo/.env.example', 'repo/sub/.env', 'repo/a.pem');
  await put('repo/src/a.ts', 'repo/.env.shared', 'repo/public.pem');
  await writeFile(at('repo/.gitignore'), '.env*\n!.env.example\n!.env.shared\na.pem\nsrc/\n');
  await run('git', ['init', '--quiet'], { cwd: at('repo') });
  await run('git', ['add', '.env.shared'], { cwd: at('repo') });
  await symlink('.env', at('repo/innocent.txt'));
  const look = keptBack(['repo']);
  const names = ['.env', '.env.local', '.env.example', 'sub/.env', 'a.pem', 'src/a.ts'];
  names.push('.env.shared', 'public.pem', 'innocent.txt');
  assert.deepEqual(await look(...names.map((name) => `repo/${name}`)), {
    'repo/.env': SECRET,
    'repo/.env.local': SECRET,
    'repo/sub/.env': SECRET,
    'repo/a.pem': SECRET,
    'repo/innocent.txt': SECRET,
  });
});

test('a file of the environment that is new to git is kept back until git tracks it', async () => {
  const names = [
    '.env',
    'deep/.env',
    'linked/.env',
    '.env.[ab]',
    '.env.a',
    'inner/.env',
    'new.pem',
  ];
  const inRepo = names.map((name) => `fresh/${name}`);
  await put('aside/.env', ...inRepo.filter((name) => !name.includes('linked')));
  await symlink('deep', at('fresh/linked'));
  for (const folder of ['fresh', 'fresh/inner']) {
    await run('git', ['init', '--quiet'], { cwd: at(folder) });
  }
  // Nothing is ignored yet, as in a project of today.
  const kept = (...open: readonly string[]) =>
    Object.fromEntries(
      inRepo.filter((name) => !open.includes(name)).map((name) => [name, SECRET] as const),
    );
  assert.deepEqual(await keptBack(['fresh'])(...inRepo), kept('fresh/new.pem'));
  await run('git', ['--literal-pathspecs', 'add', '.env.[ab]', 'deep'], { cwd: at('fresh') });
  await run('git', ['add', '.env'], { cwd: at('fresh/inner') });
  const open = ['fresh/new.pem', 'fresh/.env.[ab]', 'fresh/deep/.env', 'fresh/linked/.env'];
  assert.deepEqual(await keptBack(['fresh'])(...inRepo), kept(...open, 'fresh/inner/.env'));
});

test('git is started once for each repository, however many folders have such a file', async () => {
  const names = ['.env', ...Array.from({ length: 12 }, (_, n) => `packages/p${n}/.env`)];
  await put(...names.map((name) => `many/${name}`), 'many/inner/a/.env', 'many/inner/b/.env');
  for (const folder of ['many', 'many/inner']) {
    await run('git', ['init', '--quiet'], { cwd: at(folder) });
  }
  await run('git', ['add', 'packages/p3'], { cwd: at('many') });
  await run('git', ['add', 'b'], { cwd: at('many/inner') });
  const { PATH = '' } = process.env;
  await mkdir(at('bin'));
  const counting = `#!/bin/sh\necho x >> '${at('starts')}'\nPATH='${PATH}' exec git "$@"\n`;
  await writeFile(at('bin/git'), counting, { mode: 0o755 });
  const git = new GitIgnored({
    mayRun: () => true,
    env: () => ({ PATH: `${at('bin')}:${PATH}`, HOME: tmpdir(), GIT_CONFIG_NOSYSTEM: '1' }),
    now: () => 0,
    withinMs: 60_000,
  });
  const files = [...names, 'inner/a/.env', 'inner/b/.env'].map((name) => at(`many/${name}`));
  const tracked = await git.tracked(at('many'), files);
  assert.deepEqual(
    files.filter((file) => tracked.get(file) === true),
    [at('many/packages/p3/.env'), at('many/inner/b/.env')],
  );
  assert.equal(await readFile(at('starts'), 'utf8'), 'x\nx\n');
});

test('where git does not tell, files of the environment are kept back and keys are not', async () => {
  await put('plain/.env', 'plain/.env.example', 'plain/a.pem', 'plain/a.ts');
  const names = ['plain/.env', 'plain/.env.example', 'plain/a.pem', 'plain/a.ts'];
  for (const look of [keptBack(['plain']), keptBack(['plain'], [], false)]) {
    assert.deepEqual(await look(...names), { 'plain/.env': SECRET });
  }
});

test('a link out of the workspace is kept back, one between its folders is not', async () => {
  await put('one/a.ts', 'two/b.ts', 'away/c.ts');
  await symlink(at('away/c.ts'), at('one/c.ts'));
  await symlink(at('away'), at('one/folder'));
  await symlink(at('two/b.ts'), at('one/b.ts'));
  const look = keptBack(['one', 'two']);
  assert.deepEqual(
    await look('one/a.ts', 'one/b.ts', 'one/c.ts', 'one/folder/c.ts', 'one/folder/new.ts'),
    { 'one/c.ts': OUT, 'one/folder/c.ts': OUT, 'one/folder/new.ts': OUT },
  );
  // What must not be written is not written through a link either.
  await symlink(at('away/c.ts'), at('one/.env'));
  const ignored = `the person's setting patchbay.ignore (folder) keeps back`;
  assert.deepEqual(await keptBack(['one', 'two'], ['folder'])('one/.env', 'one/folder/c.ts'), {
    'one/.env': SECRET,
    'one/folder/c.ts': ignored,
  });
  // By its name outside: whoever asks knows that by itself.
  assert.deepEqual(await look('away/c.ts'), {});
});

test('the setting counts below each folder, whatever links lead there', async () => {
  await put('first/private/a.ts', 'first/src/a.ts', 'second/deep/x.sec', 'second/private/a.ts');
  await symlink(at('first'), at('linked'));
  await symlink('private/a.ts', at('first/open.ts'));
  const globs = ['/private', '*.sec'];
  const why = (glob: string): string => `the person's setting patchbay.ignore (${glob}) keeps back`;
  assert.deepEqual(
    await keptBack(['linked', 'second'], globs)(
      'linked/private/a.ts',
      'first/private/a.ts',
      'linked/open.ts',
      'linked/src/a.ts',
      'second/deep/x.sec',
      'second/private/a.ts',
    ),
    {
      'linked/private/a.ts': why('/private'),
      'first/private/a.ts': why('/private'),
      'linked/open.ts': why('/private'),
      'second/deep/x.sec': why('*.sec'),
      'second/private/a.ts': why('/private'),
    },
  );
});

test('the glob of the setting that covers a file is told, also for what a link leads to', async () => {
  await put('globs/notes/a.txt', 'globs/src/a.ts');
  await symlink('notes/a.txt', at('globs/plain.txt'));
  const kept = new KeptBackFiles({
    roots: () => [at('globs')],
    globs: () => ['notes/**'],
    git: {
      verdicts: () => Promise.resolve(new Map()),
      tracked: () => Promise.resolve(new Map()),
    },
    platform: process.platform,
  });
  const told = (name: string) => kept.ignoredBySetting(at(name));
  assert.equal(await told('globs/notes/a.txt'), 'notes/**');
  assert.equal(await told('globs/plain.txt'), 'notes/**');
  assert.equal(await told('globs/src/a.ts'), undefined);
  assert.equal(await told('elsewhere/notes/a.txt'), undefined);
});

test('of many files asked about at once each gets what it gets alone, whatever roots lie in one another', async () => {
  const folders = ['nest', 'nest/inner', 'nest/inner/deep', 'beside'];
  const names = ['a.ts', '.env', 'b.sec', 'inner', 'with blank.sec', 'ä.sec', 'nest', 'c.d.sec'];
  const files = folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
  await put(...files.filter((name) => name !== 'nest/inner'));
  for (const roots of [['nest'], ['nest', 'nest/inner'], ['nest/inner', 'nest'], ['nest/inner']]) {
    const look = keptBack(roots, ['/*.sec', 'inner/deep/a.ts'], false);
    const alone = await Promise.all(files.map((file) => look(file)));
    const expected = Object.fromEntries(alone.flatMap((one) => Object.entries(one)));
    assert.ok(Object.keys(expected).length > 5);
    for (const order of [
      files,
      [...files].reverse(),
      [...files].sort((a, b) => a.length - b.length),
    ])
      assert.deepEqual(await look(...order), expected, roots.join());
  }
});

test('a glob counts below each folder that a file lies in, where one lies in the other', async () => {
  await put('mono/pack/secret/a.txt', 'mono/pack/open.txt', 'mono/pack/build/b.txt', 'mono/c.txt');
  const names = ['pack/secret/a.txt', 'pack/open.txt', 'pack/build/b.txt', 'c.txt'].map(
    (name) => `mono/${name}`,
  );
  for (const roots of [
    ['mono', 'mono/pack'],
    ['mono/pack', 'mono'],
  ]) {
    const found = await keptBack(roots, ['/pack/secret', '/build'])(...names);
    assert.deepEqual(Object.keys(found), ['mono/pack/secret/a.txt', 'mono/pack/build/b.txt']);
  }
});
