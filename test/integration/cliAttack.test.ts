import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as tick, setTimeout as delay } from 'node:timers/promises';
import { UserFacingError } from '../../src/base/errors';
import { silentLogger } from '../../src/base/logger';
import { askCli } from '../../src/cli/askCli';
import { childEnvironment } from '../../src/cli/environment';
import { Family } from '../../src/cli/endFamily';
import { endHelpers } from '../../src/cli/helperProcess';
import { locateCli } from '../../src/cli/locateCli';
import { loginShellPath } from '../../src/cli/loginShellPath';
import { FAMILY_MARK, startOf } from '../../src/cli/processTable';
import { spawnCli, type SpawnCliOptions } from '../../src/cli/spawnCli';
import { describeSpawnFailure, findMissingInterpreter } from '../../src/cli/spawnFailure';
import { IMPATIENT, listLogger, PATIENT } from '../harness/fakeCli/cliHarness';
import { isRunning, untilGone } from '../harness/processes';

// What a CLI, a shell or a machine can do to whoever starts it. With plain programs of the system
// in the CLI's place, so that each try is quick.
const base = mkdtempSync(path.join(tmpdir(), 'patchbay attack ü '));
after(() => {
  rmSync(base, { recursive: true, force: true });
});
const env = childEnvironment({ inherited: process.env });

function file(name: string, content: string | Uint8Array, mode = 0o755): string {
  const full = path.join(base, name);
  writeFileSync(full, content, { mode });
  return full;
}

function script(name: string, text: string): string {
  return file(name, `#!/bin/sh\n${text}\n`);
}

function start(options: Partial<SpawnCliOptions>) {
  return spawnCli({
    ...{ command: '/bin/cat', args: [], cwd: base, env, log: silentLogger, closeLimits: PATIENT },
    ...options,
  });
}

async function refusal(options: Partial<SpawnCliOptions>): Promise<UserFacingError> {
  const log: string[] = [];
  const running = start({ ...options, log: listLogger(log) });
  const error: unknown = await running.then(
    (transport) => transport.close().then(() => new Error('it was started')),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UserFacingError, String(error));
  assert.ok(error.kept !== undefined && error.next !== undefined);
  assert.ok(!log.join().includes('private'), 'no value of a variable or argument is logged');
  return error;
}

const long = 'x'.repeat(200_000);
const garbage = new Uint8Array([1, 2, 3, 0, 255]);
const refusals: readonly (readonly [
  what: string,
  options: () => Partial<SpawnCliOptions>,
  words: RegExp,
])[] = [
  ['a folder as program', () => ({ command: base }), /not an executable file/],
  ['an empty program', () => ({ command: file('empty', '') }), /empty or damaged/],
  ['bytes that are no program', () => ({ command: file('bytes', garbage) }), /empty or damaged/],
  [
    "a script with Windows' line ends",
    () => ({ command: file('crlf', '#!/bin/sh\r\necho hi\r\n') }),
    /because \/bin\/sh\\r, which runs it/,
  ],
  ['a link to nowhere', () => ({ command: link('nowhere', '/no/such') }), /was not found/],
  ['a link to itself', () => ({ command: link('itself', 'itself') }), /was not found/],
  ['no program at all', () => ({ command: '' }), /was not found/],
  ['a name that is too long', () => ({ command: `/${long}` }), /was not found/],
  ['a name with a NUL', () => ({ command: '/bin/c\0at' }), /was not found/],
  ['a file as folder', () => ({ cwd: file('plain', '') }), /working folder/],
  ['a folder with a NUL', () => ({ cwd: '/tmp\0x' }), /working folder/],
  ['a folder whose name is too long', () => ({ cwd: `/${long}` }), /working folder/],
  ['a folder of no name', () => ({ cwd: '' }), /working folder/],
  ['an argument with a NUL', () => ({ args: ['a', 'private\0words'] }), /Argument 2 .* NUL/],
  ['a variable with a NUL', () => ({ env: { ...env, A: 'private\0words' } }), /"A"/],
  ['an argument that is too long', () => ({ args: [long] }), /so many arguments/],
  ['a variable that is too long', () => ({ env: { ...env, LONG: long } }), /so many arguments/],
  [
    'too many arguments',
    () => ({ args: Array.from({ length: 100_000 }, () => 'y'.repeat(30)) }),
    /so many arguments/,
  ],
];
for (const [what, options, words] of refusals) {
  test(`${what} is told in words of its own`, async () => {
    const error = await refusal(options());
    assert.match(error.message, words);
    assert.ok(!`${error.message}${error.details ?? ''}`.includes('private'));
  });
}

function link(name: string, target: string): string {
  const full = path.join(base, name);
  symlinkSync(path.resolve(base, target), full);
  return full;
}

test('a program that is being written is told as such', async () => {
  const busy = path.join(base, 'busy');
  copyFileSync('/bin/cat', busy);
  const descriptor = openSync(busy, 'r+');
  try {
    assert.match((await refusal({ command: busy })).message, /being written at this moment/);
  } finally {
    closeSync(descriptor);
  }
  assert.equal((await (await start({ command: busy })).close()).kind, 'ended');
});

