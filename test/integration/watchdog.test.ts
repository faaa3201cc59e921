import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createFakeCli, type FakeCli } from '../harness/fakeCli/createFakeCli';
import type { FakeScript, FakeStep } from '../harness/fakeCli/fakeCliScript';
import { commandOf, isRunning, untilGone } from '../harness/processes';
import { startHost, type WatchdogHost } from '../harness/watchdogHost/startHost';

/** Everything that makes a process hard to end. */
const stubborn: FakeScript = { ignoreSigterm: true, ignoreStdinClose: true };
const leavings: readonly FakeStep[] = [
  { grandchild: {} },
  { grandchild: { ignoreSigterm: true, holdStdout: true } },
  { grandchild: { ignoreSigterm: true, detached: true } },
  { stray: {} },
  { stray: { ignoreSigterm: true } },
];

interface Held {
  readonly host: WatchdogHost;
  readonly fakes: readonly FakeCli[];
}

async function withHost(
  scripts: readonly FakeScript[],
  body: (held: Held) => Promise<void>,
): Promise<void> {
  const fakes = await Promise.all(scripts.map((script) => createFakeCli(script)));
  const host = await startHost(
    fakes.map(({ command, folder, env }) => ({ command, cwd: folder, env, prompt: 'go' })),
  );
  try {
    await body({ host, fakes });
  } finally {
    await host.dispose();
    for (const fake of fakes) await fake.dispose();
  }
}

/** The numbers of all that the fakes have started, once there are so many. */
async function grandchildren(fakes: readonly FakeCli[], count: number): Promise<number[]> {
  for (;;) {
    const records = await Promise.all(fakes.map((fake) => fake.records('grandchild')));
    const pids = records.flat().map(({ pid }) => pid);
    if (pids.length >= count) return pids;
    await delay(20);
  }
}

/**
 * Once it has started; before, the host starts another. SIGHUP is the one that Node does not catch
 * by itself, and the last that the watchdog does.
 */
function catchesSignals(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0';
  return (BigInt(`0x${caught}`) & 1n) !== 0n;
}

test('when the host is killed all agents and all that they started are ended', () =>
  withHost(
    [
      { turns: [[{ hang: true }]] },
      { ...stubborn, turns: [[...leavings, { hang: true }]] },
      { ...stubborn, turns: [[...leavings, { kill: 'SIGSTOP' }]] },
    ],
    async ({ host, fakes }) => {
      const { clis, watchdog } = await host.ask('start');
      const pids = [...clis, ...(await grandchildren(fakes, 2 * leavings.length))];
      assert.deepEqual(pids.filter((pid) => !isRunning(pid)).map(commandOf), []);
      host.kill();
      // How long it may take, test/unit/cli/closeLimits.test.ts says.
      await untilGone([...pids, watchdog!]);
    },
  ));

test('so are servers that the host has started, with what they started', async () => {
  const stays = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
  const text = `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stays)}], { detached: true });
    require('node:fs').writeFileSync(process.argv[1], String(child.pid)); ${stays}`;
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-serves-'));
  const file = path.join(folder, 'pid');
  const args = ['-e', text, file];
  const host = await startHost([
    { command: process.execPath, args, cwd: folder, env: {}, serves: true },
  ]);
  try {
    const { clis, watchdog } = await host.ask('start');
    let started = '';
    while (started === '') {
      await delay(20);
      started = await readFile(file, 'utf8').catch(() => '');
    }
    host.kill();
    await untilGone([...clis, Number(started), watchdog!]);
  } finally {
    await host.dispose();
    await rm(folder, { recursive: true });
  }
});

test('the watchdog ends when the last agent has, and the next agent has one again', () =>
  withHost([{}, {}], async ({ host }) => {
    assert.equal((await host.ask('report')).watchdog, undefined, 'nothing to watch yet');
    const first = await host.ask('start');
    assert.ok(isRunning(first.watchdog!), 'one for all');
    const closed = await host.ask('close');
    assert.deepEqual(closed.clis, []);
    await untilGone([first.watchdog!, ...first.clis]);
    const second = await host.ask('start');
    assert.ok(second.watchdog !== undefined && second.watchdog !== first.watchdog);
    host.kill();
    await untilGone([second.watchdog, ...second.clis]);
  }));

test('a watchdog that was killed is there again, and knows what ran before', () =>
  withHost([{ ...stubborn, turns: [[{ hang: true }]] }], async ({ host }) => {
    const { clis, watchdog } = await host.ask('start');
    process.kill(watchdog!, 'SIGKILL');
    await untilGone([watchdog!]);
    let now = await host.ask('report');
    while (now.watchdog === watchdog || now.watchdog === undefined) now = await host.ask('report');
    assert.ok(now.log.some((line) => line.includes('watchdog ended')));
    host.kill();
    await untilGone([...clis, now.watchdog]);
  }));

test('the signals that end a terminal with all in it do not end the watchdog before its work', () =>
  withHost([{ ...stubborn, turns: [[{ hang: true }]] }], async ({ host }) => {
    const { clis, watchdog } = await host.ask('start');
    while (!catchesSignals(watchdog!)) await delay(10);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(watchdog!, signal);
    host.kill();
    await untilGone([...clis, watchdog!]);
  }));
