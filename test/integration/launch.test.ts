import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { loginShellPath } from '../../src/cli/loginShellPath';
import { prepareCli } from '../../src/cli/prepareCli';
import type { FakeScript } from '../harness/fakeCli/fakeCliScript';
import { isRunning, processesWith, untilGone, untilNone } from '../harness/processes';
import { createFakeBench, isIdle, saidIn, type BenchOptions } from './conversationBench';

const base = mkdtempSync(path.join(tmpdir(), 'patchbay launch ü '));
const ends: (() => Promise<void>)[] = [];
after(async () => {
  await Promise.all(ends.map((end) => end()));
  rmSync(base, { recursive: true, force: true });
});

async function bench(script: FakeScript, options: BenchOptions = {}) {
  const made = await createFakeBench(script, options);
  ends.push(() => made.dispose());
  return made;
}

type Bench = Awaited<ReturnType<typeof bench>>;

/** One turn to its end; returns the start that it ran in. */
async function startOf(made: Bench) {
  await made.prompt('go');
  await made.until('the end', isIdle);
  assert.equal(saidIn(made.view), 'ok');
  const start = (await made.fake.records('start')).at(-1);
  assert.ok(start);
  return start;
}

async function alertOf(made: Bench) {
  await made.prompt('precious words');
  await made.until('the alert', (view) => view.items.at(-1)?.kind === 'error');
  const alert = made.view.items.at(-1);
  assert.ok(alert?.kind === 'error');
  assert.ok(made.view.items[0]?.kind === 'user' && made.view.items[0].text === 'precious words');
  return alert;
}

/** A shell of our own: it gets `-ilc` and the command. */
async function shell(name: string, text: string): Promise<string> {
  const folder = path.join(base, name);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'my shell');
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

/** For a shell that does answer. */
const PATIENCE_MS = 60_000;

const flagsOf = (argv: readonly string[]): string[] => argv.map((arg) => arg.split('=')[0]!);

test('a wrapper is put before the CLI, which gets the same arguments', async () => {
  const cliWrapper = ['env', 'WRAPPED=a b', ''];
  const plain = await startOf(await bench({}));
  const wrapped = await startOf(await bench({}, { settings: { cliWrapper } }));
  assert.equal(wrapped.env.WRAPPED, 'a b');
  assert.deepEqual(flagsOf(wrapped.argv), flagsOf(plain.argv));
  const alert = await alertOf(await bench({}, { settings: { cliWrapper: ['no-such-wrapper'] } }));
  assert.match(alert.message, /no-such-wrapper, the program of the setting patchbay\.cli\.wrapper/);
});

test('with a setting of the start that cannot be read nothing is started, and the setting is named', async () => {
  const made = await bench({}, { settings: { unreadable: ['patchbay.cli.wrapper'] } });
  const alert = await alertOf(made);
  assert.match(alert.message, /The setting patchbay\.cli\.wrapper has a value of a wrong type/);
  assert.ok(alert.actions.includes('openSettings') && alert.actions.includes('retry'));
  assert.deepEqual(await made.fake.records('start'), []);
});

test('variables that are left out are told once, by their names, and the others reach the CLI', async () => {
  const made = await bench(
    {},
    { settings: { variablesLeftOut: ['MAX', 'OFF'] }, environment: { OTHER: 'x' } },
  );
  const start = await startOf(made);
  assert.equal(start.env.OTHER, 'x');
  const told = (): readonly string[] =>
    made.view.items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
  await made.until('the line', () => told().some((text) => /left out.*: MAX, OFF\./.test(text)));
});

test('own arguments are given as they are, and one that the CLI does not know is named with its setting', async () => {
  const cliArguments = ['--effort=high', '--append-system-prompt=say "ü" $HOME'];
  const start = await startOf(await bench({}, { settings: { cliArguments } }));
  assert.deepEqual(start.argv.slice(0, 2), cliArguments);
  const refusing = await bench({ rejectFlags: ['--effort'] }, { settings: { cliArguments } });
  assert.match((await alertOf(refusing)).message, /--effort, which the setting patchbay\.cli\.arg/);
});

test('an optional flag that the CLI refuses is left out, and the turn works', async () => {
  const made = await bench({ rejectFlags: ['--allowedTools', '--include-partial-messages'] });
  const flags = flagsOf((await startOf(made)).argv);
  assert.ok(!flags.includes('--allowedTools') && !flags.includes('--include-partial-messages'));
  assert.ok(flags.includes('--strict-mcp-config'));
});

test('where an older CLI refuses a flag, its help tells which others to leave out', async () => {
  const help = 'Usage\n  --output-format <format>\n';
  const rejectFlags = ['--allowedTools'];
  const made = await bench({ version: '2.1.0 (Claude Code)', help, rejectFlags });
  const flags = flagsOf((await startOf(made)).argv);
  assert.ok(!flags.includes('--allowedTools') && !flags.includes('--include-partial-messages'));
  assert.ok(flags.includes('--permission-prompt-tool'), 'a needed one may be hidden from the help');
});

test('a CLI is not asked for its version before it is started, and tells it when it answers', async () => {
  const made = await bench({});
  await startOf(made);
  assert.deepEqual(await made.fake.records('version'), []);
});

