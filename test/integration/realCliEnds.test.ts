import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { launchArguments } from '../../src/cli/launchArguments';
import { runCli } from '../harness/fakeCli/cliHarness';
import { startModel, type ModelOptions } from '../harness/model/modelServer';
import { createRealCliSandbox, type RealCliSandbox } from '../harness/model/realCli';
import { message, say, toolUse } from '../harness/model/script';
import { commandOf, groupAndSession, processesWith, untilNone } from '../harness/processes';
import { startHost } from '../harness/watchdogHost/startHost';

// What docs/processes.md says of the CLI, and what we make of it. A `sleep` of its own is refused by
// the CLI's Bash tool, so each stands in a script.
const files = { 'nap.sh': 'sleep 120 & sleep 120; true\n' };
const bash = (command: string, background: boolean) =>
  toolUse('Bash', { command, description: 'nap', run_in_background: background });

/** One command that leaves a process behind, one in the background, one that the turn waits for. */
const busyModel: ModelOptions = {
  script: ({ results }) => {
    if (results.length === 0)
      return message([bash('nohup sh nap.sh >/dev/null 2>&1 & echo', false)]);
    if (results.length === 1) return message([bash("trap '' TERM HUP; sh nap.sh", true)]);
    return results.length === 2 ? message([bash('sh nap.sh', false)]) : say('done');
  },
};
/** Each of the three runs two of them. */
const SLEEPS = 6;

interface Busy {
  readonly sandbox: RealCliSandbox;
  /** All that carry the variable of this test: the CLI and what it started. */
  readonly all: () => number[];
  /** Waits until all sleeps run; returns their numbers. */
  readonly sleeps: () => Promise<number[]>;
}

async function withBusyModel(body: (busy: Busy) => Promise<void>): Promise<void> {
  const model = await startModel(busyModel);
  const mark = randomUUID();
  const env = { NAP_TEST: mark };
  const sandbox = await createRealCliSandbox({ modelUrl: model.url, files, env });
  const all = (): number[] => processesWith(`NAP_TEST=${mark}`);
  const sleeping = (): number[] => all().filter((pid) => commandOf(pid).includes(' sleep 120'));
  const sleeps = async (): Promise<number[]> => {
    while (sleeping().length < SLEEPS) await delay(20);
    return sleeping();
  };
  try {
    await body({ sandbox, all, sleeps });
  } finally {
    for (const pid of all()) process.kill(pid, 'SIGKILL');
    await model.close();
    await sandbox.cleanup();
  }
}

const args = [...launchArguments({ trusted: true }), '--allowedTools=Bash'];

test('Each shell command of the real CLI has a session of its own, and outlives a killed CLI', () =>
  withBusyModel(async ({ sandbox, sleeps }) => {
    const { command, workspace: cwd, env } = sandbox;
    const cli = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const line = { type: 'user', message: { role: 'user', content: 'go' } };
    cli.stdin.write(`${JSON.stringify(line)}\n`);
    const pids = await sleeps();
    const sessions = new Set(pids.map((pid) => groupAndSession(pid)[1]));
    assert.equal(sessions.size, 3);
    assert.ok(pids.every((pid) => groupAndSession(pid)[0] === groupAndSession(pid)[1]));
    assert.ok(!sessions.has(cli.pid!));
    process.kill(-cli.pid!, 'SIGKILL');
    await once(cli, 'exit');
    assert.deepEqual(await sleeps(), pids);
  }));

test('Dispose in the middle of a shell command ends the real CLI in order, and all that it started', () =>
  withBusyModel(async ({ sandbox, all, sleeps }) => {
    const { command, workspace: cwd, env } = sandbox;
    const { session } = await runCli({ command, cwd, env, args });
    await session.initialize({});
    await session.sendPrompt({ uuid: randomUUID(), content: 'go' });
    await sleeps();
    const exit = await session.dispose();
    assert.notEqual(exit.kind, 'crashed');
    await untilNone(all);
  }));

test('When the host of the real CLI is killed in the middle of a shell command all of it is ended', () =>
  withBusyModel(async ({ sandbox, all, sleeps }) => {
    const { command, workspace: cwd, env } = sandbox;
    const host = await startHost([{ command, cwd, env, args, prompt: 'go' }]);
    try {
      await host.ask('start');
      await sleeps();
      host.kill();
      await untilNone(all);
    } finally {
      await host.dispose();
    }
  }));