test("Windows' line ends behind env, and what the system lacks, are told in their own words", () => {
  const command = file('crlf env', '#!/usr/bin/env sh\r\n');
  assert.equal(findMissingInterpreter(command, '/usr/bin:/bin'), 'sh\\r');
  assert.equal(findMissingInterpreter(file('env', '#!/usr/bin/env sh\n'), '/bin'), undefined);
  for (const code of ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']) {
    const failure = Object.assign(new Error('spawn'), { code });
    const error = describeSpawnFailure(failure, '/bin/cat', base, '/bin');
    assert.match(error.message, new RegExp(`no process, memory or open file left .*${code}`));
  }
});

test('a script without a first line of its own is run by the shell, as in a terminal', async () => {
  for (const text of ['exit 7\n', '#!\nexit 7\n', '\nexit 7']) {
    const exit = await (await start({ command: file('bare', text) })).exited;
    assert.deepEqual([exit.kind, exit.code], ['crashed', 7]);
  }
});

test('what is written by others after the CLI has ended reaches nobody', async () => {
  const late = 'setsid sh -c \'trap "" TERM; while :; do echo late; done\' & sleep 0.2; exit 0';
  const transport = await start({ command: script('late', late) });
  let lines = 0;
  transport.onDidReceiveLine(() => (lines += 1));
  await transport.exited;
  const before = lines;
  for (let turn = 0; turn < 100; turn += 1) await tick();
  assert.equal(lines, before);
});

test('a CLI that ends in the middle of a character of a line tells what there is', async () => {
  const transport = await start({ command: script('middle', "printf '{\"a\\303'; exit 4") });
  const lines: string[] = [];
  transport.onDidReceiveLine((line) => lines.push(line));
  assert.equal((await transport.exited).code, 4);
  assert.deepEqual(lines, ['{"a\ufffd']);
});

for (const [what, text, kind] of [
  ['all its streams', 'exec 0<&- 1>&- 2>&-; sleep 300', 'crashed'],
  ['its input', 'exec 0<&-; sleep 300', 'killed'],
  ['its errors', 'exec 2>&-; cat', 'ended'],
] as const) {
  test(`a CLI that closes ${what} and goes on is ended`, async () => {
    const closeLimits = kind === 'killed' ? IMPATIENT : PATIENT;
    const transport = await start({ command: script('closes', text), closeLimits });
    transport.onDidReceiveLine(() => undefined);
    if (kind !== 'crashed') await transport.close();
    assert.equal((await transport.exited).kind, kind);
    assert.ok(!isRunning(transport.pid!));
  });
}

