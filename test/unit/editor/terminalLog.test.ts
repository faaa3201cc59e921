import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { commandState, isRunning, TerminalLog } from '../../../src/editor/terminalLog';

test('a command ends though its output never does', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const log = new TerminalLog();
  let isTold = false;
  log.onDidChange(() => (isTold = true));
  const output = (async function* (): AsyncGenerator<string> {
    yield 'said\n';
    await new Promise(() => undefined);
  })();
  const terminal = { name: 'sh', exitStatus: undefined };
  const execution = { commandLine: { value: 'false' } };
  // Only what is read of them.
  const event = {
    terminal,
    execution,
    exitCode: 1,
  } as unknown as vscode.TerminalShellExecutionStartEvent & vscode.TerminalShellExecutionEndEvent;
  log.started(event, output);
  const ended = log.ended(event);
  await new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.runAll();
  await ended;
  const [command] = log.commands();
  assert.ok(command);
  assert.equal(isRunning(command), false);
  assert.match(commandState(command), /^exit 1, /);
  assert.equal(command.output.since(), 'said\n');
  assert.equal(isTold, true);
});

test('what still runs is not let go of for what came later', () => {
  const log = new TerminalLog();
  const output = (async function* (): AsyncGenerator<string> {
    yield await Promise.resolve('said\n');
  })();
  const start = (name: string, exitStatus?: object): void => {
    const event = { terminal: { name, exitStatus }, execution: { commandLine: { value: name } } };
    // Only what is read of it.
    log.started(event as unknown as vscode.TerminalShellExecutionStartEvent, output);
  };
  start('over', {});
  start('server');
  for (let n = 0; n < 200; n += 1) start('later', {});
  const names = log.commands().map(({ terminalName }) => terminalName);
  assert.equal(names.length, 50);
  assert.deepEqual([names.at(-1), names.includes('over')], ['server', false]);
  for (let n = 0; n < 200; n += 1) start('runs too');
  assert.equal(log.commands().length, 50);
});

test('a command ends when its end is told, however late its output', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const log = new TerminalLog();
  const output = (async function* (): AsyncGenerator<string> {
    yield 'said\n';
    await new Promise(() => undefined);
  })();
  const terminal = { name: 'sh', exitStatus: undefined };
  // Only what is read of them.
  const event = {
    ...{ terminal, execution: { commandLine: { value: 'true' } }, exitCode: 0 },
  } as unknown as vscode.TerminalShellExecutionStartEvent & vscode.TerminalShellExecutionEndEvent;
  log.started(event, output);
  t.mock.timers.tick(1_000);
  const ended = log.ended(event);
  await new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.runAll();
  await ended;
  const [command] = log.commands();
  assert.ok(command);
  assert.equal(commandState(command), 'exit 0, 1.0 s');
});
