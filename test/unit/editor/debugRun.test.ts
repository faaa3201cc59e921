import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DebugRun, FIRST_THREAD } from '../../../src/editor/debugRun';

const never = new AbortController().signal;
const root = { id: 'r', name: 'app', type: 'pwa-node' };

function started(type = 'pwa-node'): DebugRun {
  const run = new DebugRun({ ...root, type }, true);
  run.add({ id: 'c', name: 'child', type });
  return run;
}
const event = (name: string, body: object = {}): object => ({ type: 'event', event: name, body });
const request = (command: string, seq: number, args: object = {}): object => ({
  ...{ type: 'request', command, seq },
  arguments: args,
});
const response = (command: string, seq: number, success: boolean, body: object = {}): object => ({
  ...{ type: 'response', command, request_seq: seq, success, body },
});
const threads = (run: DebugRun): readonly string[] =>
  run.stops.map(({ sessionId, threadId }) => `${sessionId}${threadId}`);

test('a stop is waited for, also where it comes before the wait, and only newer ones count', async () => {
  const run = started();
  const before = run.stopCount;
  run.received('c', event('stopped', { reason: 'breakpoint', threadId: 0 }));
  assert.equal(await run.waitForStop(before, 60_000, never), 'stopped');
  assert.equal(await run.waitForStop(run.stopCount, 0, never), 'timeout');
  const next = run.waitForStop(run.stopCount, 60_000, never);
  run.received('c', event('stopped', { reason: 'step', threadId: 0 }));
  assert.equal(await next, 'stopped');
  assert.deepEqual(threads(run), ['c0']);
});

test('the end ends every wait, and so does Stop', async () => {
  const run = started();
  const stop = new AbortController();
  const cancelled = run.waitForStop(0, 60_000, stop.signal);
  stop.abort();
  assert.equal(await cancelled, 'cancelled');
  const waits = [run.waitForStop(0, 60_000, never), run.waitForEnd(60_000, never)];
  run.received('c', event('stopped', { threadId: 1 }));
  run.ended('c');
  assert.deepEqual(threads(run), []);
  assert.equal(run.isEnded, false);
  run.ended('r');
  assert.deepEqual(
    await Promise.all(waits),
    ['ended', 'ended'].map((_, i) => (i ? 'ended' : 'stopped')),
  );
  assert.equal(await run.waitForStop(0, 60_000, never), 'ended');
});

test('what is told to run stands still no longer, unless the adapter refuses', () => {
  const run = started();
  const stop = (threadId: number, all = false): void =>
    run.received('c', event('stopped', { threadId, allThreadsStopped: all }));
  stop(1);
  stop(2);
  run.sent('c', request('next', 5, { threadId: 1 }));
  assert.deepEqual(threads(run), ['c2']);
  run.received('c', response('next', 5, false));
  assert.deepEqual(threads(run), ['c1', 'c2']);
  run.received('c', event('continued', { threadId: 2, allThreadsContinued: false }));
  assert.deepEqual(threads(run), ['c1']);
  stop(3, true);
  run.sent('c', request('continue', 6, { threadId: 7 }));
  assert.deepEqual(threads(run), ['c1'], 'all of the threads that stopped together run together');
  run.received('c', event('continued', { threadId: 9, allThreadsContinued: true }));
  assert.deepEqual(threads(run), []);
  stop(1);
  run.received('c', event('continued', { threadId: 9 }));
  assert.deepEqual(threads(run), [], 'left out it is all of them');
  stop(1);
  run.received('c', event('thread', { reason: 'exited', threadId: 1 }));
  assert.deepEqual(threads(run), []);
  run.received('c', event('stopped', {}));
  assert.deepEqual(run.stops[0]?.threadId, FIRST_THREAD);
});

test('the exit code is the adapter’s; Node’s debugger tells it by a line of its own', () => {
  const other = started('acme');
  other.received('r', event('exited', { exitCode: 7 }));
  other.ended('r');
  assert.deepEqual([other.exitCode, other.hasPlainEnd], [7, false]);

  const node = started();
  node.received(
    'c',
    event('output', { category: 'stderr', output: 'Process exited with code 9\n' }),
  );
  node.received(
    'r',
    event('output', { category: 'stderr', output: 'Process exited with code 3\r\n' }),
  );
  node.received('r', event('terminated'));
  node.ended('r');
  assert.deepEqual([node.exitCode, node.hasPlainEnd], [3, false]);
  assert.match(node.output.since(), /code 9/);
  assert.doesNotMatch(node.output.since(), /code 3/);

  const plain = started();
  plain.received('r', event('terminated'));
  plain.sent('r', request('disconnect', 1));
  plain.ended('r');
  assert.deepEqual([plain.exitCode, plain.hasPlainEnd], [undefined, true]);

  const stopped = started();
  stopped.sent('r', request('terminate', 1));
  stopped.received('r', event('terminated'));
  stopped.ended('r');
  assert.deepEqual([stopped.exitCode, stopped.hasPlainEnd], [undefined, false]);
});

