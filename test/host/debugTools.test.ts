import assert from 'node:assert/strict';
import {
  createDebugRoom,
  type DebugRoom,
  endDebugging,
  removePrograms,
  writeProgram,
} from './debugRoom';
import { closeAll } from './editorRoom';

const TOTAL = [
  'const order = { name: "desk", items: [3, 4, 5] };',
  'order.self = order;',
  'function total(list) {',
  '  let sum = 0;',
  '  for (const one of list) {',
  '    sum += one;',
  '  }',
  '  return sum;',
  '}',
  'console.log("before");',
  'const all = total(order.items);',
  'console.error("after", all);',
  'process.exitCode = 3;',
];

describe('the debugger for the model', () => {
  let room: DebugRoom;
  let path: string;

  before(async () => {
    await closeAll();
    room = createDebugRoom();
    path = await writeProgram('total.js', TOTAL);
  });

  afterEach(() => endDebugging(room));

  after(async () => {
    room.dispose();
    await closeAll();
    await removePrograms();
  });

  async function ok(tool: string, input: object): Promise<string> {
    const { text, isError } = await room.call(tool, input);
    assert.equal(isError, false, text);
    return text;
  }

  async function fails(tool: string, input: object): Promise<string> {
    const { text, isError } = await room.call(tool, input);
    assert.equal(isError, true, text);
    assert.ok(text.length <= 240, text);
    return text;
  }

  it('runs a Node program to a breakpoint, looks, steps, evaluates, and tells its exit code', async () => {
    const set = await ok('breakpoints', { action: 'set', path, line: 6 });
    assert.equal(set, `set: ${path}:6\n 6\tsum += one;`);
    const started = await ok('start', { path, wait: 50 });
    assert.match(
      started,
      /^stopped \(breakpoint\) at debugged programs\/total\.js:6:5 in total \[session "Debug debugged programs\/total\.js", pwa-node\]\n 6\tsum \+= one;\n/,
    );
    assert.match(started, /\n one = 3\n/);
    assert.match(started, /\n sum = 0\n/);
    assert.match(started, /\noutput:\n(?:.*\n)?before$/);

    const state = await ok('state', {});
    assert.match(
      state,
      /\nstack, \d+ frames \(\d+ internal or deeper ones not listed\):\n 0 total debugged programs\/total\.js:6:5\n 1 /,
    );
    assert.match(state, /\n list = \(3\) \[3, 4, 5\]\n/);
    const opened = await ok('state', { frame: 1, variable: 'order.items[1]' });
    assert.match(opened, /\norder\.items\[1\] = 4$/);
    const deep = await ok('state', { frame: 1, variable: 'order', depth: 4 });
    assert.match(deep, /\n items = \(3\) \[3, 4, 5\]\n {2}0 = 3\n/);

    assert.match(await ok('evaluate', { expression: 'sum + 10' }), /^10$/);
    assert.match(await ok('evaluate', { expression: 'order', frame: 1 }), /\n name = 'desk'\n/);
    assert.match(
      await fails('evaluate', { expression: 'nope.nope' }),
      /evaluate: .*nope is not defined/,
    );

    await ok('breakpoints', { action: 'clear' });
    assert.match(
      await ok('step', { action: 'over' }),
      /^stopped \(step\) at .*total\.js:5:\d+ in total/,
    );
    const out = await ok('step', { action: 'out' });
    assert.match(out, /^stopped \(step\) at .*total\.js:1[12]:\d+ in /);
    const end = await ok('step', { action: 'continue', wait: 50 });
    assert.equal(end, `ended: "Debug ${path}" has ended with exit code 3\noutput:\nafter 12`);
    assert.match(
      await fails('step', { action: 'over' }),
      /^Nothing is being debugged: .* exit code 3\. Begin with start$/,
    );
    assert.match(await ok('state', {}), /^ended: .* with exit code 3/);
  });
});
