import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  createDebugRoom,
  type DebugRoom,
  endDebugging,
  programFile,
  PROGRAMS,
  useDebugRoom,
  writeProgram,
} from './debugRoom';
import { closeAll, until } from './editorRoom';

const TOTAL = [
  'const order = { name: "desk", items: [3, 4, 5] };',
  'order.self = order;',
  'function sumOf(list) {',
  '  let sum = 0;',
  '  for (const one of list) {',
  '    sum += one;',
  '  }',
  '  return sum;',
  '}',
  'console.log("before");',
  'const all = sumOf(order.items);',
  'console.error("after", all);',
  'process.exitCode = 3;',
];

describe('the debugger for the model', () => {
  let room: DebugRoom;
  let path: string;

  useDebugRoom(async (made) => {
    room = made;
    path = await writeProgram('total.js', TOTAL);
  });

  it('runs a Node program to a breakpoint, looks, steps, evaluates, and tells its exit code', async () => {
    const set = await room.ok('breakpoints', { action: 'set', path, line: 6 });
    assert.equal(set, `set: ${path}:6\n 6\tsum += one;`);
    const started = await room.ok('start', { path, wait: 50 });
    assert.match(
      started,
      /^stopped \(breakpoint\) at debugged programs\/total\.js:6:5 in sumOf \[session "Debug debugged programs\/total\.js", pwa-node\]\n 6\tsum \+= one;\n/,
    );
    assert.match(started, /\n one = 3\n/);
    assert.match(started, /\n sum = 0\n/);
    assert.match(started, /\noutput:\n(?:.*\n)?before$/);

    const state = await room.ok('state', {});
    assert.match(
      state,
      /\nstack, \d+ frames \(\d+ internal or deeper ones not listed\):\n 0 sumOf debugged programs\/total\.js:6:5\n 1 /,
    );
    assert.match(state, /\n list = \(3\) \[3, 4, 5\]\n/);
    // What was printed is told once, but to each agent.
    assert.doesNotMatch(state, /\noutput:/);
    room.switchAgent('toolu_1');
    const helpers = [await room.ok('state', {}), await room.ok('state', {})];
    assert.deepEqual(
      helpers.map((text) => /\noutput:\n(?:.*\n)*before/.test(text)),
      [true, false],
    );
    room.switchAgent(undefined);
    const opened = await room.ok('state', { frame: 1, variable: 'order.items[1]' });
    assert.match(opened, /\norder\.items\[1\] = 4$/);
    const deep = await room.ok('state', { frame: 1, variable: 'order', depth: 4 });
    assert.match(deep, /\n items = \(3\) \[3, 4, 5\]\n {2}0 = 3\n/);

    assert.match(await room.ok('evaluate', { expression: 'sum + 10' }), /^10$/);
    assert.match(
      await room.ok('evaluate', { expression: 'order', frame: 1 }),
      /\n name = 'desk'\n/,
    );
    assert.match(
      await room.fails('evaluate', { expression: 'nope.nope' }),
      /evaluate: .*nope is not defined/,
    );

    await room.ok('breakpoints', { action: 'clear' });
    assert.match(
      await room.ok('step', { action: 'over' }),
      /^stopped \(step\) at .*total\.js:5:\d+ in sumOf/,
    );
    const out = await room.ok('step', { action: 'out' });
    assert.match(out, /^stopped \(step\) at .*total\.js:1[12]:\d+ in /);
    const end = await room.ok('step', { action: 'continue', wait: 50 });
    assert.equal(end, `ended: "Debug ${path}" has ended with exit code 3\noutput:\nafter 12`);
    assert.match(
      await room.fails('step', { action: 'over' }),
      /^Nothing is being debugged: .* exit code 3\. Begin with start$/,
    );
    assert.match(await room.ok('state', {}), /^ended: .* with exit code 3/);
  });

  it('tells nothing of a file that is kept back: no name, no place, no variables', async () => {
    await writeProgram('hidden.cjs', [
      'exports.enter = (visit) => {',
      '  const inside = 5;',
      '  return visit(inside);',
      '};',
    ]);
    const main = await writeProgram('shown.cjs', [
      'const { enter } = require("./hidden.cjs");',
      'enter((given) => {',
      '  const seen = given;',
      '  return seen;',
      '});',
    ]);
    const hidden = programFile('hidden.cjs');
    const guarded = await createDebugRoom({
      readGuard: {
        denied: (files) =>
          Promise.resolve(new Map(files.filter((one) => one === hidden).map((one) => [one, 'R']))),
      },
    });
    const other = await writeProgram('other.cjs', ['']);
    try {
      await vscode.workspace
        .getConfiguration('files')
        .update('autoSave', 'off', vscode.ConfigurationTarget.Global);
      for (const file of [hidden, programFile('other.cjs')]) {
        const uri = vscode.Uri.file(file);
        await vscode.window.showTextDocument(uri, { preview: false });
        const typed = new vscode.WorkspaceEdit();
        typed.insert(uri, new vscode.Position(0, 0), '// typed\n');
        await vscode.workspace.applyEdit(typed);
      }
      await guarded.ok('breakpoints', { action: 'set', path: main, line: 4 });
      const started = await guarded.ok('start', { path: main, wait: 50 });
      assert.match(started, /^stopped \(breakpoint\) at debugged programs\/shown\.cjs:4:/);
      assert.ok(
        started.includes(`\nnot saved, so not in the program: ${other} (1 left out: kept back `),
        started,
      );
      const state = await guarded.ok('state');
      assert.match(state, /\n 0 \S+ .*shown\.cjs:4:\d+\n 1 \(kept back\)\n 2 .*shown\.cjs:2:/);
      assert.match(state, /\n seen = 5\n/);
      const frame = await guarded.ok('state', { frame: 1 });
      assert.match(frame, /^stopped \(breakpoint\) in \(kept back\) \[session /);
      assert.match(frame, /\nvariables kept back, as the file of the frame is/);
      const variable = await guarded.fails('state', { frame: 1, variable: 'inside' });
      assert.match(variable, /^Frame 1: variables kept back/);
      const evaluated = await guarded.fails('evaluate', { expression: 'inside', frame: 1 });
      assert.match(evaluated, /^Not evaluated: the file of frame 1 is kept back by a rule/);
      assert.equal(await guarded.ok('evaluate', { expression: 'seen' }), '5');
      await guarded.ok('breakpoints', { action: 'clear' });
      const out = await guarded.ok('step', { action: 'out', wait: 50 });
      assert.match(out, /^stopped \(step\) in \(kept back\) \[session [^\n]*\nvariables kept back/);
      const inHidden = await guarded.fails('evaluate', { expression: 'inside' });
      for (const text of [started, state, frame, variable, evaluated, out, inHidden]) {
        assert.doesNotMatch(text, /hidden\.cjs|inside/);
      }
    } finally {
      await endDebugging(guarded);
      guarded.dispose();
      await closeAll();
    }
  });

  it('shows a process and its child as one session with two threads', async () => {
    await writeProgram('child.cjs', ['const inChild = "yes";', 'console.log(inChild);']);
    const parent = await writeProgram('parent.cjs', [
      'const { fork } = require("node:child_process");',
      'fork(require("node:path").join(__dirname, "child.cjs"));',
      'console.log("forked");',
    ]);
    await room.ok('breakpoints', { action: 'set', path: `${PROGRAMS}/child.cjs`, line: 2 });
    const started = await room.ok('start', { path: parent, wait: 50 });
    assert.match(
      started,
      /^stopped \(breakpoint\) at debugged programs\/child\.cjs:2:\d+ in <anonymous> \[session "Debug debugged programs\/parent\.cjs"/,
    );
    const state = await room.ok('state');
    assert.match(
      state,
      /\nthreads:\n \d .*: (?:running|stopped \(breakpoint\))\n \d .*: (?:running|stopped \(breakpoint\))\n/,
    );
    assert.equal(state.match(/: stopped \(breakpoint\)/g)?.length, 1);
    assert.doesNotMatch(state, /also debugged/);
    const end = await room.ok('step', { action: 'continue', wait: 50 });
    assert.match(end, /^ended: .* with exit code 0 \(its debugger told no other\)\noutput:\n/);
    assert.match(end, /\nyes$/);
  });

  it('pauses a program that never stops by itself, and ends it by its name', async () => {
    const loop = await writeProgram('loop.js', [
      'let n = 0;',
      'console.log("ticking");',
      'setInterval(() => {',
      '  n += 1;',
      '}, 5);',
    ]);
    const started = await room.ok('start', { path: loop, wait: 0 });
    assert.match(started, /^(?:running, nothing stopped|not started yet)/);
    await until('it runs', () =>
      room.sessions.alive().some(({ run }) => run.output.since().includes('ticking')),
    );
    assert.match(await room.ok('state'), /^running, nothing stopped .*, pwa-node, 1 thread\]/);
    assert.match(
      await room.fails('start', { path: loop }),
      /^"Debug .*loop\.js" is being debugged already/,
    );
    const paused = await room.ok('step', { action: 'pause', wait: 50 });
    assert.match(paused, /^stopped \((?:pause|step)\) at /);
    const session = `Debug ${loop}`;
    assert.match(
      await room.ok('stop', { session }),
      /^ended: "Debug .*loop\.js" has ended, no exit code told/,
    );
    assert.match(await room.fails('stop', { session }), /None is$/);
  });

  it('starts a launch configuration by its name, and lists what there is', async () => {
    assert.match(await room.ok('start'), /^0 launch configurations/);
    const launch = vscode.workspace.getConfiguration('launch');
    const program = '${workspaceFolder}/debugged programs/total.js';
    const config = {
      type: 'node',
      request: 'launch',
      name: 'Total',
      program,
      console: 'internalConsole',
    };
    const asks = { ...config, name: 'Asks', args: ['${input:what}'] };
    try {
      await launch.update('configurations', [config, asks], vscode.ConfigurationTarget.Workspace);
      await until('both are listed', async () => (await room.ok('start')).startsWith('2 launch'));
      assert.equal(
        await room.ok('start'),
        '2 launch configurations\n Total (node launch)\n Asks (node launch, may ask the person)',
      );
      assert.match(
        await room.fails('start', { config: 'Totla' }),
        /^No launch configuration "Totla"\. Nearest: "Total", "Asks"$/,
      );
      await room.ok('breakpoints', { action: 'set', path, line: 6, condition: 'one === 5' });
      const started = await room.ok('start', { config: 'Total', wait: 50 });
      assert.match(
        started,
        /^stopped \(breakpoint\) at .*total\.js:6:5 in sumOf \[session "Total", pwa-node\]\n/,
      );
      assert.match(started, /\n one = 5\n/);
      const end = await room.ok('step', { action: 'continue', wait: 50 });
      assert.match(end, /^ended: "Total" has ended with exit code 3\n/);
    } finally {
      await launch.update('configurations', undefined, vscode.ConfigurationTarget.Workspace);
      await rm(programFile('../.vscode'), { recursive: true, force: true });
    }
  });

  it('sets, changes, lists and clears breakpoints, log points and counts', async () => {
    const at = (line: number, more: object = {}): object => ({
      action: 'set',
      path,
      line,
      ...more,
    });
    const notServed = 'Exception and data breakpoints are only for the person to see and set';
    assert.equal(await room.ok('breakpoints', { action: 'list' }), `0 breakpoints\n(${notServed})`);
    await room.ok('breakpoints', at(6));
    assert.match(await room.ok('breakpoints', at(6)), /^already set: .*total\.js:6$/);
    assert.match(
      await room.ok('breakpoints', at(6, { hits: '>1' })),
      /^set: .*:6 \(hits >1\), in place of the one there \(plain\)\n/,
    );
    await room.ok('breakpoints', at(8, { log: 'sum is {sum}' }));
    assert.equal(
      await room.ok('breakpoints', { action: 'list' }),
      `2 breakpoints\n${path}\n 6 (hits >1)\n 8 (logs "sum is {sum}")\n(${notServed})`,
    );
    const started = await room.ok('start', { path, wait: 50 });
    assert.match(started, /\n one = 4\n/);
    assert.match(
      await room.ok('breakpoints', { action: 'list', path }),
      /\n 6 \(hits >1\), verified\n 8 \(logs "sum is \{sum\}"\), verified/,
    );
    await room.ok('breakpoints', { action: 'clear', path, line: 6 });
    const end = await room.ok('step', { action: 'continue', wait: 50 });
    assert.match(end, /^ended: .*exit code 3\noutput:\n(?:.*\n)*sum is 12\n/);
    assert.match(
      await room.fails('breakpoints', at(99)),
      /total\.js has 14 lines; line 99 is not in it$/,
    );
    assert.match(
      await room.fails('breakpoints', { action: 'set', path: 'totl.js', line: 1 }),
      /^No such file: totl\.js\. Nearest: /,
    );
    assert.equal(
      await room.fails('breakpoints', { action: 'set' }),
      `set needs path and line (1-based). ${notServed}`,
    );
    assert.match(
      await room.fails('breakpoints', { action: 'clear', path, line: 3 }),
      /^No breakpoint at .*:3\. There are some at 8$/,
    );
    assert.equal(await room.ok('breakpoints', { action: 'clear' }), '1 breakpoint cleared');
  });
});
