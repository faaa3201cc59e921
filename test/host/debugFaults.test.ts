import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DebugAgent } from '../../src/editor/debugAgent';
import type { DebugRun } from '../../src/editor/debugRun';
import { DebugSessions } from '../../src/editor/debugSessions';
import {
  createDebugRoom,
  type DebugRoom,
  programFile,
  useDebugRoom,
  writeProgram,
} from './debugRoom';
import { until } from './editorRoom';
import { MANY, startFake, useFakeDebugger } from './fakeDebugger';

const agent: DebugAgent = { kind: 'agent' };

describe('a debugger that is not as it should be', () => {
  let room: DebugRoom;
  let path: string;
  let program: string;

  useDebugRoom(async (made) => {
    room = made;
    await useFakeDebugger();
    path = await writeProgram('main.acme', ['first', '  second line', 'third']);
    program = programFile('main.acme');
  });

  it('is asked for its state, of which what cannot be read is left out, and much is cut', async () => {
    await startFake('stops', program);
    const text = await room.ok('step', { action: 'wait', wait: 50 });
    assert.match(
      text,
      /^stopped \(entry\) at debugged programs\/main\.acme:2:1 in start \[session "stops", acme\]\n 2\tsecond line\n/,
    );
    const state = await room.ok('state');
    assert.match(
      state,
      /\nthreads:\n 1 main: stopped \(entry\)\n 2 worker: stopped \(entry\)\nstack, 1 frame:\n 0 start /,
    );
    assert.match(
      state,
      new RegExp(`\\nLocals:\\n list = List of ${MANY}\\n ring = Ring\\n local0 = x+…\\n`),
    );
    assert.match(state, /\n … 172 more variables, next: from=30$/);
    assert.match(await room.fails('state', { thread: 9 }), /^No thread 9\. There are: 1, 2$/);
    assert.match(await room.fails('state', { frame: 4 }), /^No frame 4: the thread has 1 frame$/);
  });

  it('gives thousands of variables page by page, and opens a ring once', async () => {
    await startFake('stops', program);
    await room.ok('step', { action: 'wait', wait: 50 });
    const first = await room.ok('state', { variable: 'list' });
    assert.match(
      first,
      /\n \[0\] = value 0\n.*\n \[29\] = value 29\n … 4970 more variables, next: from=30$/s,
    );
    const last = await room.ok('state', { variable: 'list', from: MANY - 2 });
    assert.match(last, /\n \[4998\] = value 4998\n \[4999\] = value 4999$/);
    const one = await room.ok('state', { variable: 'list[1234]' });
    assert.match(one, /\nlist\[1234\] = value 1234$/);
    const ring = await room.ok('state', { variable: 'ring', depth: 4 });
    assert.match(ring, /\nring = Ring\n self = Ring \(cycle\)$/);
    assert.match(
      await room.fails('state', { variable: 'nope' }),
      /^No variable "nope" in this frame/,
    );
    assert.match(await room.fails('state', { variable: 'ring.x' }), /no x there\. It has: self$/);
    assert.match(
      await room.fails('state', { variable: 'local1.x' }),
      /nothing is inside before x$/,
    );
  });

  it('is named together with the request that it lacks, and the program still stands', async () => {
    await startFake('stops', program);
    await room.ok('step', { action: 'wait', wait: 50 });
    assert.equal(
      await room.fails('step', { action: 'in' }),
      'The debugger "acme" refused or lacks the request stepIn: unrecognized request',
    );
    assert.match(
      await room.fails('evaluate', { expression: '1' }),
      /lacks the request evaluate: unrecog/,
    );
    assert.match(await room.ok('step', { action: 'over', wait: 50 }), /^stopped \(step\) at /);
  });

  it('that keeps silent is not waited for without end', async () => {
    const impatient = await createDebugRoom({ answerMs: 300 });
    try {
      await startFake('silent', program);
      await until(
        'it has stopped',
        async () => (await impatient.call('step', { action: 'wait', wait: 1 })).isError,
      );
      assert.match(
        await impatient.fails('state'),
        /^The debugger "acme" did not answer the request stackTrace in 0\.3 s: it may lack it/,
      );
      assert.match(
        await impatient.fails('evaluate', { expression: '1' }),
        / did not answer the request /,
      );
      const stop = new AbortController();
      const call = room.call('state', {}, stop.signal);
      stop.abort();
      assert.match((await call).text, /^Stopped/);
    } finally {
      impatient.dispose();
    }
  });

  it('whose program ends in the middle of a request does not keep the call waiting', async () => {
    await startFake('ends', program);
    await room.ok('step', { action: 'wait', wait: 50 });
    const text = await room.ok('step', { action: 'continue', wait: 50 });
    assert.equal(text, 'ended: "ends" has ended with exit code 7\noutput:\nlast words');
    assert.match(await room.ok('state'), /^ended: "ends" has ended with exit code 7/);
  });

  it('that runs is told to be running when the time is over, and can be paused', async () => {
    await startFake('runs', program);
    const text = await room.ok('step', { action: 'wait', wait: 0 });
    assert.match(text, /^running, nothing stopped \[session "runs", acme, 2 threads\]\n/);
    assert.match(
      await room.fails('step', { action: 'over' }),
      /^Nothing is stopped: the program runs/,
    );
    assert.match(await room.ok('step', { action: 'pause', wait: 50 }), /^stopped \(pause\) at /);
  });

  it('says that a breakpoint is not verified, and what it has no support for', async () => {
    await startFake('runs', program);
    const text = await room.ok('breakpoints', { action: 'set', path, line: 3, condition: 'a > 1' });
    assert.match(
      text,
      /^set: .*main\.acme:3 \(if a > 1\), not verified(?: \(no code here\))?: it may never stop\n/,
    );
    assert.match(
      text,
      /\nthe debugger "acme" has no condition \(supportsConditionalBreakpoints\)$/,
    );
    assert.match(
      await room.ok('breakpoints', { action: 'list' }),
      /\n 3 \(if a > 1\), not verified/,
    );
  });

  it('was begun before anybody listened, and is asked where it stands', async () => {
    await startFake('stops', program, 'stops');
    await room.ok('step', { action: 'wait', wait: 50 });
    const late = await createDebugRoom();
    try {
      const state = await late.ok('state');
      assert.match(state, /^stopped \(paused\) at debugged programs\/main\.acme:2:1 in start/);
      assert.match(await late.ok('step', { action: 'over', wait: 50 }), /^stopped \(paused\) at /);
    } finally {
      late.dispose();
    }
  });

  it('that has ended last is told of, whichever began last', async () => {
    await startFake('runs', program, 'begun first' as 'runs');
    await startFake('runs', program, 'begun last' as 'runs');
    for (const session of ['begun last', 'begun first']) await room.ok('stop', { session });
    assert.match(await room.ok('state'), /^ended: "begun first" has ended/);
  });

  it('keeps its number among those of one name, whichever of them have ended', () => {
    const sessions = new DebugSessions();
    const runs = new Map<string, DebugRun>();
    sessions.onDidStart((run) => runs.set(run.root.id, run));
    const begin = (id: string): void => {
      const session: Partial<vscode.DebugSession> = { id, name: 'app', type: 'acme' };
      // What is read of one; only the editor can make a whole one.
      sessions.track(session as vscode.DebugSession);
    };
    const end = (id: string): void => runs.get(id)?.ended(id);
    const named = (): readonly string[] =>
      sessions
        .alive()
        .flatMap(({ run, name }) => (run.root.name === 'app' ? [run.root.id + name] : []));
    try {
      for (const id of ['a', 'b', 'c']) begin(id);
      assert.deepEqual(named(), ['aapp', 'bapp #2', 'capp #3']);
      end('a');
      end('c');
      begin('d');
      assert.deepEqual(named(), ['bapp #2', 'dapp #4']);
      assert.equal(sessions.pick('app #2', agent).run.root.id, 'b');
      assert.throws(() => sessions.pick('app', agent), /There are: "app #2", "app #4"/);
      for (const id of ['b', 'd']) end(id);
      begin('e');
      assert.deepEqual(named(), ['eapp']);
    } finally {
      sessions.dispose();
    }
  });

  it('gets no condition, count or text from words that are empty', async () => {
    const given = { action: 'set', path, line: 2, condition: '', hits: '', log: '' };
    assert.match(await room.ok('breakpoints', given), /main\.acme:2\n 2\tsecond line$/);
    const [one] = vscode.debug.breakpoints;
    assert.ok(one);
    const { condition, hitCondition, logMessage } = one;
    assert.deepEqual([condition, hitCondition, logMessage], [undefined, undefined, undefined]);
  });

  it('that the person restarts is the same session, at its new stop', async () => {
    await startFake('stops', program);
    await room.ok('step', { action: 'wait', wait: 50 });
    const [before] = room.sessions.alive();
    assert.ok(before);
    before.run.owner = room.agent;
    for (let times = 0; times < 2; times += 1) {
      const { run } = room.sessions.pick('stops', room.agent);
      await vscode.commands.executeCommand('workbench.action.debug.restart');
      await until('it has begun anew', () => {
        const [now, ...more] = room.sessions.alive();
        return now !== undefined && now.run !== run && more.length === 0;
      });
      assert.match(await room.ok('step', { action: 'wait', wait: 50 }), /^stopped \(entry\) at /);
      assert.match(await room.ok('state'), /^stopped \(entry\) at .*\[session "stops", acme\]\n/);
      assert.match(await room.ok('step', { action: 'over', wait: 50 }), /^stopped \(step\) at /);
      assert.equal(room.sessions.pick(undefined, room.agent).run.owner, room.agent);
    }
    assert.match(await room.ok('stop', { session: 'stops' }), /^ended: "stops" has ended/);
    assert.match(await room.ok('state'), /^ended: /);
  });

  it('of the person is never ended unless it is named', async () => {
    await startFake('runs', program, 'mine' as 'runs');
    await room.ok('breakpoints', { action: 'set', path, line: 1 });
    vscode.debug.addBreakpoints([
      new vscode.SourceBreakpoint(
        new vscode.Location(vscode.Uri.file(program), new vscode.Position(1, 0)),
      ),
    ]);
    assert.match(
      await room.fails('stop', { session: '' }),
      /^No session "\?" is being debugged\. There are: "mine"$/,
    );
    assert.match(await room.fails('stop', { session: 'other' }), /There are: "mine"$/);
    const cleared = await room.ok('breakpoints', { action: 'clear' });
    assert.equal(cleared, "1 breakpoint cleared; 1 of the person's kept (name their line)");
    assert.match(
      await room.ok('breakpoints', { action: 'clear', path, line: 2 }),
      /^1 breakpoint cleared$/,
    );
    assert.match(await room.ok('state'), /^running/);
    assert.equal(
      await room.ok('stop', { session: 'mine' }),
      'ended: "mine" has ended, no exit code told',
    );
  });
});
