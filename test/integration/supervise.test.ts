import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createDeferred } from '../../src/base/deferred';
import { inRoot } from '../harness/paths';
import { run } from '../harness/boot/run.mjs';
import { startProcess } from '../harness/serverProcess';

/** A program with a helper, as VS Code's server has; both refuse to end when asked politely. */
const STUBBORN = `
process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 1000);
if (process.argv[1] === 'helper') console.log('pids ' + process.ppid + ' ' + process.pid);
else require('node:child_process').spawn(process.execPath, ['-e', process.env.PROGRAM, 'helper'], { stdio: 'inherit' });
`;

const READY = /pids (\d+) (\d+)/;
const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  PROGRAM: STUBBORN,
});

/** Resolves when the process is gone: not even a zombie of ours is left to be signalled. */
async function untilGone(pid: number): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    assert.ok(Date.now() < end, `process ${String(pid)} goes on`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('stopping a program ends its helpers too, also those that refuse', async () => {
  const running = await startProcess({
    command: process.execPath,
    args: ['-e', STUBBORN],
    env: environment(),
    ready: READY,
    graceMs: 300,
  });
  await running.stop();
  await Promise.all(running.match.slice(1).map((pid) => untilGone(Number(pid))));
  assert.equal(running.match.length, 3);
});

test('a program ends when whoever started it is killed', async () => {
  const starter = spawn(process.execPath, ['-e', STARTER], {
    env: starterEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pids = await firstMatch(starter, READY);
  starter.kill('SIGKILL');
  await Promise.all(pids.slice(1).map((pid) => untilGone(Number(pid))));
  assert.equal(pids.length, 3);
});

test('a program ends when the program that started it is ended by a supervisor of its own', async () => {
  const starter = await startProcess({
    command: process.execPath,
    args: ['-e', STARTER],
    env: starterEnvironment(),
    ready: READY,
    graceMs: 300,
  });
  await starter.stop();
  await Promise.all(starter.match.slice(1).map((pid) => untilGone(Number(pid))));
  assert.equal(starter.match.length, 3);
});

test('a program that is run gives its code and the end of what it said', async () => {
  const { code, tail } = await run(process.execPath, ['-e', 'console.log("a"); process.exit(7)']);
  const missing = await run('/no/such/program', []);
  assert.deepEqual([code, tail, missing.code], [7, 'a\n', 127]);
});

test('what a program said is told when it ends before it is ready', async () => {
  const starting = startProcess({
    command: process.execPath,
    args: ['-e', 'console.error("port taken"); process.exit(3)'],
    env: environment(),
    ready: /never/,
  });
  await assert.rejects(starting, /ended before it was ready:\nport taken/);
});

/** Starts the program above as the harness does. */
const STARTER = `
import(process.env.SUPERVISOR).then(({ supervised, supervisedOptions }) => {
  require('node:child_process').spawn(
    process.execPath,
    supervised(300, process.execPath, ['-e', process.env.PROGRAM]),
    { ...supervisedOptions, stdio: ['pipe', 'inherit', 'inherit'] },
  );
});
`;

const starterEnvironment = (): Record<string, string> => ({
  ...environment(),
  SUPERVISOR: pathToFileURL(inRoot('test/harness/boot/supervisor.mjs')).href,
});

async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  const found = createDeferred<RegExpExecArray>();
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const match = pattern.exec(output);
    if (match !== null) found.resolve(match);
  });
  void once(child, 'exit').then(() => found.reject(new Error(`ended early: ${output}`)));
  return found.promise;
}
