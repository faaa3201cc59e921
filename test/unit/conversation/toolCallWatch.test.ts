import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ToolCall, ToolCallWatch } from '../../../src/conversation/toolCallWatch';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { parseMessage } from '../../../src/protocol/messages';

function watch() {
  const registry = new ServerRegistry();
  for (const name of ['a', 'a__b', 'editor']) registry.add(createServer({ name }));
  const calls: ToolCall[] = [];
  let clock = 0;
  const made = new ToolCallWatch({
    conversationId: 'c',
    now: () => clock,
    registry,
    external: () => ['my server'],
    onCall: (call) => calls.push(call),
  });
  const receive = (type: 'assistant' | 'user', block: object): void => {
    const line = JSON.stringify({ type, message: { role: type, content: [block] } });
    const parsed = parseMessage(line);
    assert.ok(parsed.ok);
    // What the session hands on: no control message.
    made.receive(parsed.message as Parameters<typeof made.receive>[0]);
  };
  return {
    calls,
    tick: (ms: number) => (clock += ms),
    use: (id: string, name: string) => {
      receive('assistant', { type: 'tool_use', id, name, input: { secret: 'x' } });
    },
    cutOff: () => made.cutOff(),
    result: (id: string, isError?: boolean) => {
      receive('user', { type: 'tool_result', tool_use_id: id, content: 'y', is_error: isError });
    },
  };
}

test('Each call is told once, with who offers the tool, how it ended and how long it took', () => {
  const { calls, use, result, tick } = watch();
  use('1', 'mcp__editor__open_editors');
  use('2', 'mcp__a__b__c');
  use('3', 'mcp__my_server__go');
  use('4', 'mcp__who__go');
  use('5', 'Read');
  use('5', 'Read');
  tick(40);
  for (const id of ['1', '2', '3', '4', '5', '5', 'never']) result(id, id === '5');
  const told = calls.map(({ tool, source, server, outcome }) => [tool, source, server, outcome]);
  assert.deepEqual(told, [
    ['mcp__editor__open_editors', 'inProcess', 'editor', 'success'],
    ['mcp__a__b__c', 'inProcess', 'a__b', 'success'],
    ['mcp__my_server__go', 'external', 'my server', 'success'],
    ['mcp__who__go', 'external', undefined, 'success'],
    ['Read', 'cli', undefined, 'error'],
  ]);
  assert.ok(
    calls.every(({ durationMs, conversationId }) => durationMs === 40 && conversationId === 'c'),
  );
  assert.ok(!JSON.stringify(calls).includes('secret'));
});

test('Calls whose results never come are forgotten after the newest thousand', () => {
  const { calls, use, result } = watch();
  for (let n = 0; n < 1500; n += 1) use(String(n), 'Read');
  result('499');
  result('500');
  assert.deepEqual(
    calls.map(({ toolUseId }) => toolUseId),
    ['500'],
  );
});

test('Calls whose process ends before they do have failed, and are told of once', () => {
  const { calls, use, result, cutOff, tick } = watch();
  for (const id of ['1', '2', '3']) use(id, 'Read');
  result('2');
  tick(7);
  cutOff();
  result('1');
  cutOff();
  assert.deepEqual(
    calls.map(({ toolUseId, outcome, durationMs }) => [toolUseId, outcome, durationMs]),
    [
      ['2', 'success', 0],
      ['1', 'error', 7],
      ['3', 'error', 7],
    ],
  );
});
