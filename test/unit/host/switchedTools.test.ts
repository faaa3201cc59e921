import assert from 'node:assert/strict';
import { test } from 'node:test';
import { object } from 'zod/mini';
import { SwitchedTools } from '../../../src/host/switchedTools';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';

test('a tool that is switched off is not listed, and comes back in its place', () => {
  const server = createServer({
    name: 'code',
    tools: ['a', 'b', 'c'].map((name) =>
      defineTool({ name, description: name, input: object({}), run: () => name }),
    ),
  });
  const names = (): string =>
    server
      .tools()
      .map(({ name }) => name)
      .join();
  let changes = 0;
  server.onDidChange(() => (changes += 1));
  const switched = new SwitchedTools(server);
  switched.switchOff([]);
  assert.deepEqual([names(), changes], ['a,b,c', 0]);
  switched.switchOff(['mcp__code__a', 'mcp__other__b', 'mcp__code__nope', 'b']);
  assert.equal(names(), 'b,c');
  assert.equal(server.getTool('a'), undefined);
  switched.switchOff([' mcp__code__b ']);
  assert.equal(names(), 'a,c');
  for (const whole of ['mcp__code', 'mcp__code__*']) {
    switched.switchOff([whole]);
    assert.equal(names(), '');
  }
  switched.switchOff([]);
  assert.equal(names(), 'a,b,c');
});
