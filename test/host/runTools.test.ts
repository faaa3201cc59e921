import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createDebugRoom, type DebugRoom, removeTasks } from './debugRoom';
import { closeAll, until, workspaceRoot } from './editorRoom';

const TASKS = {
  version: '2.0.0',
  tasks: [
    {
      label: 'say',
      type: 'shell',
      command: 'echo said-$((40 + 2)); exit 3',
      problemMatcher: [],
      group: { kind: 'build', isDefault: true },
    },
    {
      label: 'check',
      type: 'shell',
      command: 'echo "package.json:1:2: error: it-is-broken"',
      problemMatcher: {
        owner: 'patchbay-check',
        fileLocation: ['relative', '${workspaceFolder}'],
        pattern: {
          regexp: '^(.*):(\\d+):(\\d+): (error|warning): (.*)$',
          ...{ file: 1, line: 2, column: 3, severity: 4, message: 5 },
        },
      },
    },
    {
      label: 'watch it',
      type: 'shell',
      command: 'sleep 1000',
      isBackground: true,
      problemMatcher: [],
    },
    {
      label: 'many words',
      type: 'shell',
      command: 'echo word-$(date +%s%N); sleep 1',
      problemMatcher: [],
    },
    { label: 'all of it', dependsOn: ['many words', 'say'], problemMatcher: [] },
    {
      label: 'plain',
      type: 'process',
      command: process.execPath,
      args: ['-e', '0'],
      problemMatcher: [],
    },
  ],
};

const NO_FAILURE =
  'no failure was told of the last run. It need not be a success: the editor does not tell whether tests passed, were skipped or never ran';

const SAME = '(the same as before this run: it may not have begun)';