test('two hundred megabytes of errors cost no memory, and others get their turns meanwhile', async () => {
  const words = 'words of an error, api_key=abcdefgh, to fill the line up to a hundred characters';
  const flood = script('flood', `yes '${words}' | head -c 200000000 >&2`);
  let turns = 0;
  let peak = 0;
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => {
    turns += 1;
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  const log: string[] = [];
  const exit = await (await start({ command: flood, log: listLogger(log) })).exited;
  clearInterval(watch);
  assert.equal(exit.stderrTail.split('\n').length, 200);
  assert.ok(!exit.stderrTail.includes('abcdefgh'));
  assert.ok(log.length < 50_000, `${log.length} lines in the log`);
  // However slow the machine is: between two pieces of what comes the loop goes round.
  assert.ok(turns >= 20, `others had ${turns} turns`);
  assert.ok(peak - before < 200_000_000, `${peak - before} bytes`);
});

test('thirty starts and ends leave no process, descriptor or timer', async () => {
  const descriptors = (): number => readdirSync('/proc/self/fd').length;
  const resources = (): number => process.getActiveResourcesInfo().length;
  const pids: number[] = [];
  const cancel = { type: 'control_cancel_request', request_id: 'none' } as const;
  const round = async (): Promise<void> => {
    const transport = await start({});
    transport.onDidReceiveLine(() => undefined);
    pids.push(transport.pid!);
    // Twice at once, and a write in between.
    const ends = [transport.close(), transport.write(cancel), transport.close()];
    await Promise.allSettled(ends);
  };
  await round();
  const before = [descriptors(), resources()] as const;
  for (let i = 0; i < 6; i += 1) await Promise.all([round(), round(), round(), round(), round()]);
  await untilGone(pids);
  const now = (): string => `${descriptors()} descriptors, ${resources()} resources`;
  // Some are let go of a moment later.
  const end = performance.now() + 60_000;
  while (descriptors() > before[0] || resources() > before[1]) {
    assert.ok(performance.now() < end, `${now()}; ${before.join(' and ')} before`);
    await delay(20);
  }
  assert.ok(pids.length > 30);
});

test('a wrapper that starts the CLI and leaves is told as an end, and the CLI goes with it', async () => {
  const command = script('forks', `sleep 300 & echo $! > '${base}/forked'; exit 0`);
  const exit = await (await start({ command })).exited;
  assert.deepEqual([exit.kind, exit.code], ['ended', 0]);
  await untilGone([Number(readFileSync(path.join(base, 'forked'), 'utf8'))]);
});

test('what is left is killed once at least, however late it is on a busy machine', async () => {
  const mark = randomUUID();
  const marked = { ...env, [FAMILY_MARK]: mark };
  const command = script('stubborn', "trap '' TERM; sleep 300 & wait");
  const { pid = 0 } = spawn(command, { env: marked, detached: true, stdio: 'ignore' });
  await new Family({ pid, started: startOf(pid), mark }).end({ graceMs: 0, limitMs: 0 });
  await untilGone([pid]);
});

const asking = (name: string, text: string) =>
  askCli({ command: script(name, text), args: [], file: undefined }, ['--version'], env);

test('a question to the CLI is answered whatever else it does', async () => {
  assert.deepEqual(await asking('plain', 'echo 1.2.3'), { code: 0, stdout: '1.2.3\n' });
  assert.equal((await asking('reads', 'cat; echo 1.2.3')).stdout, '1.2.3\n');
  const daemon = `sleep 300 & echo $! > '${base}/daemon'; echo 1.2.3`;
  assert.deepEqual(await asking('daemon', daemon), { code: 0, stdout: '1.2.3\n' });
  const pid = Number(readFileSync(path.join(base, 'daemon'), 'utf8'));
  assert.ok(isRunning(pid), 'what a wrapper leaves running on purpose is its own');
  process.kill(pid, 'SIGKILL');
  const flood = await asking('floods', 'yes');
  assert.equal(flood.code, undefined);
  assert.ok(flood.stdout.length < 2_000_000);
  assert.equal((await asking('killed', 'kill -9 $$')).code, undefined);
  const folder = { command: base, args: [], file: undefined };
  assert.deepEqual(await askCli(folder, [], env), { code: undefined, stdout: '' });
  assert.equal((await askCli({ ...folder, args: ['\0'] }, [], env)).code, undefined);
});

test('a question that hangs is cut off with all its children when the extension ends', async () => {
  const pids = path.join(base, 'hanging');
  const text = `trap '' TERM; sleep 301 & echo $! $$ >> '${pids}'; setsid sleep 301 & echo $! >> '${pids}'; echo up >> '${pids}'; wait`;
  writeFileSync(pids, '');
  const answers = [
    asking('hangs', text),
    loginShellPath({ env: { SHELL: script('hangs shell', text), HOME: base }, limitMs: 300_000 }),
  ];
  while (readFileSync(pids, 'utf8').split('up').length < 3) {
    await delay(10);
  }
  endHelpers();
  await Promise.all(answers);
  const started = readFileSync(pids, 'utf8').match(/\d+/g)?.map(Number) ?? [];
  assert.equal(started.length, 6);
  await untilGone(started);
});

test('a shell that prints bytes, marks and half answers tells no PATH, or the last whole one', async () => {
  const ask = async (name: string, text: string) =>
    (
      await loginShellPath({
        env: { SHELL: script(name, text), HOME: base, PATH: '/b' },
        limitMs: 60_000,
      })
    ).path;
  const mark = '__patchbay_path__';
  assert.equal(await ask('bytes shell', 'head -c 100000 /dev/urandom; eval "$2"'), '/b');
  assert.equal(await ask('marks shell', `echo ${mark}${mark}${mark}; eval "$2"`), '/b');
  assert.equal(await ask('half shell', `echo ${mark}/x`), undefined);
  assert.equal(await ask('closed shell', 'exec 1>&-; sleep 0.1'), undefined);
  assert.equal(await ask('lines shell', `printf '${mark}/a\\n/b${mark}'`), undefined);
});

test('odd entries of the PATH are passed over, whatever lies there', async () => {
  const folder = (name: string): string => {
    const full = path.join(base, name);
    mkdirSync(full);
    return full;
  };
  const [good, asFolder, plain, gone, loop] = ['good', 'as', 'plain f', 'gone', 'loop'].map(folder);
  writeFileSync(path.join(good!, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
  mkdirSync(path.join(asFolder!, 'claude'));
  writeFileSync(path.join(plain!, 'claude'), 'x', { mode: 0o644 });
  symlinkSync('/no/such', path.join(gone!, 'claude'));
  symlinkSync(path.join(loop!, 'claude'), path.join(loop!, 'claude'));
  const entries = ['', '.', 'bin', '~', '~/bin', '$HOME/bin', `"${good!}"`, file('a file', '')];
  const odd = [...entries, asFolder, plain, gone, loop, '/no/such', long, `/${long}`];
  const PATH = [...odd, `${good!}/`, good].join(':');
  const found = await locateCli({ env: { PATH, HOME: base }, home: base });
  assert.equal(found.command, path.join(good!, 'claude'));
  assert.match(found.why, /passed over .*plain f.* is not an executable file/);
  for (const empty of ['', ':', '::', `${good!}\n`]) {
    await assert.rejects(locateCli({ env: { PATH: empty, HOME: base }, home: base }), /not found/);
  }
});
