import assert from 'node:assert/strict';
import { test } from 'node:test';
import { object, string } from 'zod/mini';
import { plannedFiles } from '../../../src/conversation/plannedFiles';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { SwitchedServers } from '../../../src/mcp/switchedServers';

test('a tool of ours is asked what it would write, each file once with its places', async () => {
  const tool = defineTool({
    name: 'put',
    description: 'Puts.',
    input: object({ path: string() }),
    edits: ({ path }) => [path, `${path}2`, path],
    run: () => 'done',
  });
  const plain = defineTool({ name: 'act', description: 'Acts.', input: object({}), run: () => '' });
  const all = new ServerRegistry();
  all.add(createServer({ name: 'own', tools: [tool, plain] }));
  const ports = { registry: new SwitchedServers(all), folder: { path: '/w', name: 'w' } };
  const ask = (tool_name: string, input: Record<string, unknown>) =>
    plannedFiles(ports, { tool_name, input });
  assert.deepEqual(await ask('mcp__own__put', { path: 'a' }), [
    { path: 'a', places: 2 },
    { path: 'a2', places: 1 },
  ]);
  assert.deepEqual(await ask('mcp__own__put', { path: 5 }), []);
  assert.deepEqual(await ask('mcp__own__act', {}), []);
  assert.deepEqual(await ask('Bash', { command: 'x' }), []);
});
