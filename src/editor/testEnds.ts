import * as vscode from 'vscode';
import { taskName } from './taskNames';
import { isTestCommand } from './testCommand';
import type { TestRun } from './testRuns';

/** A task that ended, where it is one of tests. */
export function testOfTask({
  execution: { task },
  exitCode,
}: vscode.TaskProcessEndEvent): TestRun | undefined {
  if (task.group?.id !== vscode.TaskGroup.Test.id || exitCode === undefined) return undefined;
  const folder = typeof task.scope === 'object' ? task.scope.uri : undefined;
  return { kind: 'task', name: taskName(task), folder: folder?.fsPath, exitCode };
}

/** A line of a terminal that ended, where it plainly ran tests. */
export function testOfCommand({
  execution: { commandLine, cwd },
  exitCode,
}: vscode.TerminalShellExecutionEndEvent): TestRun | undefined {
  const name = commandLine.value.trim();
  if (exitCode === undefined || !isTestCommand(name)) return undefined;
  return { kind: 'command', name, folder: cwd?.fsPath, exitCode };
}
