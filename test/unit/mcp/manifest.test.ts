import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CallToolResultSchema,
  InitializeResultSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { number } from 'zod/mini';
import { defineTool } from '../../../src/mcp/defineTool';
import { RpcError } from '../../../src/mcp/jsonRpc';
import { manifestOf, sdkServerConfig } from '../../../src/mcp/manifest';
import { wireName } from '../../../src/mcp/names';
import { createServer } from '../../../src/mcp/mcpServer';
import { createToolContext } from '../../../src/mcp/toolContext';
import { createBench } from './routerFixture';

function calculator(): ReturnType<typeof createServer> {
  const server = createServer({ name: 'calc', instructions: 'Use it to add.' });
  server.registerTool(
    defineTool({
      name: 'add',
      title: 'Add two numbers',
      description: 'Adds',
      input: { a: number(), b: number() },
      annotations: { readOnlyHint: true, openWorldHint: false },
      alwaysLoad: true,
      searchHint: 'sum plus',
      run: ({ a, b }) => a + b,
    }),
  );
  server.registerTool(
    defineTool({ name: 'bare', description: '', input: { type: 'object' }, run: () => undefined }),
  );
  return server;
}

test('a manifest holds the two bare results in the newest protocol, as the handshake gives them', async () => {
  const server = calculator();
  const manifest = manifestOf(server)!;
  assert.deepEqual(JSON.parse(JSON.stringify(manifest)), {
    initializeResult: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'calc', version: '1.0.0' },
      instructions: 'Use it to add.',
    },
    toolsListResult: {
      tools: [
        {
          name: 'add',
          title: 'Add two numbers',
          description: 'Adds',
          inputSchema: {
            type: 'object',
            properties: { a: { type: 'number' }, b: { type: 'number' } },
            required: ['a', 'b'],
          },
          annotations: { readOnlyHint: true, openWorldHint: false },
          _meta: { 'anthropic/alwaysLoad': true, 'anthropic/searchHint': 'sum plus' },
        },
        { name: 'bare', description: '', inputSchema: { type: 'object', properties: {} } },
      ],
    },
  });
  const { send } = createBench([server]);
  const live = await send('calc', { id: 1, method: 'tools/list' });
  assert.deepEqual(live.result, JSON.parse(JSON.stringify(manifest.toolsListResult)));
});

test('the official schemas accept what goes over the wire', () => {
  const { initializeResult, toolsListResult } = manifestOf(calculator())!;
  assert.equal(InitializeResultSchema.safeParse(initializeResult).success, true);
  assert.equal(ListToolsResultSchema.safeParse(toolsListResult).success, true);
});

test('a server is declared by type, name and version, whatever its tools hold on to', () => {
  const text = JSON.stringify(sdkServerConfig('calc'));
  assert.equal(text, '{"type":"sdk","name":"calc","version":"1.0.0"}');
  assert.equal(wireName('calc', 'add'), 'mcp__calc__add');
  assert.equal(wireName('my server', 'c.x'), 'mcp__my_server__c_x');
});

test('a tool runs directly, with the same checks and the same result as over the wire', async () => {
  const server = calculator();
  const ctx = createToolContext();
  const sum = await server.execute('add', { a: 5, b: 3 }, ctx);
  assert.deepEqual(sum, { content: [{ type: 'text', text: '8' }] });
  assert.equal(CallToolResultSchema.safeParse(sum).success, true);
  assert.deepEqual(await server.execute('bare', undefined, ctx), { content: [] });
  const codeOf = (code: number) => (error: unknown) =>
    error instanceof RpcError && error.code === code;
  await assert.rejects(server.execute('add', { a: 'x' }, ctx), codeOf(-32602));
  await assert.rejects(server.execute('toString', {}, ctx), codeOf(-32601));
});
