import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/logger';
import { TerminalLog } from '../../src/editor/terminalLog';
import { createTerminalTool } from '../../src/editor/terminalTool';
import { watchEditor } from '../../src/host/editorWatch';
import { createServer } from '../../src/mcp/mcpServer';
import { createToolContext } from '../../src/mcp/toolContext';
import { createDebugRoom, type DebugRoom, removeTasks } from './debugRoom';
import { closeAll, until, workspaceRoot } from './editorRoom';

const shell = (label: string, command: string): object => ({
  ...{ label, type: 'shell', command, problemMatcher: [] },
});
/** Listed on one line, and cut. */
const ODD_NAMES = ['two  Blanks', ' blanks around ', `long ${'and longer '.repeat(20)}`];
const TASKS = {
  version: '2.0.0',
  inputs: [{ id: 'what', type: 'promptString', description: 'What?' }],
  tasks: [
    shell('goes well', 'echo well-$((40 + 2)); sleep 1'),
    shell('goes later', 'exit 9'),
    shell('lasts', 'sleep 1000'),
    ...ODD_NAMES.map((name) => shell(name, 'exit 6')),
    { ...shell('waits for it', 'echo after'), dependsOn: ['lasts'] },
    { label: 'made of a lasting one', dependsOn: ['lasts'], problemMatcher: [] },
    { ...shell('goes after it', 'echo after'), dependsOn: ['goes later'] },
    shell('asks', 'echo ${input:what}'),
    { label: 'made of one', dependsOn: ['goes well'], problemMatcher: [] },
    {
      ...{ label: 'unseen', type: 'process', command: process.execPath, problemMatcher: [] },
      args: ['-e', 'process.exit(5)'],
    },
  ],
};

