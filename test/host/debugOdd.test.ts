import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  createDebugRoom,
  type DebugRoom,
  endDebugging,
  programFile,
  useDebugRoom,
  writeProgram,
} from './debugRoom';
import { until } from './editorRoom';
import { startAcme } from './acmeDebugger';
import { type Script, startScripted, useScripts } from './scriptedDebugger';

const AT_ONCE = { reason: 'breakpoint', threadId: 1, allThreadsStopped: true };

/** By the name of the session. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  'goes on': {
    stops: [1, 2].map((threadId) => ({ reason: 'breakpoint', threadId })),
    after: (command, send) => {
      // As some do, without a word on the other threads: then it is all of them.
      if (command === 'configurationDone') send('continued', { threadId: 1 });
    },
  },
  'answers late': {
    stops: [AT_ONCE],
    mute: ['next'],
    after: (command, send) => {
      if (command !== 'next') return;
      setTimeout(() => send('stopped', { ...AT_ONCE, reason: 'step' }), 4_000);
    },
  },
  'stops inside': {
    stops: [{ ...AT_ONCE, reason: 'exception', text: 'no PASSWORD=abcdefgh' }],
    mute: ['evaluate'],
    after: (command, send) => {
      if (command === 'evaluate') send('stopped', { ...AT_ONCE, reason: 'breakpoint inside' });
    },
  },
  'ends with a step': {
    stops: [AT_ONCE],
    after: (command, send) => {
      if (command === 'next') send('terminated', {});
    },
  },
  'runs in a runtime': {
    stops: [AT_ONCE],
    answers: {
      stackTrace: () => {
        const of = (id: number, sourcePath: string): object => ({
          ...{ id, name: `f${id}`, line: 1, column: 1, source: { path: sourcePath } },
        });
        const paths = ['main.acme', '<frozen importlib>', 'webpack:///src/a.ts'];
        return { stackFrames: paths.map((one, id) => of(id, one)) };
      },
    },
  },
  'gives no stack': { stops: [AT_ONCE], answers: { stackTrace: () => undefined } },
  'prints in parts': {
    stops: [AT_ONCE],
    after: (command, send) => {
      const output = { configurationDone: 'first\nTOKEN=', next: 'abcdefgh\nlast\n' }[command];
      if (output !== undefined) send('output', { category: 'stdout', output });
      if (command === 'next') send('stopped', { ...AT_ONCE, reason: 'step' });
    },
  },
  'never answers': {
    stops: [AT_ONCE],
    mute: ['next'],
    after: (command, send) => {
      if (command === 'next') send('stopped', { ...AT_ONCE, reason: 'step' });
    },
  },
  stands: { stops: [AT_ONCE] },
  late: { stops: [AT_ONCE] },
};

describe('what is told of a program whose debugger is not as others are', () => {
  let room: DebugRoom;
  let program: string;

  useDebugRoom(async (made) => {
    room = made;
    await useScripts(new Map(Object.entries(SCRIPTS)));
    await writeProgram('main.acme', ['first', '  second', 'third']);
    program = programFile('main.acme');
  });

  const stoppedIn = async (name: string): Promise<string> => {
    await startScripted(name, program);
    return room.ok('step', { action: 'wait', wait: 50 });
  };

  it('is that all threads go on, where no other is said', async () => {
    await startScripted('goes on', program);
    await until('it runs', async () => (await room.ok('state')).startsWith('running, nothing'));
  });

  it('is the next stop that comes in the time that was given, however late the step is answered', async () => {
    const impatient = await createDebugRoom({ answerMs: 2_000 });
    try {
      for (const name of ['answers late', 'never answers']) {
        await startScripted(name, program);
        await impatient.ok('step', { action: 'wait', wait: 50 });
        assert.match(await impatient.ok('step', { action: 'over', wait: 50 }), /^stopped \(step\)/);
        await endDebugging(impatient);
      }
      await startScripted('answers late', program);
      await impatient.ok('step', { action: 'wait', wait: 50 });
      const text = await impatient.fails('step', { action: 'over', wait: 0 });
      assert.match(text, /^The debugger "acme" did not answer the request next in 2 s/);
    } finally {
      await endDebugging(impatient);
      impatient.dispose();
    }
  });

  it('is that it stands inside of what is evaluated, and no secret of an exception', async () => {
    assert.match(await stoppedIn('stops inside'), /^stopped \(exception\) .*\n no PASSWORD=…\n/);
    assert.match(
      await room.fails('evaluate', { expression: 'f()' }),
      /^Not evaluated to its end: the program stopped meanwhile/,
    );
    assert.match(await room.ok('state'), /^stopped \(breakpoint inside\) /);
  });

  it('is not that another one went on, which nobody has named', async () => {
    const settings = vscode.workspace.getConfiguration();
    const own = { type: 'acme', request: 'launch', program, name: 'ends with a step' };
    const global = vscode.ConfigurationTarget.Global;
    await settings.update('launch', { configurations: [own] }, global);
    const fresh = await createDebugRoom();
    try {
      await startScripted('stands', program);
      await fresh.ok('start', { config: own.name, wait: 50 });
      assert.match(await fresh.ok('step', { action: 'over', wait: 50 }), /^ended: "ends with a/);
      for (const action of ['over', 'continue', 'pause']) {
        assert.match(
          await fresh.fails('step', { action }),
          /^"ends with a step" has ended, .*name it as session: "stands"$/,
        );
      }
      assert.match(await fresh.ok('state'), /^stopped \(breakpoint\) .*\[session "stands"/);
      const session = 'stands';
      assert.match(await fresh.ok('step', { action: 'over', session, wait: 1 }), /^running, /);
    } finally {
      await settings.update('launch', undefined, global);
      await endDebugging(fresh);
      fresh.dispose();
    }
  });

  it('is that of what was begun, though the editor began it late, and it is begun once', async () => {
    const settings = vscode.workspace.getConfiguration();
    const late = {
      type: 'acme',
      request: 'launch',
      program,
      name: 'late',
      preLaunchTask: 'patchbayBefore: before',
    };
    const { Global } = vscode.ConfigurationTarget;
    await settings.update('launch', { configurations: [late] }, Global);
    let end: (() => void) | undefined;
    const provider = vscode.tasks.registerTaskProvider('patchbayBefore', {
      provideTasks: () => [beforeTask((go) => (end = go))],
      resolveTask: () => undefined,
    });
    try {
      assert.match(await room.ok('start', { config: 'late', wait: 1 }), /^not started yet: "late"/);
      await until('its task runs', () => end !== undefined);
      assert.match(
        await room.fails('start', { config: 'late', wait: 1 }),
        /^"late" is being debugg/,
      );
      end?.();
      await until('it stands', () => room.sessions.alive().some(({ run }) => run.stops.length > 0));
      await startScripted('stands', program);
      assert.match(await room.ok('state'), /^stopped .*\[session "late"/);
      assert.equal(room.sessions.alive().length, 2);
    } finally {
      provider.dispose();
      await settings.update('launch', undefined, Global);
    }
  });

  it('is where it stands by the folder that it runs in, and what is no file by its name', async () => {
    const cwd = path.dirname(program);
    await startAcme({ name: 'runs in a runtime', program, cwd });
    await room.ok('step', { action: 'wait', wait: 50 });
    const text = await room.ok('state');
    assert.match(
      text,
      /^stopped \(breakpoint\) at debugged programs\/main\.acme:1:1 .*\n 1\tfirst\n/,
    );
    assert.match(text, /\n 1 f1 <frozen importlib>:1:1\n 2 f2 webpack:\/+src\/a\.ts:1:1\n/);
  });

  it('is that it stands, though its debugger gives no stack', async () => {
    const text = await stoppedIn('gives no stack');
    assert.match(text, /^stopped \(breakpoint\) \[session .*\nstack: The debugger "acme" refused/);
    assert.match(await room.fails('state', { frame: 1 }), /^The debugger "acme" refused or lacks/);
  });

  it('is no secret, also where its name was told before', async () => {
    const session = 'prints in parts';
    assert.match(await stoppedIn(session), /\noutput:\nfirst\nTOKEN=$/);
    const text = await room.ok('step', { action: 'over', session, wait: 50 });
    assert.match(text, /\noutput:\nTOKEN=…\nlast$/);
  });
});

/** A task that runs until it is ended. @param begun told how */
function beforeTask(begun: (end: () => void) => void): vscode.Task {
  const closed = new vscode.EventEmitter<number>();
  const written = new vscode.EventEmitter<string>();
  const execution = new vscode.CustomExecution(() =>
    Promise.resolve({
      onDidWrite: written.event,
      onDidClose: closed.event,
      open: () => begun(() => closed.fire(0)),
      close: () => undefined,
    }),
  );
  const scope = vscode.TaskScope.Workspace;
  return new vscode.Task({ type: 'patchbayBefore' }, scope, 'before', 'patchbayBefore', execution);
}