test('a needed flag that the CLI refuses stops the start with its name, and the prompt is kept', async () => {
  const alert = await alertOf(await bench({ rejectFlags: ['--strict-mcp-config'] }));
  assert.match(alert.message, /--strict-mcp-config, which Patchbay needs/);
  assert.ok(alert.kept && (alert.next ?? '').includes('Update the CLI'));
});

test("the editor's proxy and extra certificates reach the CLI (G02)", async () => {
  const proxy = { proxy: 'http://127.0.0.1:9', noProxy: ['localhost'], support: 'override' };
  const cleared = { HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' };
  const environment = { ...cleared, ALL_PROXY: '', NO_PROXY: '', NODE_EXTRA_CA_CERTS: '/ca.pem' };
  const { env } = await startOf(await bench({}, { settings: { proxy }, environment }));
  assert.deepEqual(
    [env.HTTPS_PROXY, env.HTTP_PROXY, env.NO_PROXY, env.NODE_EXTRA_CA_CERTS],
    ['http://127.0.0.1:9', 'http://127.0.0.1:9', 'localhost', '/ca.pem'],
  );
});

test('a variable that no process can be given is named without its value (W03)', async () => {
  const cliEnvironment = { MY_TOKEN: 'private\0words' };
  const alert = await alertOf(await bench({}, { settings: { cliEnvironment } }));
  assert.match(alert.message, /"MY_TOKEN"/);
  assert.ok(!JSON.stringify(alert).includes('private'));
});

test('with a bare PATH the CLI and its Node are found by the login shell, through its greeting (W01)', async () => {
  const made = await bench({});
  const folders = `${made.fake.folder}:${path.dirname(process.execPath)}`;
  const file = await shell(
    'greets',
    `echo "Welcome; today's PATH is long"; PATH="${folders}"; export PATH; eval "$2"`,
  );
  const environment = { PATH: base, HOME: base, SHELL: file };
  const settings = {
    cliPath: '',
    cliEnvironment: {},
    cliWrapper: [],
    proxy: { proxy: '', noProxy: [], support: 'off' },
  };
  const cli = await prepareCli({
    settings,
    hostEnvironment: environment,
    developmentRoot: undefined,
  });
  assert.deepEqual([cli.source, cli.command], ['login shell', made.fake.command]);
  assert.equal(cli.env.PATH, `${folders}:${base}`);
  const started = await bench({}, { environment, settings: { cliPath: '' } });
  const start = await startOf(started);
  assert.equal(start.env.PATH, `${folders}:${base}`);
});

test('a shell that hangs is given up after its limit, and nothing of it is left', async () => {
  const mark = `LAUNCH_TEST=${process.pid}`;
  const file = await shell('hangs', `trap '' TERM; sleep 600 & wait`);
  const env = { SHELL: file, HOME: base, LAUNCH_TEST: String(process.pid) };
  const answer = await loginShellPath({ env, limitMs: 700 });
  assert.equal(answer.path, undefined);
  assert.match(answer.note, /no answer within 700 ms/);
  await untilNone(() => processesWith(mark));
});

test('a shell that answers and then does not end is ended, and its answer counts at once', async () => {
  const pids = path.join(base, 'lingering');
  const file = await shell('lingers', `echo $$ >> "${pids}"; eval "$2"; sleep 600`);
  const env = { SHELL: file, HOME: base, PATH: '/usr/bin:/bin' };
  const { path: told } = await loginShellPath({ env, limitMs: PATIENCE_MS });
  // In the same turn of the loop, before the time is over that it has to end by itself.
  const pid = Number(readFileSync(pids, 'utf8'));
  assert.deepEqual([told, isRunning(pid)], ['/usr/bin:/bin', true]);
  await untilGone([pid]);
});

test('a shell is asked once in a window, also when its answer is none or it floods', async () => {
  const count = path.join(base, 'count');
  const fails = await shell('fails', `echo x >> "${count}"; exit 3`);
  const ask = () => loginShellPath({ env: { SHELL: fails, HOME: base }, limitMs: PATIENCE_MS });
  const [first, second] = await Promise.all([ask(), ask()]);
  assert.deepEqual([first.path, (await ask()).path], [undefined, undefined]);
  assert.match(second.note, /ended with 3/);
  assert.equal((await readFile(count, 'utf8')).length, 2);
  const floods = await shell('floods', 'yes | head -c 3000000; eval "$2"');
  const env = { SHELL: floods, HOME: base, PATH: '/usr/bin:/bin' };
  assert.equal((await loginShellPath({ env, limitMs: PATIENCE_MS })).path, '/usr/bin:/bin');
  assert.equal((await loginShellPath({ env: { SHELL: '/no/such/shell' } })).path, undefined);
});

test('the real shells of this machine tell the PATH that they were given', async () => {
  for (const file of ['/bin/sh', '/bin/bash']) {
    const env = { SHELL: file, HOME: base, PATH: '/usr/bin:/bin' };
    const answer = await loginShellPath({ env, limitMs: PATIENCE_MS });
    assert.ok(answer.path?.split(':').includes('/usr/bin'), `${file}: ${answer.note}`);
  }
});