describe('what is told of tasks and tests afterwards', () => {
  let room: DebugRoom;
  const folder = path.join(workspaceRoot(), '.vscode');
  const run = (name: string): Promise<string> =>
    room.ok('tasks', { action: 'run', name, wait: 120 });
  const status = (name: string): Promise<string> => room.ok('tasks', { action: 'status', name });

  before(async () => {
    await closeAll();
    for (const terminal of vscode.window.terminals) terminal.dispose();
    const watch = watchEditor(silentLogger);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'tasks.json'), JSON.stringify(TASKS));
    await until('the tasks are known', async () =>
      (await vscode.tasks.fetchTasks()).some(({ name }) => name === 'unseen'),
    );
    // As in a window where nobody has asked for anything yet.
    await runAsPerson('unseen');
    room = await createDebugRoom({ watch });
  });

  after(() => removeTasks(room, folder));

  it('a task that the person ran before anything was asked is known', async () => {
    assert.match(await status('unseen'), /^task "unseen" ended, exit code 5, \d/);
  });

  it('what ran after a task that is made of others is no part of it', async () => {
    assert.match(await run('made of one'), /; exit codes of tasks that .*: "goes well" 0\n/);
    await run('goes later');
    assert.match(await status('made of one'), /; exit codes of tasks that .*: "goes well" 0\n/);
  });

  it('a task that never began did not end, whatever kept it from it', async () => {
    const text = await run('goes after it');
    assert.match(text, /^task "goes after it" did not begin: .*; exit codes .*: "goes later" 9\n/);
    assert.doesNotMatch(text, /\noutput/);
    let isOver = false;
    const asking = run('asks').finally(() => (isOver = true));
    await until('its question is dismissed', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isOver;
    });
    assert.match(await asking, /^task "asks" did not begin: /);
    assert.match(await run('goes later'), /^task "goes later" ended, exit code 9, /);
  });

  it('a task is known by its name as it is listed and told, in any case', async () => {
    const list = await room.ok('tasks', { action: 'list' });
    const names = ['two Blanks', 'blanks around', /\n (long .*…)\n/.exec(list)?.[1] ?? ''];
    for (const name of names) {
      assert.ok(list.includes(`\n ${name}\n`), list);
      const [, told] = /^task "([^"]*)" ended, exit code 6, /.exec(await run(name)) ?? [];
      assert.ok(told !== undefined, name);
      for (const one of [told, name.toUpperCase()]) {
        assert.match(await status(one), /^task "[^"]*" ended, exit code 6, /);
      }
    }
  });

  it('nothing begins after Stop, in whichever moment it came', async () => {
    let stop = new AbortController();
    const stopping = {
      denied: () => {
        stop.abort();
        return Promise.resolve(new Map<string, string>());
      },
    };
    const stopped = await createDebugRoom({ readGuard: stopping });
    const controller = vscode.tests.createTestController('patchbayStopped', 'Stopped');
    const uri = vscode.Uri.file(path.join(workspaceRoot(), 'src/cart.ts'));
    controller.items.replace([controller.createTestItem('one', 'one', uri)]);
    let begun = 0;
    const count = (): void => void (begun += 1);
    controller.createRunProfile('run', vscode.TestRunProfileKind.Run, count, true);
    const listening = [
      vscode.tasks.onDidStartTask(count),
      vscode.debug.onDidStartDebugSession(count),
    ];
    await writeFile(path.join(workspaceRoot(), 'stopped.cjs'), 'let one = 1;\n');
    await until('the tests are known', async () => {
      const known: unknown = await vscode.commands.executeCommand(
        'vscode.testing.getControllersWithTests',
      );
      return Array.isArray(known) && known.length > 0;
    });
    const file = 'stopped.cjs';
    try {
      const calls: readonly (readonly [string, object])[] = [
        ['tasks', { action: 'run', name: 'goes later' }],
        ['start', { path: file }],
        ['breakpoints', { action: 'set', path: file, line: 1 }],
        ['tests', { action: 'run', path: 'src/cart.ts' }],
      ];
      for (const [tool, input] of calls) {
        // It comes as the rules are looked at.
        stop = new AbortController();
        const { text, isError } = await stopped.call(tool, input, stop.signal);
        assert.ok(stop.signal.aborted, tool);
        assert.ok(isError && text.startsWith('Stopped'), `${tool}: ${text}`);
      }
      // Without a path it comes as the failures before are asked for.
      const late = new AbortController();
      let asked = 0;
      late.signal.addEventListener = (...given: Parameters<AbortSignal['addEventListener']>) => {
        AbortSignal.prototype.addEventListener.apply(late.signal, given);
        asked += 1;
        if (asked === 2) queueMicrotask(() => late.abort());
      };
      const { text } = await room.call('tests', { action: 'run' }, late.signal);
      assert.equal(text, 'Stopped; no test was run');
      // What comes after it would come after that as well.
      assert.match(await run('goes later'), /^task "goes later" ended, exit code 9, /);
      assert.equal(begun, 1);
      assert.equal(vscode.debug.breakpoints.length, 0);
    } finally {
      for (const one of [...listening, controller, stopped]) one.dispose();
      await rm(path.join(workspaceRoot(), file), { force: true });
    }
  });

  it('one that waits for others names them, and ends as they do', async () => {
    for (const name of ['waits for it', 'made of a lasting one']) {
      let text = await room.ok('tasks', { action: 'run', name, wait: 1 });
      await until('what it waits for runs', async () => {
        text = await room.ok('tasks', { action: 'status', name, wait: 0 });
        return text.startsWith(`task "${name}" waits after `);
      });
      assert.match(text, / for "lasts"\. status waits on; to end it stop those\n/);
      assert.equal(
        await room.fails('tasks', { action: 'stop', name }),
        `"${name}" waits for tasks that run: stop "lasts"`,
      );
      await room.ok('tasks', { action: 'stop', name: 'lasts' });
      const end = await room.ok('tasks', { action: 'status', name, wait: 120 });
      assert.match(end, /^task "[^"]*" (?:did not begin: |ended, no exit code told, )/);
    }
  });

  it('one whose terminal is closed did begin', async () => {
    await room.ok('tasks', { action: 'run', name: 'lasts', wait: 1 });
    await until('it runs', async () =>
      (await room.ok('terminal')).includes(' sleep 1000: running for '),
    );
    for (const terminal of vscode.window.terminals) terminal.dispose();
    const end = await room.ok('tasks', { action: 'status', name: 'lasts', wait: 120 });
    assert.match(end, /^task "lasts" ended, no exit code told, /);
  });

  it('the output of a task is its own, whoever uses its terminal or the name of it later', async () => {
    const terminal = vscode.window.createTerminal({ name: 'goes well', shellPath: '/bin/bash' });
    terminal.show();
    await until('shell integration', () => terminal.shellIntegration !== undefined);
    // The editor itself loses the output of a quick command at times: then it is run once more.
    await until('the output is told', async () =>
      (await run('goes well')).endsWith('\noutput:\nwell-42'),
    );
    await run('goes later');
    await until('the command of the person is told', async () => {
      terminal.shellIntegration?.executeCommand('echo persons-$((3 + 4)); sleep 1');
      await until('none runs', async () => (await room.ok('terminal')).includes(', 0 running\n'));
      return (await room.ok('terminal')).includes('persons-7');
    });
    assert.match(await status('goes well'), /\noutput:\nwell-42$/);
    assert.match(await room.ok('terminal'), / \[goes later\] .*\n \d+ \[goes well\] .*: exit 0, /);
  });

  it('the list of commands keeps to its budget, however long they and what they print are', async () => {
    const terminals = new TerminalLog();
    const terminal = { name: 'of a long name '.repeat(4), exitStatus: { code: 1 } };
    for (let n = 0; n < 20; n += 1) {
      const output = (async function* (): AsyncGenerator<string> {
        yield await Promise.resolve(`a line of what number ${n} has printed\n`.repeat(200));
      })();
      const execution = { commandLine: { value: `run number ${n} `.repeat(40) } };
      // Only what is read of it.
      const event = { terminal, execution } as unknown as vscode.TerminalShellExecutionStartEvent;
      terminals.started(event, output);
    }
    const server = createServer({ name: 'terminals', instructions: '' });
    server.registerTool(createTerminalTool({ terminals }));
    await until('all is read', () => terminals.commands().every(({ output }) => output.length > 0));
    const { content } = await server.execute('terminal', {}, createToolContext());
    const [block] = content;
    assert.equal(block?.type, 'text');
    assert.ok(block.text.length <= 6_000, `${block.text.length} characters`);
    assert.match(
      block.text,
      /\noutput of 20, last \d+ lines of \d+ characters:\na line of what number 19/,
    );
  });

  it('tests of a file run once each, and a failure in a library is told by the frame that is ours', async () => {
    const controller = vscode.tests.createTestController('patchbayDeep', 'Deep');
    const uri = vscode.Uri.file(path.join(workspaceRoot(), 'src/cart.ts'));
    const suite = controller.createTestItem('suite', 'suite', uri);
    suite.children.replace([controller.createTestItem('one', 'one', uri)]);
    controller.items.replace([suite]);
    const asked: (readonly string[])[] = [];
    const { Run } = vscode.TestRunProfileKind;
    const frame = (at: vscode.Uri): vscode.TestMessageStackFrame =>
      new vscode.TestMessageStackFrame('check', at, new vscode.Position(4, 0));
    controller.createRunProfile(
      'run',
      Run,
      (request) => {
        const { include = [] } = request;
        asked.push(include.map(({ id }) => id));
        const made = controller.createTestRun(request);
        const message = new vscode.TestMessage('it is three');
        message.stackTrace = [vscode.Uri.file('/usr/lib/case.py'), uri].map(frame);
        for (const item of include) made.failed(item, message);
        made.end();
      },
      true,
    );
    try {
      let text = '';
      await until('the tests are known', async () => {
        const given = { action: 'run', path: 'src/cart.ts', name: '', wait: 120 };
        ({ text } = await room.call('tests', given));
        return asked.length > 0;
      });
      assert.deepEqual(asked[0], ['suite']);
      assert.equal(text, '1 failed test\nsuite src/cart.ts:5:1\n it is three');
    } finally {
      controller.dispose();
    }
  });
});

/** Runs a task to its end. */
async function runAsPerson(name: string): Promise<void> {
  const task = (await vscode.tasks.fetchTasks()).find((one) => one.name === name);
  assert.ok(task);
  let isOver = false;
  const listening = vscode.tasks.onDidEndTask(({ execution }) => {
    isOver ||= execution.task.name === name;
  });
  await vscode.tasks.executeTask(task);
  await until('it is over', () => isOver);
  listening.dispose();
}