describe('tasks, tests and terminals for the model', () => {
  let room: DebugRoom;
  const folder = path.join(workspaceRoot(), '.vscode');

  before(async () => {
    await closeAll();
    room = await createDebugRoom();
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'tasks.json'), JSON.stringify(TASKS));
    await until('the tasks are known', async () =>
      (await room.ok('tasks', { action: 'list' })).includes('watch it'),
    );
  });

  after(() => removeTasks(room, folder));

  describe('tasks', () => {
    it('runs one, and gives its exit code and output', async () => {
      const list = await room.ok('tasks', { action: 'list' });
      assert.match(list, /^\d+ tasks\n/);
      assert.match(list, /\n say \(build, default\)\n/);
      assert.match(list, /\n watch it \(background\)\n/);
      assert.match(list, /\n npm: test \(test\)\n/);
      assert.match(
        await room.ok('tasks', { action: 'list', name: 'WATCH i' }),
        /^1 task\n watch it/,
      );
      // The editor itself loses the output or the end of a quick command at times: then it is run once more.
      await until('its output and the end of its command are told', async () => {
        const text = await room.ok('tasks', { action: 'run', name: 'say', wait: 120 });
        assert.match(text, /^task "say" ended, exit code 3, \d/);
        assert.match(text, /\nproblems: no change, /);
        // The command of a task is one of a terminal.
        const commands = await room.ok('terminal');
        return (
          text.endsWith('\noutput:\nsaid-42') && /\[say\] echo said-.*: exit 3, /.test(commands)
        );
      });
    });

    it('tells which problems a task brought', async () => {
      const text = await room.ok('tasks', { action: 'run', name: 'check', wait: 120 });
      assert.match(text, /^task "check" ended, exit code 0, /);
      await until('the problem has come', async () =>
        /\nproblems: \d+ new, [\s\S]*\npackage\.json\n 1:2 error it-is-broken/.test(
          await room.ok('tasks', { action: 'status', name: 'check' }),
        ),
      );
    });

    it('gives the exit code also where nothing of the output is captured', async () => {
      const text = await room.ok('tasks', { action: 'run', name: 'plain', wait: 120 });
      assert.match(text, /^task "plain" ended, exit code 0, /);
      assert.match(text, /\noutput: (?:none|not captured .*)$/);
    });

    it('does not wait for one that never ends, does not start it twice, and ends it when asked', async () => {
      const text = await room.ok('tasks', { action: 'run', name: 'watch it', wait: 1 });
      assert.match(
        text,
        /^task "watch it" is still running after .* \(a background task, it goes on\)\. status waits on, stop ends it\n/,
      );
      assert.match(
        await room.fails('tasks', { action: 'run', name: 'watch it' }),
        /^"watch it" is running already\. status waits for it, stop ends it$/,
      );
      assert.match(
        await room.ok('tasks', { action: 'list', name: 'watch it' }),
        /\(running, background\)/,
      );
      assert.match(
        await room.ok('tasks', { action: 'stop', name: 'watch it' }),
        /^task "watch it" ended/,
      );
      assert.match(
        await room.ok('tasks', { action: 'status', name: 'watch it' }),
        /^task "watch it" ended/,
      );
    });

    it('knows a task that the person has started, and does not call its problems new', async () => {
      const [task] = (await vscode.tasks.fetchTasks()).filter(({ name }) => name === 'watch it');
      assert.ok(task);
      await vscode.tasks.executeTask(task);
      const other = await createDebugRoom();
      try {
        const text = await other.ok('tasks', { action: 'status', name: 'watch it', wait: 0 });
        assert.match(text, /^task "watch it" is still running \(a background task/);
        assert.doesNotMatch(text, /problems/);
        await other.ok('tasks', { action: 'stop', name: 'watch it' });
      } finally {
        other.dispose();
      }
    });

    it('knows the last run of the person, with its own output only, also once it has ended', async () => {
      const [task] = (await vscode.tasks.fetchTasks()).filter(({ name }) => name === 'many words');
      assert.ok(task);
      const texts: string[] = [];
      // The editor itself loses the output of a quick command at times.
      await until('two were told with their outputs', async () => {
        await vscode.tasks.executeTask(task);
        const given = { action: 'status', name: 'many words', wait: 120 };
        const text = await room.ok('tasks', given);
        assert.match(text, /^task "many words" ended, exit code 0/);
        await until('it is over', () => vscode.tasks.taskExecutions.length === 0);
        assert.match(await room.ok('tasks', given), /^task "many words" ended, exit code 0, \d/);
        if (text.includes('word-')) texts.push(text);
        return texts.length === 2;
      });
      for (const text of texts) assert.equal(text.match(/word-\d+/g)?.length, 1, text);
    });

    it('tells the exit codes of the tasks that one is made of, which has none of its own', async () => {
      const text = await room.ok('tasks', { action: 'run', name: 'all of it', wait: 120 });
      assert.match(
        text,
        /^task "all of it" ended, no exit code told, .*; exit codes of tasks that/,
      );
      assert.match(text, /^task .*"many words" 0/);
      assert.match(text, /^task .*"say" 3/);
    });

    it('says what is wrong with a name', async () => {
      assert.match(
        await room.fails('tasks', { action: 'run', name: 'sya' }),
        /^No task "sya"\. Nearest: "say"/,
      );
      assert.match(await room.fails('tasks', { action: 'run' }), /^run needs a name/);
      assert.match(
        await room.fails('tasks', { action: 'status', name: 'zz' }),
        /^"zz" was not run\./,
      );
    });
  });

  describe('terminal', () => {
    it('tells the commands of a terminal with exit codes and output, and types nothing', async () => {
      const terminal = vscode.window.createTerminal({
        name: 'persons own',
        shellPath: '/bin/bash',
      });
      terminal.show();
      const integration = await waitFor('shell integration', () => terminal.shellIntegration);
      const command =
        "sleep 1; printf '\\033[31mred-%s\\033[0m\\n' $((40 + 2)); export API_TOKEN=abcdefgh; (exit 4)";
      // The editor itself loses the output of a quick command at times: then it is run once more.
      let text = '';
      await until('the command is told with its output', async () => {
        const before = told(text);
        integration.executeCommand(command);
        await until('its end is told', async () => {
          text = await room.ok('terminal');
          return (
            told(text) > before && /: exit 4, .*\n/.test(text) && !text.includes(', 1 running\n')
          );
        });
        return text.includes('\nred-42');
      });
      assert.match(text, /^\d+ commands? seen, newest first, \d+ running\n/);
      const [, number] = /\n (\d+) \[persons own\] sleep 1; printf/.exec(text) ?? [];
      assert.ok(number, text);
      const one = await room.ok('terminal', { command: Number(number) });
      assert.match(one, /\nred-42$/);
      for (const kept of ['abcdefgh', '\u001B']) assert.ok(!(text + one).includes(kept), kept);
      assert.match(await room.fails('terminal', { command: 999 }), /^No command 999\. There are: /);
    });

    it('does not tell of a command as running whose terminal was closed', async () => {
      const terminal = vscode.window.createTerminal({ name: 'closed one', shellPath: '/bin/bash' });
      terminal.show();
      const integration = await waitFor('shell integration', () => terminal.shellIntegration);
      integration.executeCommand('echo begun; sleep 555');
      await until('it runs', async () =>
        (await room.ok('terminal')).includes('[closed one] echo begun; sleep 555: running for '),
      );
      terminal.dispose();
      let text = '';
      await until('it is over', async () => {
        text = await room.ok('terminal');
        return text.includes('sleep 555: ended as its terminal was closed\n');
      });
      assert.match(text, /, 0 running\n/);
    });

    it('names the terminals whose commands cannot be seen', async () => {
      const silent = vscode.window.createTerminal({
        name: 'silent one',
        pty: {
          onDidWrite: new vscode.EventEmitter<string>().event,
          open: () => undefined,
          close: () => undefined,
        },
      });
      silent.show();
      await until('it is named', async () =>
        /\nnot captured, no shell integration: .*silent one/.test(await room.ok('terminal')),
      );
    });
  });

  describe('tests', () => {
    let controller: vscode.TestController | undefined;
    let ending: (() => void) | undefined;
    /** As one that fails before it has made a run. */
    let begins = true;
    const uri = vscode.Uri.file(path.join(workspaceRoot(), 'src/cart.ts'));

    before(() => {
      controller = vscode.tests.createTestController('patchbayProbe', 'Probe');
      const suite = controller.createTestItem('suite', 'suite', uri);
      const names = ['adds', 'takes away', 'hangs', 'is skipped', 'prints only'];
      const items = names.map((name) => controller!.createTestItem(name, name, uri));
      suite.children.replace(items);
      controller.items.replace([suite]);
      controller.createRunProfile('run', vscode.TestRunProfileKind.Run, runItems, true);

      async function runItems(request: vscode.TestRunRequest): Promise<void> {
        if (!begins) return;
        const run = controller!.createTestRun(request);
        const wanted = request.include ?? [suite];
        const all = wanted.flatMap((item) => (item === suite ? items.slice(0, 2) : [item]));
        for (const item of all) {
          run.started(item);
          if (item.id === 'is skipped') {
            run.skipped(item);
            continue;
          }
          if (item.id === 'prints only') {
            run.appendOutput('\r10%\r\u001B[Kcannot find it, TOKEN=abcdefgh\r\n');
            continue;
          }
          if (item.id === 'hangs') await new Promise<void>((resolve) => (ending = resolve));
          if (item.id !== 'takes away') run.passed(item);
          else {
            const message = vscode.TestMessage.diff('not the same', 'three', 'four');
            message.location = new vscode.Location(uri, new vscode.Position(2, 1));
            run.failed(item, message);
          }
        }
        run.end();
      }
    });

    after(() => controller?.dispose());

    it('runs all, those of a file, or one by name, and gives the failures with their places', async () => {
      const failed = '1 failed test\nsuite > takes away src/cart.ts:3:2\n expected three, got four';
      await until('the tests are known', async () => {
        const { text } = await room.call('tests', { action: 'run', wait: 120 });
        return text === failed;
      });
      const path = 'src/cart.ts';
      assert.equal(
        await room.ok('tests', { action: 'run', path, name: 'takes', wait: 120 }),
        `${failed}\n${SAME}`,
      );
      assert.equal(await room.ok('tests', { action: 'results' }), failed);
      assert.equal(
        await room.ok('tests', { action: 'run', path, name: 'ADDS', wait: 120 }),
        NO_FAILURE,
      );
      assert.match(
        await room.fails('tests', { action: 'run', path, name: 'nope' }),
        /^No test "nope" in src\/cart\.ts\. There are: "suite", "adds", /,
      );
      assert.match(await room.fails('tests', { action: 'run', name: 'adds' }), /^name needs path/);
    });

    it('says that failures may be those of the run before, where none need have begun', async () => {
      const path = 'src/cart.ts';
      await until('a failure is told', async () =>
        (await room.call('tests', { action: 'run', wait: 120 })).text.startsWith('1 failed test'),
      );
      begins = false;
      const text = await room.ok('tests', { action: 'run', path, name: 'adds', wait: 120 });
      begins = true;
      assert.match(text, /^1 failed test\n/);
      assert.ok(text.endsWith(`\n${SAME}`), text);
      assert.doesNotMatch(await room.ok('tests', { action: 'results' }), /may not have begun/);
    });

    it('does not pass off as a success what told of no failure, or of none that may be given', async () => {
      const path = 'src/cart.ts';
      const runOf = (name: string): Promise<string> =>
        room.ok('tests', { action: 'run', path, name, wait: 120 });
      await until('a failure is told', async () =>
        (await room.call('tests', { action: 'run', wait: 120 })).text.startsWith('1 failed test'),
      );
      const guarded = await createDebugRoom({
        readGuard: { denied: (files) => Promise.resolve(new Map(files.map((one) => [one, 'R']))) },
      });
      try {
        assert.equal(
          await guarded.ok('tests', { action: 'results' }),
          '1 failed test, all left out\n(1 left out: kept back by a rule or setting, or outside)',
        );
      } finally {
        guarded.dispose();
      }
      assert.equal(await runOf('skipped'), NO_FAILURE);
      assert.equal(await runOf('prints'), `${NO_FAILURE}\noutput:\ncannot find it, TOKEN=…`);
    });

    it('says that tests still run where they do not end in time', async () => {
      const path = 'src/cart.ts';
      await until('the tests are known', async () => {
        const { isError } = await room.call('tests', {
          action: 'run',
          path,
          name: 'adds',
          wait: 120,
        });
        return !isError;
      });
      const text = await room.ok('tests', { action: 'run', path, name: 'hangs', wait: 0 });
      assert.match(text, /^the tests are still running\. action results reads/);
      (await waitFor('the test hangs', () => ending))();
    });

    it('says so where there are none', async () => {
      controller?.dispose();
      await until(
        'no test is left',
        async () => (await room.call('tests', { action: 'run' })).isError,
      );
      assert.match(
        await room.fails('tests', { action: 'run' }),
        /^No test extension has found tests in this workspace\. Run the test script with tasks/,
      );
    });
  });
});

/** How many commands were told of. */
function told(text: string): number {
  return Number(/^(\d+) command/.exec(text)?.[1] ?? 0);
}

async function waitFor<T>(what: string, get: () => T | undefined): Promise<T> {
  await until(what, () => get() !== undefined);
  const found = get();
  assert.ok(found !== undefined);
  return found;
}
