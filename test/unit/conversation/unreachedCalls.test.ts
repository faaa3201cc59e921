import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNREACHED_AFTER_MS, UnreachedCalls } from '../../../src/conversation/unreachedCalls';
import { parseMessage } from '../../../src/protocol/messages';
import { TestClock } from './testClock';

function bench() {
  const clock = new TestClock();
  const told: string[] = [];
  const held = { now: false };
  const calls = new UnreachedCalls({
    clock,
    isOwn: (tool) => tool.startsWith('mcp__ours__'),
    isHeld: () => held.now,
    onUnreached: (id) => told.push(id),
  });
  const receive = (type: 'assistant' | 'user', block: object): void => {
    const parsed = parseMessage(
      JSON.stringify({ type, message: { role: type, content: [block] } }),
    );
    assert.ok(parsed.ok);
    // What the session hands on: no control message.
    calls.receive(parsed.message as Parameters<typeof calls.receive>[0]);
  };
  return {
    calls,
    told,
    held,
    wait: (share = 1) => clock.advance(UNREACHED_AFTER_MS * share),
    use: (id: string, name = 'mcp__ours__ping') => {
      receive('assistant', { type: 'tool_use', id, name, input: {} });
    },
    result: (id: string) => {
      receive('user', { type: 'tool_result', tool_use_id: id, content: 'x' });
    },
  };
}

test('M15: a call of ours that does not come to its server is told once, after its time', () => {
  const { told, use, wait, result } = bench();
  use('a');
  wait(0.9);
  assert.deepEqual(told, []);
  wait(0.2);
  use('a');
  wait(3);
  assert.deepEqual(told, ['a']);
  result('a');
  use('b');
  wait();
  assert.deepEqual(told, ['a', 'b']);
});

test('A call that came to its server, has its result, or is of another server is not told', () => {
  const { calls, told, use, wait, result } = bench();
  use('reached');
  calls.reached('reached');
  wait(2);
  result('reached');
  use('answered');
  result('answered');
  use('theirs', 'mcp__theirs__ping');
  use('own', 'Bash');
  wait(2);
  use('ended');
  calls.forget();
  wait(2);
  assert.deepEqual(told, []);
});

test('What waits for a call before it, or for the person, has its whole time afterwards', () => {
  const { told, use, wait, result, held } = bench();
  use('slow', 'Bash');
  use('next');
  wait(5);
  result('slow');
  wait(0.9);
  assert.deepEqual(told, []);
  held.now = true;
  wait(5);
  assert.deepEqual(told, []);
  held.now = false;
  wait();
  assert.deepEqual(told, ['next']);
});
