import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type DebugRoom, endDebugging, useDebugRoom } from '../debugRoom';
import { createEditorRoom, until } from '../editorRoom';
import { useScripts } from '../scriptedDebugger';
import { folderRoot as root } from './folderRoot';

describe('the tools that run things in a workspace of two folders of one name', () => {
  let runs: DebugRoom;

  // One for all: the editor may name a session as active long after its end, and only who saw that knows.
  useDebugRoom((room) => {
    runs = room;
    return Promise.resolve();
  });

  it('run the tasks and start the launch configurations of the folder that is named', async () => {
    try {
      for (const [index, code] of [3, 4].entries()) {
        await mkdir(path.join(root(index), '.vscode'), { recursive: true });
        const task = { label: 'tell', type: 'process', command: process.execPath };
        const config = { type: 'node', request: 'launch', program: '${workspaceFolder}/tell.cjs' };
        const files = {
          'tasks.json': {
            version: '2.0.0',
            tasks: [{ ...task, args: ['-e', `process.exit(${code})`], problemMatcher: [] }],
          },
          'launch.json': { version: '0.2.0', configurations: [{ ...config, name: 'go' }] },
        };
        for (const [name, text] of Object.entries(files)) {
          await writeFile(path.join(root(index), '.vscode', name), JSON.stringify(text));
        }
        await writeFile(path.join(root(index), 'tell.cjs'), `process.exitCode = ${code};\n`);
      }
      const names = ['work space', 'work space~2'];
      const tasks = names.map((name) => ` ${name}/tell`);
      await until('both tasks are known', async () => {
        const list = await runs.ok('tasks', { action: 'list', name: '/tell' });
        return list === ['2 tasks', ...tasks].join('\n');
      });
      await until('both configurations are known', async () => {
        const list = await runs.ok('start');
        return names.every((name) => list.includes(`\n ${name}/go (node launch)`));
      });
      for (const [index, folder] of names.entries()) {
        const name = `${folder}/tell`;
        const told = await runs.ok('tasks', { action: 'run', name, wait: 120 });
        assert.match(told, new RegExp(`^task "${name}" ended, exit code ${index + 3}, `));
        assert.match(
          await runs.ok('start', { config: `${folder}/go`, wait: 50 }),
          new RegExp(`^ended: "go" has ended with exit code ${index + 3}`),
        );
      }
      // That of one folder is no second one of the other's.
      const line = { path: 'work space/tell.cjs', line: 1 };
      await runs.ok('breakpoints', { action: 'set', ...line });
      assert.match(await runs.ok('start', { config: 'work space/go', wait: 50 }), /^stopped /);
      assert.match(
        await runs.fails('start', { config: 'work space/go' }),
        /^"go" is being debugged already/,
      );
      assert.match(
        await runs.ok('start', { config: 'work space~2/go', wait: 50 }),
        /^ended: "go[^"]+" has ended with exit code 4/,
      );
      assert.match(await runs.ok('stop', { session: 'go' }), /^ended: "go" has ended/);
      assert.match(
        await runs.fails('tasks', { action: 'run', name: 'tell' }),
        /^Several tasks are called so: "work space\/tell", "work space~2\/tell"$/,
      );
      assert.match(
        await runs.fails('start', { config: 'go' }),
        /^Several configurations have this name: "work space\/go", "work space~2\/go"$/,
      );
    } finally {
      await endDebugging(runs);
      for (const terminal of vscode.window.terminals) terminal.dispose();
      for (const index of [0, 1]) {
        for (const name of ['.vscode', 'tell.cjs']) {
          await rm(path.join(root(index), name), { recursive: true, force: true });
        }
      }
    }
  });

  it('end and look at no task of another folder than is meant', async () => {
    const names = ['work space', 'work space~2'].map((folder) => `${folder}/wait`);
    const call = (action: string, name: string, wait = 120): Promise<string> =>
      runs.ok('tasks', { action, name, wait });
    try {
      for (const index of [0, 1]) {
        await mkdir(path.join(root(index), '.vscode'), { recursive: true });
        const tasks = [{ label: 'wait', type: 'shell', command: 'sleep 1000', problemMatcher: [] }];
        const file = path.join(root(index), '.vscode/tasks.json');
        await writeFile(file, JSON.stringify({ version: '2.0.0', tasks }));
      }
      await until('both tasks are known', async () =>
        (await runs.ok('tasks', { action: 'list', name: '/wait' })).startsWith('2 tasks'),
      );
      for (const name of names) await call('run', name, 1);
      for (const action of ['stop', 'status']) {
        assert.equal(
          await runs.fails('tasks', { action, name: 'wait' }),
          `Several tasks are called so: ${names.map((name) => `"${name}"`).join(', ')}`,
        );
      }
      assert.match(await call('stop', names[1] ?? ''), /^task "work space~2\/wait" ended, /);
      // The last to be started has ended: it is the other one that can be meant.
      assert.match(await call('status', 'wait', 0), /^task "work space\/wait" is still running /);
      assert.match(await call('stop', 'wait'), /^task "work space\/wait" ended, /);
      await until('none runs', () => vscode.tasks.taskExecutions.length === 0);
    } finally {
      for (const execution of vscode.tasks.taskExecutions) execution.terminate();
      for (const terminal of vscode.window.terminals) terminal.dispose();
      for (const index of [0, 1]) {
        await rm(path.join(root(index), '.vscode'), { recursive: true, force: true });
      }
    }
  });

  it('tell of the session of the folder that was named, though both begin at once', async () => {
    const AT_ONCE = { stops: [{ reason: 'breakpoint', threadId: 1, allThreadsStopped: true }] };
    await useScripts(new Map([['go', AT_ONCE]]));
    const folders = ['work space', 'work space~2'];
    try {
      for (const index of [0, 1]) {
        await mkdir(path.join(root(index), '.vscode'), { recursive: true });
        await writeFile(path.join(root(index), 'main.acme'), `of ${index}\n`);
        const program = '${workspaceFolder}/main.acme';
        const configurations = [{ name: 'go', type: 'acme', request: 'launch', program }];
        const file = path.join(root(index), '.vscode/launch.json');
        await writeFile(file, JSON.stringify({ version: '0.2.0', configurations }));
      }
      await until('both are known', async () => {
        const list = await runs.ok('start');
        return folders.every((name) => list.includes(`\n ${name}/go (acme launch)`));
      });
      const told = await Promise.all(
        folders.map((name) => runs.ok('start', { config: `${name}/go`, wait: 50 })),
      );
      for (const [index, text] of told.entries()) assert.match(text, new RegExp(`\tof ${index}\n`));
    } finally {
      await endDebugging(runs);
      for (const index of [0, 1]) {
        for (const name of ['.vscode', 'main.acme']) {
          await rm(path.join(root(index), name), { recursive: true, force: true });
        }
      }
    }
  });

  it('start what is made of configurations of several folders, and say where one of them asks', async () => {
    const AT_ONCE = { stops: [{ reason: 'breakpoint', threadId: 1, allThreadsStopped: true }] };
    await useScripts(new Map(['here', 'there'].map((name) => [name, AT_ONCE])));
    const of = (name: string, program = '${workspaceFolder}/main.acme'): object => ({
      ...{ name, type: 'acme', request: 'launch', program },
    });
    const compounds = [
      { name: 'across', configurations: ['here', 'there'] },
      { name: 'asking', configurations: ['here', 'asks there'] },
    ];
    const files = [
      { configurations: [of('here')], compounds },
      { configurations: [of('there'), of('asks there', '${input:which}')] },
    ];
    try {
      for (const [index, text] of files.entries()) {
        await mkdir(path.join(root(index), '.vscode'), { recursive: true });
        await writeFile(path.join(root(index), 'main.acme'), `of ${index}\n`);
        await writeFile(path.join(root(index), '.vscode/launch.json'), JSON.stringify(text));
      }
      await until('all are known', async () => {
        const list = await runs.ok('start');
        return list.includes('/there (') && list.includes('/across (');
      });
      const list = await runs.ok('start');
      assert.match(list, /\n work space\/across \(compound of here, there\)\n/);
      assert.match(
        list,
        /\n work space\/asking \(compound of here, asks there, may ask the person\)\n/,
      );
      assert.match(await runs.ok('start', { config: 'across', wait: 50 }), /^stopped /);
      await until('both stand', () =>
        runs.sessions.alive().every(({ run }, _, { length }) => length > 1 && run.stops.length > 0),
      );
      for (const [index, session] of ['here', 'there'].entries()) {
        assert.match(await runs.ok('state', { session }), new RegExp(`\tof ${index}\n`));
      }
      assert.match(
        await runs.fails('start', { config: 'work space~2/there' }),
        /^"there" is being debugged already/,
      );
    } finally {
      await endDebugging(runs);
      for (const index of [0, 1]) {
        for (const name of ['.vscode', 'main.acme']) {
          await rm(path.join(root(index), name), { recursive: true, force: true });
        }
      }
    }
  });

  it('run nothing by a path that means a file in each of them', async () => {
    const room = createEditorRoom();
    for (const index of [0, 1]) {
      for (const name of ['same.cjs', 'same.ipynb']) {
        await writeFile(path.join(root(index), name), name === 'same.cjs' ? 'let n;\n' : '');
      }
    }
    const calls: readonly (readonly [{ readonly call: typeof runs.call }, string, object])[] = [
      [runs, 'start', { path: 'same.cjs' }],
      [runs, 'breakpoints', { action: 'set', path: 'same.cjs', line: 1 }],
      [runs, 'tests', { action: 'run', path: 'same.cjs' }],
      [room, 'run_cell', { path: 'same.ipynb', cell: 1 }],
    ];
    try {
      for (const [servers, tool, input] of calls) {
        const { text, isError } = await servers.call(tool, input);
        assert.ok(isError, text);
        assert.match(text, /^Nothing was changed: several files are meant: work space\/same\./);
      }
      assert.equal(vscode.debug.breakpoints.length, 0);
    } finally {
      room.dispose();
      for (const index of [0, 1]) {
        for (const name of ['same.cjs', 'same.ipynb']) await rm(path.join(root(index), name));
      }
    }
  });

  it('tell the output of a task, also once that of the other folder has its terminal', async () => {
    const names = ['work space', 'work space~2'].map((folder) => `${folder}/say`);
    try {
      for (const [index] of names.entries()) {
        await mkdir(path.join(root(index), '.vscode'), { recursive: true });
        const command = `echo said-${index}; sleep 1`;
        const tasks = [{ label: 'say', type: 'shell', command, problemMatcher: [] }];
        const file = path.join(root(index), '.vscode/tasks.json');
        await writeFile(file, JSON.stringify({ version: '2.0.0', tasks }));
      }
      await until('both tasks are known', async () =>
        (await runs.ok('tasks', { action: 'list', name: '/say' })).startsWith('2 tasks'),
      );
      for (const [index, name] of names.entries()) {
        const given = { action: 'run', name, wait: 120 };
        // The editor itself loses the output of a quick command at times: then it is run once more.
        await until('the output is told', async () =>
          (await runs.ok('tasks', given)).endsWith(`\noutput:\nsaid-${index}`),
        );
      }
      for (const [index, name] of names.entries()) {
        const text = await runs.ok('tasks', { action: 'status', name });
        assert.ok(text.endsWith(`\noutput:\nsaid-${index}`), text);
      }
    } finally {
      for (const terminal of vscode.window.terminals) terminal.dispose();
      for (const [index] of names.entries()) {
        await rm(path.join(root(index), '.vscode'), { recursive: true, force: true });
      }
    }
  });
});
