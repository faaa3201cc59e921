import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../../src/host/app';
import type { ConversationPlace } from '../../src/host/conversationPlace';
import { closeAll, until as eventually, workspaceRoot } from './editorRoom';
import { openPanel, patchbay, until } from './patchbay';

const GROUP = { kind: 'test', isDefault: true };
const run = (label: string, code: string, more: object = {}): object => ({
  ...{ label, type: 'process', command: process.execPath, problemMatcher: [] },
  ...{ args: ['-e', code], presentation: { reveal: 'never' }, ...more },
});
/** Fails for as long as the mark is not there. */
const VERDICT = "process.exit(require('fs').existsSync('passes.txt') ? 0 : 3)";
const TASKS = {
  version: '2.0.0',
  tasks: [
    run('planted tests', VERDICT, { group: GROUP }),
    run('planted build', 'process.exit(2)', { group: 'build' }),
  ],
};

describe('the offer to fix tests that failed', () => {
  let app: App;
  let place: ConversationPlace;
  const folder = path.join(workspaceRoot(), '.vscode');
  const mark = path.join(workspaceRoot(), 'passes.txt');

  before(async () => {
    await closeAll();
    app = await patchbay();
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'tasks.json'), JSON.stringify(TASKS));
    await eventually('the tasks are known', async () =>
      (await vscode.tasks.fetchTasks()).some(({ name }) => name === 'planted tests'),
    );
  });

  beforeEach(async () => {
    place = await openPanel(app);
    place.startNew();
  });

  after(async () => {
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await rm(folder, { recursive: true, force: true });
    await rm(mark, { force: true });
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  const offer = () => place.conversation.snapshot().suggestions.find(({ id }) => id === 'tests');

  /** Runs it to its end. @returns its exit code */
  async function runTask(name: string): Promise<number | undefined> {
    const task = (await vscode.tasks.fetchTasks()).find((one) => one.name === name);
    assert.ok(task, name);
    const ends: { name: string; exitCode: number | undefined }[] = [];
    const listener = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) =>
      ends.push({ name: execution.task.name, exitCode }),
    );
    try {
      await vscode.tasks.executeTask(task);
      return (await until(`${name} ends`, () => ends.find((end) => end.name === name))).exitCode;
    } finally {
      listener.dispose();
    }
  }

  it('a task of tests that failed is offered until it passes, and no other task', async () => {
    assert.equal(await runTask('planted build'), 2);
    assert.equal(await runTask('planted tests'), 3);
    const made = await until('the offer is there', offer);
    assert.equal(made.title, 'Fix the failing test run: planted tests');
    assert.equal(made.detail, 'exit code 3');
    assert.match(made.prompt, /: the task "planted tests" \(exit code 3\)\.$/);
    await writeFile(mark, '');
    assert.equal(await runTask('planted tests'), 0);
    await until('the offer is gone', () => offer() === undefined);
  });

  it('a line of a terminal that ran tests and failed is offered until it passes', async () => {
    const terminal = vscode.window.createTerminal({
      name: 'planted shell',
      shellPath: '/bin/bash',
      cwd: workspaceRoot(),
      env: { PATH: process.env.PATH ?? '' },
    });
    terminal.show();
    const integration = await until('shell integration', () => terminal.shellIntegration);
    const ends: { readonly line: string; readonly exitCode: number | undefined }[] = [];
    const listener = vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) =>
      ends.push({ line: execution.commandLine.value, exitCode }),
    );
    const play = async (line: string): Promise<number | undefined> => {
      const before = ends.length;
      const ended = () => ends.slice(before).find((end) => end.line === line);
      let typedAt = 0;
      const { exitCode } = await until(`${line} ends`, () => {
        // What is typed as a shell starts may be lost, or its end; to run these twice does no harm.
        if (Date.now() - typedAt > 20_000) {
          typedAt = Date.now();
          integration.executeCommand(line);
        }
        return ended();
      });
      return exitCode;
    };
    try {
      // Stands for the program: what it is called is what counts.
      await play('pytest() { [ -e healed.txt ]; }');
      assert.equal(await play('pytest -x'), 1);
      const made = await until('the offer is there', offer);
      assert.equal(made.title, 'Fix the failing test run: pytest -x');
      assert.equal(made.prompt, 'Fix the failing test run: pytest -x (exit code 1).');
      assert.equal(await play('touch healed.txt; rm nothing.txt'), 1);
      assert.ok(offer());
      assert.equal(await play('pytest'), 0);
      await until('the offer is gone', () => offer() === undefined);
    } finally {
      listener.dispose();
      terminal.dispose();
      await rm(path.join(workspaceRoot(), 'healed.txt'), { force: true });
    }
  });
});