test('the exit code of a child is not that of the run, whichever comes first', () => {
  const exits = [
    ['r', 3],
    ['c', 0],
  ] as const;
  for (const order of [exits, exits.toReversed()]) {
    const run = started('acme');
    for (const [session, exitCode] of order) run.received(session, event('exited', { exitCode }));
    run.ended('r');
    assert.equal(run.exitCode, 3);
  }
  const silent = started('acme');
  silent.received('c', event('exited', { exitCode: 5 }));
  silent.ended('r');
  assert.equal(silent.exitCode, undefined);
});

test('threads of several sessions have numbers of their own, which they keep', () => {
  const run = started();
  assert.deepEqual(
    [run.threadNumber('c', 0), run.threadNumber('d', 0), run.threadNumber('c', 0)],
    [1, 2, 1],
  );
});

test('messages of a wrong shape harm nothing', () => {
  const run = started();
  const odd = [
    undefined,
    null,
    7,
    'x',
    [],
    {},
    { type: 'event' },
    event('stopped', { threadId: 'x' }),
  ];
  for (const message of odd) {
    run.received('c', message);
    run.sent('c', message);
  }
  run.received('c', { type: 'event', event: 'output', body: 5 });
  run.received('c', response('initialize', 1, true, { supportsLogPoints: true }));
  assert.equal(run.can('c', 'supportsLogPoints'), true);
  assert.equal(run.can('c', 'constructor'), false);
  assert.equal(run.can('r', 'supportsLogPoints'), undefined);
});

test('all threads go on with one, unless the debugger says that they do not', () => {
  const bodies = [
    [{}, []],
    [{ allThreadsContinued: true }, []],
    [{ allThreadsContinued: false }, ['c2']],
  ] as const;
  for (const [body, left] of bodies) {
    const run = started('acme');
    run.received('r', event('stopped', { threadId: 9 }));
    for (const threadId of [1, 2]) run.received('c', event('stopped', { threadId }));
    run.sent('c', request('continue', 5, { threadId: 1 }));
    run.received('c', response('continue', 5, true, body));
    assert.deepEqual(threads(run), ['r9', ...left]);
  }
  const run = started('acme');
  for (const threadId of [1, 2]) run.received('c', event('stopped', { threadId }));
  run.sent('c', request('continue', 5, { threadId: 1 }));
  run.received('c', event('stopped', { threadId: 2 }));
  run.received('c', response('continue', 5, true));
  assert.deepEqual(threads(run), ['c2'], 'one that has stopped again stands still');
  run.sent('c', request('next', 6, { threadId: 2 }));
  assert.deepEqual(threads(run), []);
});

test('a thread that ends, and one that is only told of beside, change nothing of where the others stand', () => {
  const run = started('acme');
  run.received('c', event('stopped', { threadId: 1, allThreadsStopped: true }));
  run.received('c', event('thread', { reason: 'exited', threadId: 2 }));
  assert.deepEqual(threads(run), ['c1']);
  // Some debuggers tell a stop of each thread, and which one is to be looked at.
  run.received('c', event('stopped', { threadId: 3, preserveFocusHint: true }));
  assert.deepEqual(threads(run), ['c3', 'c1']);
  run.received('c', event('thread', { reason: 'exited', threadId: 1 }));
  assert.deepEqual(threads(run), ['c3']);
});

test('a program that its debugger begins anew stands nowhere, unless that is refused', () => {
  const run = started('acme');
  run.received('r', event('stopped', { threadId: 9 }));
  for (const threadId of [1, 2]) run.received('c', event('stopped', { threadId }));
  run.sent('c', request('restart', 5, { arguments: {} }));
  assert.deepEqual(threads(run), ['r9']);
  run.received('c', response('restart', 5, false));
  assert.deepEqual(threads(run).toSorted(), ['c1', 'c2', 'r9']);
});

test('a stop of which no thread was told ends as any of its threads goes on', () => {
  const run = started('acme');
  run.received('c', event('stopped', {}));
  run.received('r', event('stopped', {}));
  run.sent('c', request('next', 5, { threadId: 3 }));
  assert.deepEqual(threads(run), [`r${FIRST_THREAD}`]);
  run.received('c', response('next', 5, false));
  assert.deepEqual(threads(run).toSorted(), [`c${FIRST_THREAD}`, `r${FIRST_THREAD}`]);
});

test('of an exception both is told, its name and what went wrong', () => {
  const told = [
    [
      { text: 'ZeroDivisionError', description: 'division by zero' },
      'ZeroDivisionError (division by zero)',
    ],
    [{ text: 'Error: it broke', description: 'Paused on exception' }, 'Error: it broke'],
    [{ text: 'Error: it broke', description: 'it broke' }, 'Error: it broke'],
    [{ description: 'it broke' }, 'it broke'],
    [{ text: 'E' }, 'E'],
  ] as const;
  for (const [body, expected] of told) {
    const run = started('acme');
    run.received('c', event('stopped', { threadId: 1, reason: 'exception', ...body }));
    assert.equal(run.stops[0]?.text, expected);
  }
});

test('what a debugger can do is what it said last', () => {
  const run = started('acme');
  run.received('r', response('initialize', 1, true, { supportsLogPoints: true }));
  run.received('r', event('capabilities', { capabilities: { supportsRestartRequest: true } }));
  const all = ['supportsLogPoints', 'supportsRestartRequest'].map((one) => run.can('r', one));
  assert.deepEqual(all, [true, true]);
});
