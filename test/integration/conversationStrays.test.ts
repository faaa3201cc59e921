import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { endHelpers } from '../../src/cli/helperProcess';
import { message, say, toolUse } from '../harness/model/script';
import { eventually } from '../harness/panelSandbox/eventually';
import { commandOf, isRunning, processesWith, untilGone, untilNone } from '../harness/processes';
import { TestClock } from '../unit/conversation/testClock';
import { createBench, createFakeBench, isIdle, PARK_AFTER_MINUTES } from './conversationBench';

test('an idle agent is not parked while something runs that one of its commands left behind', async () => {
  const clock = new TestClock();
  const mark = `STRAYS_TEST=${process.pid}`;
  const command = 'nohup tail -f src/a.ts >/dev/null 2>&1 & echo started';
  const made = await createBench({
    clock,
    environment: { STRAYS_TEST: String(process.pid) },
    model: {
      script: ({ results }) =>
        results.length === 0
          ? message([toolUse('Bash', { command, description: 'Follow' })])
          : say('It runs.'),
    },
  });
  const agent = (): number[] => processesWith(mark);
  const [isStray, isCli] = [/ tail -f/, /claude .*--output-format/];
  const find = (words: RegExp): number[] => agent().filter((pid) => words.test(commandOf(pid)));
  try {
    await made.prompt('follow it');
    await made.until('the card', (view) => view.permissions.length === 1);
    made.conversation.answerPermission(made.view.permissions[0]!.id, 'allowOnce');
    await made.until('the end', isIdle);
    // A moment after it was begun the shell still stands in the place of the command.
    await eventually(() => find(isStray).length === 1 && find(isCli).length === 1);
    const [stray = 0] = find(isStray);
    const [cli = 0] = find(isCli);
    for (let time = 0; time < 3; time += 1) {
      clock.advance(PARK_AFTER_MINUTES * 60_000);
      for (let turn = 0; turn < 30; turn += 1) await stat(made.sandbox.workspace);
    }
    assert.deepEqual([stray, cli].filter(isRunning), [stray, cli]);
    process.kill(stray, 'SIGKILL');
    await untilGone([stray]);
    await eventually(() => {
      // The look of the last while may not be over: its end begins another one.
      if (isRunning(cli)) clock.advance(PARK_AFTER_MINUTES * 60_000);
      return !isRunning(cli);
    });
    assert.ok(isIdle(made.view));
  } finally {
    await made.dispose();
  }
  await untilNone(agent);
});

test('a start that hangs before there is a CLI is left at once, and what it ran can be ended', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay hangs '));
  const SHELL = path.join(folder, 'hanging shell');
  await writeFile(SHELL, "#!/bin/sh\ntrap '' TERM\n/bin/sleep 300 & wait\n", { mode: 0o755 });
  const mark = `STRAYS_TEST=hangs ${process.pid}`;
  const environment = { STRAYS_TEST: `hangs ${process.pid}`, SHELL, PATH: folder, HOME: folder };
  // Where no CLI is on the PATH, the login shell is asked for its own.
  const made = await createFakeBench({}, { environment, settings: { cliPath: '' } });
  try {
    made.conversation.prewarm();
    await eventually(() => processesWith(mark).length === 2);
    const pids = processesWith(mark);
    await made.conversation.dispose();
    assert.deepEqual(pids.filter(isRunning), pids, 'it was not waited for');
    endHelpers();
    await untilNone(() => processesWith(mark));
    assert.deepEqual(await made.fake.records('start'), [], 'nothing else is started');
  } finally {
    await made.dispose();
    await rm(folder, { recursive: true });
  }
});
