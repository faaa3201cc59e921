import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
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
import { until, workspaceRoot } from './editorRoom';
import { type Script, startScripted, useScripts } from './scriptedDebugger';

const AT_ONCE = { reason: 'breakpoint', threadId: 1, allThreadsStopped: true };

/** Ways in which a debugger may name a file, or a cell of a notebook. */
const HIDDEN_SPELLINGS = [
  `${PROGRAMS}/hidden.acme`,
  vscode.Uri.file(programFile('hidden.acme')).toString(),
  vscode.Uri.file(programFile('hidden.ipynb'))
    .with({ scheme: 'vscode-notebook-cell', fragment: 'W0sZmlsZQ==' })
    .toString(),
];
/** Told on one line, and cut. */
const ODD_NAMES = ['two  blanks', ' blanks around ', `long ${'and longer '.repeat(20)}`];

/** By the name of the session. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  'a thread ends': {
    stops: [AT_ONCE],
    after: (command, send) => {
      if (command === 'configurationDone') send('thread', { reason: 'exited', threadId: 2 });
    },
  },
  'stops of each thread': {
    stops: [AT_ONCE, { ...AT_ONCE, threadId: 2, preserveFocusHint: true }],
  },
  'two stand': {
    stops: [1, 2].map((threadId) => ({ reason: 'breakpoint', threadId })),
  },
  'begins anew': { stops: [AT_ONCE] },
  'deep stack': {
    stops: [AT_ONCE],
    answers: {
      stackTrace: ({ startFrame = 0, levels = 0 }) => ({
        totalFrames: 100,
        stackFrames: Array.from({ length: Math.min(100, Number(levels)) }, (_, n) => ({
          ...{ id: Number(startFrame) + n, name: `frame${Number(startFrame) + n}`, line: 1 },
        })),
      }),
    },
  },
  'opens nothing': {
    stops: [AT_ONCE],
    answers: {
      evaluate: () => ({ result: 'Big', variablesReference: 7 }),
      variables: () => undefined,
    },
  },
  'lists no threads': {
    answers: { threads: () => undefined, evaluate: () => ({ result: '7' }) },
    after: (command, send) => {
      if (command === 'configurationDone') send('thread', { reason: 'started', threadId: 2 });
    },
  },
  'lists none at a stop': { stops: [AT_ONCE], answers: { threads: () => undefined } },
  'of no thread': { stops: [{ reason: 'breakpoint' }] },
  'never answers': {
    stops: [AT_ONCE],
    mute: ['next'],
    after: (command, send) => {
      if (command === 'next') send('stopped', { ...AT_ONCE, reason: 'step' });
    },
  },
  'has the text': {
    stops: [AT_ONCE],
    answers: {
      evaluate: () => ({ result: 'inside' }),
      // As where the file has changed since the program began.
      stackTrace: () => {
        const source = { name: 'hidden.acme', path: programFile('hidden.acme') };
        const frame = { id: 1, name: 'inHidden', line: 1, column: 1 };
        return { stackFrames: [{ ...frame, source: { ...source, sourceReference: 12 } }] };
      },
    },
  },
  ...Object.fromEntries(
    HIDDEN_SPELLINGS.map((spelling) => [
      `hidden as ${spelling}`,
      {
        stops: [AT_ONCE],
        answers: {
          evaluate: () => ({ result: 'inside' }),
          stackTrace: () => {
            const source = { name: 'hidden', path: spelling };
            return { stackFrames: [{ id: 1, name: 'inHidden', line: 1, column: 1, source }] };
          },
        },
      },
    ]),
  ),
  ...Object.fromEntries(ODD_NAMES.map((name) => [name, { stops: [AT_ONCE] }])),
  runs: {},
  parent: {},
  child: { stops: [AT_ONCE] },
};

describe('what is told of a program that is debugged', () => {
  let room: DebugRoom;
  let program: string;
  let main: string;

  useDebugRoom(async (made) => {
    room = made;
    await useScripts(new Map(Object.entries(SCRIPTS)));
    main = await writeProgram('main.acme', ['first', '  second', 'third']);
    program = programFile('main.acme');
    await writeProgram('hidden.acme', ['first']);
  });

  const stoppedIn = async (name: string): Promise<string> => {
    await startScripted(name, program);
    return room.ok('step', { action: 'wait', wait: 50 });
  };

  it('is where it stands, while other threads end or are told of beside', async () => {
    for (const name of ['a thread ends', 'stops of each thread']) {
      await stoppedIn(name);
      // Once all is answered, all that was told before has come.
      await room.ok('state');
      assert.match(await room.ok('state'), /^stopped \(breakpoint\) at .*:1:1 in thread1 /, name);
      await endDebugging(room);
    }
  });

  it('is not that another thread stands, where one was to go on', async () => {
    await stoppedIn('two stand');
    await room.ok('state');
    const text = await room.ok('step', { action: 'continue', wait: 1 });
    assert.match(text, /^no new stop in 1 s; what stood before:\nstopped .* in thread1 /);
    const paused = await room.ok('step', { action: 'pause', thread: 2, wait: 50 });
    assert.match(paused, /^stopped \(pause\) at .* in thread2 /);
    const first = await room.ok('step', { action: 'wait', thread: 1 });
    assert.match(first, /^stopped \(breakpoint\) at .* in thread1 /);
    assert.match(await room.fails('step', { action: 'pause', thread: 9 }), /^No thread 9\. There/);
  });

  it('is that it runs, once its debugger has begun it anew', async () => {
    await stoppedIn('begins anew');
    await vscode.commands.executeCommand('workbench.action.debug.restart');
    await until('it runs', async () => (await room.ok('state')).startsWith('running'));
  });

  it('is a frame however deep, and a value though it cannot be opened', async () => {
    await stoppedIn('deep stack');
    assert.match(await room.ok('state', { frame: 80 }), /^stopped .* in frame80 /);
    await endDebugging(room);
    await stoppedIn('opens nothing');
    assert.match(
      await room.ok('evaluate', { expression: 'big()' }),
      /^Big\n \(The debugger "acme" refused or lacks the request variables/,
    );
  });

  it('can be asked and paused also while its debugger lists no threads', async () => {
    await startScripted('lists no threads', program);
    await until('it is told of', async () => !(await room.call('state')).isError);
    assert.match(await room.ok('evaluate', { expression: '3 + 4' }), /^7 \(the program runs/);
    const paused = await room.ok('step', { action: 'pause', wait: 50 });
    assert.match(paused, /^stopped \(pause\) at .* in thread2 /);
  });

  it('is where it stands, though its debugger lists no threads there, or names none', async () => {
    await stoppedIn('lists none at a stop');
    assert.match(await room.ok('state'), /^stopped \(breakpoint\) at .*\n here = 5$/s);
    await endDebugging(room);
    await stoppedIn('of no thread');
    const text = await room.ok('step', { action: 'over', wait: 1 });
    assert.match(text, /^running, nothing stopped/);
  });

  it('is the next stop, though its debugger never answered the step', async () => {
    await stoppedIn('never answers');
    assert.match(await room.ok('step', { action: 'over' }), /^stopped \(step\) at /);
  });

  it('is of the session that is named as it was told', async () => {
    for (const name of ODD_NAMES) {
      const [, told] = /\[session "([^"]*)"/.exec(await stoppedIn(name)) ?? [];
      assert.ok(told !== undefined && told !== name, name);
      assert.match(await room.ok('state', { session: told }), /^stopped /);
      assert.match(await room.ok('stop', { session: told }), /^ended: /);
      assert.match(await room.ok('state', { session: told }), /^ended: /);
    }
  });

  it('is nothing of a file that is kept back, also where its debugger has the text', async () => {
    const hidden = ['hidden.acme', 'hidden.ipynb'].map(programFile);
    const guarded = await createDebugRoom({
      readGuard: {
        denied: (files) =>
          Promise.resolve(
            new Map(files.filter((one) => hidden.includes(one)).map((one) => [one, 'R'])),
          ),
      },
    });
    const names = ['has the text', ...HIDDEN_SPELLINGS.map((spelling) => `hidden as ${spelling}`)];
    try {
      for (const name of names) {
        await startScripted(name, program);
        const told = await guarded.ok('step', { action: 'wait', wait: 50 });
        const state = await guarded.ok('state');
        const evaluated = await guarded.fails('evaluate', { expression: 'x' });
        assert.match(state, /\nvariables kept back, as the file of the frame is/, name);
        for (const text of [told, state, evaluated]) {
          const rest = text.replaceAll(/\[session "[^"]*"/g, '');
          assert.doesNotMatch(rest, /hidden|inside|here/i, name);
        }
        await endDebugging(guarded);
      }
    } finally {
      await endDebugging(guarded);
      guarded.dispose();
    }
  });

  it('is, of several that were begun, the one that stands; and the end of the one that is named', async () => {
    const settings = vscode.workspace.getConfiguration();
    const global = vscode.ConfigurationTarget.Global;
    const configurations = ['two stand', 'runs'].map((name) => ({
      ...{ type: 'acme', request: 'launch', program, name },
    }));
    await settings.update('launch', { configurations }, global);
    try {
      const given = { config: 'two stand', wait: 50 };
      const [, twin] = await Promise.all([room.ok('start', given), room.call('start', given)]);
      assert.match(twin.text, /^"two stand" is being debugged already: /);
      await room.ok('start', { config: 'runs', wait: 1 });
      const stands = /^stopped \(breakpoint\) at .*\[session "two stand", acme\]/;
      assert.match(await room.ok('state'), stands);
      await room.ok('stop', { session: 'two stand' });
      assert.match(
        await room.ok('state', { session: 'two stand' }),
        /^ended: "two stand" has ended, .*\nalso debugged: "runs"$/,
      );
      assert.match(await room.ok('state'), /^running, nothing stopped \[session "runs"/);
    } finally {
      await settings.update('launch', undefined, global);
    }
  });

  it('is a child that outlives its parent, which can be ended', async () => {
    await startScripted('parent', program);
    const parent = vscode.debug.activeDebugSession;
    assert.ok(parent);
    await startScripted('child', program, { parentSession: parent });
    await room.ok('step', { action: 'wait', wait: 50 });
    await vscode.debug.stopDebugging(parent);
    await until('it is told of', async () =>
      /^stopped \(breakpoint\) at .*\[session "child", acme\]/.test(
        (await room.call('state')).text,
      ),
    );
    assert.match(await room.ok('stop', { session: 'child' }), /^ended: "child" has ended/);
  });

  it('takes words that are empty for none', async () => {
    const file = await writeProgram('empty.js', ['process.exitCode = 4;']);
    const text = await room.ok('start', { config: '', path: file, wait: 50 });
    assert.match(text, /^ended: .* with exit code 4/);
    assert.match(await room.ok('start', { config: '', path: '' }), /^\d+ launch configuration/);
    assert.match(await room.ok('state', { session: '' }), /^ended: .* with exit code 4/);
    await stoppedIn('begins anew');
    assert.match(await room.ok('state', { session: '', variable: '' }), /\n here = 5$/);
  });

  it('leaves breakpoints at other columns of a line alone, and names them', async () => {
    const uri = vscode.Uri.file(program);
    const at = (column: number): vscode.SourceBreakpoint =>
      new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(1, column)));
    vscode.debug.addBreakpoints([3, 6].map(at));
    assert.match(await room.ok('breakpoints', { action: 'set', path: main, line: 2 }), /^set: /);
    assert.match(
      await room.ok('breakpoints', { action: 'list' }),
      /^3 breakpoints\n.*\n 2\n 2:4\n 2:7\n/,
    );
  });

  it('takes configurations as it lists them, and marks compounds that may ask', async () => {
    const folder = path.join(workspaceRoot(), '.vscode');
    await mkdir(folder, { recursive: true });
    const of = (name: string, more: object = {}): object => ({
      ...{ type: 'acme', request: 'launch', program, name, ...more },
    });
    const inputs = [{ id: 'what', type: 'promptString', description: 'What?' }];
    const configurations = [
      ...ODD_NAMES.map((name) => of(name)),
      of('asks', { on: '${input:what}' }),
    ];
    const compounds = [
      { name: 'asks too', configurations: ['asks', { name: 'runs' }] },
      { name: 'does not', configurations: ODD_NAMES.slice(0, 1) },
    ];
    const text = JSON.stringify({ version: '0.2.0', inputs, configurations, compounds });
    await writeFile(path.join(folder, 'launch.json'), text);
    try {
      await until('they are known', async () => (await room.ok('start')).includes('does not'));
      const list = await room.ok('start');
      assert.match(list, /\n asks too \(compound of asks, runs, may ask the person\)\n/);
      assert.match(list, /\n does not \(compound of two blanks\)$/);
      const names = [...list.matchAll(/^ (.*) \(acme launch\)$/gm)].map(([, name]) => name);
      assert.equal(names.length, ODD_NAMES.length, list);
      for (const config of names) {
        assert.match(await room.ok('start', { config, wait: 50 }), /^stopped /);
        await endDebugging(room);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('lists and starts configurations of settings beside those of the folder', async () => {
    const settings = vscode.workspace.getConfiguration();
    const config = { type: 'acme', request: 'launch', program };
    const global = vscode.ConfigurationTarget.Global;
    const folder = path.join(workspaceRoot(), '.vscode');
    const launch = { configurations: [{ ...config, name: 'of settings' }] };
    await settings.update('launch', launch, global);
    try {
      const running = /^running, nothing stopped \[session "of settings"/;
      assert.match(await room.ok('start', { config: 'of settings', wait: 1 }), running);
      await endDebugging(room);
      await mkdir(folder, { recursive: true });
      // Of two of one name the editor starts the first.
      const twins = [1, 2].map(() => ({ ...config, name: 'of the folder' }));
      const file = { version: '0.2.0', configurations: twins };
      await writeFile(path.join(folder, 'launch.json'), JSON.stringify(file));
      await until('both are listed', async () =>
        /^3 launch .*(?:\n of the folder \(acme launch\)){2}\n of settings \(acme launch\)$/.test(
          await room.ok('start'),
        ),
      );
      for (const name of ['of settings', 'of the folder']) {
        await room.ok('start', { config: name, wait: 1 });
        assert.match(await room.ok('stop', { session: name }), /^ended: /);
      }
    } finally {
      await settings.update('launch', undefined, global);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
