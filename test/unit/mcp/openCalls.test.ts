import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenCall } from '../../../src/mcp/openCalls';
import { createBench, serverWith, simpleTool } from './routerFixture';

const result = { content: [{ type: 'text' as const, text: 'pong' }] };

test('a signal that is first asked for after the call was stopped is aborted, with the reason', () => {
  const call = new OpenCall('r1', 'probe', 1);
  call.stop('The server was taken away');
  assert.equal(call.signal.aborted, true);
  assert.equal((call.signal.reason as Error).message, 'The server was taken away');
  assert.equal(call.signal, call.signal);
});

test('an outcome that is first asked for after the end is the same, and the first end wins', async () => {
  const succeeded = new OpenCall('r1', 'probe', 1);
  assert.equal(succeeded.succeed(result), true);
  assert.equal(succeeded.fail(new Error('late')), false);
  assert.equal(await succeeded.outcome, result);
  const failed = new OpenCall('r2', 'probe', 2);
  failed.fail(new Error('broken'));
  assert.equal(failed.succeed(result), false);
  await assert.rejects(failed.outcome, /broken/);
});

test('a call that ended before its clock was to start has none', () => {
  const call = new OpenCall('r1', 'probe', 1);
  call.succeed(result);
  // A timer would keep this process alive for a minute.
  call.startClock('ping', 60_000);
  assert.equal(call.ended, true);
});

test('a handler that has finished when it returns is answered at once, one that has not later', async () => {
  const { router } = createBench([
    serverWith(
      'probe',
      simpleTool('now', () => 'pong'),
      simpleTool('later', () => Promise.resolve('pong')),
      // Whatever `await` would wait for counts as a promise.
      simpleTool('thenable', () => ({ then: (done: (text: string) => void) => done('pong') })),
    ),
  ]);
  const call = (name: string, requestId: string) =>
    router.route(
      'probe',
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name } },
      { requestId },
    );
  const answer = { jsonrpc: '2.0', id: 7, result };
  assert.deepEqual(call('now', 'r1'), answer);
  assert.equal(router.openCalls, 0);
  const later = call('later', 'r2');
  assert.ok(later instanceof Promise);
  assert.equal(router.openCalls, 1);
  assert.deepEqual(await later, answer);
  assert.deepEqual(await call('thenable', 'r3'), answer);
  assert.equal(router.openCalls, 0);
});

test('whoever wants to know of a stop is called back once, also when it has stopped before', () => {
  const told: string[] = [];
  const listener = ({ message }: Error): void => void told.push(message);
  const stopped = new OpenCall('r1', 'probe', 1);
  stopped.onStop(listener);
  stopped.stop('Away');
  stopped.stop('Again');
  stopped.onStop(listener);
  const done = new OpenCall('r2', 'probe', 2);
  done.onStop(listener);
  done.succeed(result);
  done.stop('Late');
  done.onStop(listener);
  assert.deepEqual(told, ['Away', 'Away']);
});
