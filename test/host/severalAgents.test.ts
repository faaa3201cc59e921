import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createToolContext } from '../../src/mcp/toolContext';
import {
  createDebugRoom,
  type DebugRoom,
  endDebugging,
  programFile,
  removePrograms,
  removeTasks,
  writeProgram,
} from './debugRoom';
import { closeAll, until, workspaceRoot } from './editorRoom';
import { type Script, startScripted, useScripts } from './scriptedDebugger';

const AT_ONCE = { reason: 'breakpoint', threadId: 1, allThreadsStopped: true };
const STANDS: Script = {
  stops: [AT_ONCE],
  answers: { evaluate: () => ({ result: 'evaluated', variablesReference: 0 }) },
  after: (command, send) => {
    if (command === 'next') send('stopped', { ...AT_ONCE, reason: 'step' });
  },
};
const shell = (label: string): object => ({
  ...{ label, type: 'shell', command: 'sleep 1000', problemMatcher: [] },
});
const TASKS = [
  ...[shell('part'), shell('other')],
  { label: 'made of parts', dependsOn: ['part'], problemMatcher: [] },
];
const configurations = ['first', 'second'].map((name) => ({
  ...{ name, type: 'acme', request: 'launch', program: programFile('main.acme') },
}));

describe('two agents that run things in one window', () => {
  let room: DebugRoom;
  const folder = path.join(workspaceRoot(), '.vscode');

  before(async () => {
    await closeAll();
    await mkdir(folder, { recursive: true });
    const files = { tasks: { version: '2.0.0', tasks: TASKS }, launch: { configurations } };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(path.join(folder, `${name}.json`), JSON.stringify(text));
    }
    await writeProgram('main.acme', ['one', 'two']);
    room = await createDebugRoom();
    await useScripts(new Map(['first', 'second', 'persons'].map((name) => [name, STANDS])));
    await until('all are known', async () => {
      const tasks = await vscode.tasks.fetchTasks();
      return tasks.length > 2 && (await room.ok('start')).includes('second');
    });
  });
  afterEach(() => endDebugging(room));
  after(async () => {
    await removePrograms();
    await removeTasks(room, folder);
  });

  /** Of a conversation of its own. */
  function agent(): (tool: string, input?: object) => Promise<string> {
    const state = new Map<string, unknown>();
    return async (tool, input = {}) => {
      const server = room.servers.find((one) => one.getTool(tool) !== undefined);
      assert.ok(server, tool);
      const result = await server.execute(tool, input, createToolContext({ state }));
      const [block] = result.content;
      assert.equal(block?.type, 'text');
      return block.text;
    };
  }

  it('move, look at and evaluate in what each has begun, and in no other without its name', async () => {
    const [one, two] = [agent(), agent()];
    const over = { action: 'over', wait: 50 };
    const expression = { expression: '1' };
    assert.match(await one('start', { config: 'first', wait: 50 }), /\[session "first", acme\]/);
    assert.match(await two('start', { config: 'second', wait: 50 }), /\[session "second", acme\]/);
    assert.match(await one('step', over), /^stopped \(step\) .*\[session "first", acme\]/);
    assert.match(
      await one('state'),
      /^stopped .*\[session "first", acme\].*also debugged: "second"$/s,
    );
    assert.match(await two('step', over), /^stopped \(step\) .*\[session "second", acme\]/);
    // One that has begun nothing, and one whose own has ended.
    const third = agent();
    assert.match(await two('stop', { session: 'second' }), /^ended: "second"/);
    for (const [tool, input] of [
      ['step', over],
      ['evaluate', expression],
    ] as const) {
      assert.match(
        await third(tool, input),
        /^To move what another agent began, name it .*: "first"$/,
      );
      assert.match(
        await two(tool, input),
        /^"second" has ended.* To move what another agent began, /,
      );
      assert.match(await two(tool, { ...input, session: 'first' }), /^(?:stopped|evaluated)/);
      assert.match(await one(tool, input), /^(?:stopped|evaluated)/);
    }
    assert.match(await third('state'), /^stopped .*\[session "first", acme\]/);
    assert.match(await one('stop', { session: 'first' }), /^ended: "first"/);
    assert.match(await two('state'), /^ended: "second" has ended/);
    // That of the person is changed by its name only as well.
    await startScripted('persons', programFile('main.acme'));
    await until('it stands', async () => (await third('state')).startsWith('stopped'));
    assert.match(await third('evaluate', expression), /^evaluated/);
    for (const [tool, input] of [
      ['step', over],
      ['evaluate', expression],
    ] as const) {
      assert.match(
        await two(tool, input),
        /^"second" has ended.* To move what the person debugs, /,
      );
    }
  });

  it('clear no breakpoints of one another', async () => {
    const [one, two] = [agent(), agent()];
    const at = (line: number): object => ({ path: 'src/cart.ts', line });
    const file = vscode.Uri.file(path.join(workspaceRoot(), 'src/cart.ts'));
    const place = new vscode.Location(file, new vscode.Position(2, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(place)]);
    await one('breakpoints', { action: 'set', ...at(1) });
    await two('breakpoints', { action: 'set', ...at(2) });
    assert.equal(
      await one('breakpoints', { action: 'clear' }),
      "1 breakpoint cleared; 1 of the person's and 1 of another agent's kept (name their line)",
    );
    assert.equal(
      await two('breakpoints', { action: 'clear' }),
      "1 breakpoint cleared; 1 of the person's kept (name their line)",
    );
  });

  it('are told of a task that is made of others only what it is made of', async () => {
    const [one, two] = [agent(), agent()];
    await one('tasks', { action: 'run', name: 'made of parts', wait: 1 });
    await until('its part runs', async () =>
      (await one('tasks', { action: 'status', name: 'made of parts', wait: 0 })).includes('"part"'),
    );
    await two('tasks', { action: 'run', name: 'other', wait: 1 });
    const given = { name: 'made of parts', wait: 0 };
    assert.match(await one('tasks', { action: 'status', ...given }), / waits .* for "part"\. /);
    const stopped = await one('tasks', { action: 'stop', ...given });
    assert.match(stopped, / waits for tasks that run: stop "part"$/);
  });

  it('are told the failures of the tests that each has run', async () => {
    const [one, two] = [agent(), agent()];
    const controller = vscode.tests.createTestController('patchbayAgents', 'Agents');
    const names = ['cart', 'format'];
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    for (const name of names) {
      const uri = vscode.Uri.file(path.join(workspaceRoot(), `src/${name}.ts`));
      controller.items.add(controller.createTestItem(name, name, uri));
    }
    const running: string[] = [];
    const runAll = async (request: vscode.TestRunRequest): Promise<void> => {
      const run = controller.createTestRun(request);
      for (const test of request.include ?? []) {
        running.push(test.id);
        await ended;
        run.failed(test, new vscode.TestMessage(`${test.id} broke`));
      }
      run.end();
    };
    controller.createRunProfile('run', vscode.TestRunProfileKind.Run, runAll, true);
    const of = (name = ''): object => ({ action: 'run', path: `src/${name}.ts`, wait: 120 });
    try {
      await until('the tests are known', async () => {
        const known: unknown = await vscode.commands.executeCommand(
          'vscode.testing.getControllersWithTests',
        );
        return Array.isArray(known) && known.length > 0;
      });
      const first = one('tests', of(names[0]));
      await until('the first runs', () => running.length === 1);
      assert.match(
        await two('tests', { ...of(names[1]), wait: 1 }),
        /^No test was run: tests that another call began still run/,
      );
      const second = two('tests', of(names[1]));
      end();
      assert.match(await first, /^1 failed test\ncart.*\n cart broke$/);
      assert.match(await second, /^1 failed test\nformat.*\n format broke$/);
      assert.deepEqual(running, names);
    } finally {
      end();
      controller.dispose();
    }
  });
});
