// Row 19: what it costs to list five hundred tools, the first time and from then on.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { silentLogger } from '../../../src/base/logger';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createRouter } from '../../../src/mcp/router';
import { median } from '../statistics';

export interface ListReport {
  /** The first listing after a change, in microseconds. */
  readonly firstUs: number;
  /** Median of the others. */
  readonly againUs: number;
  /** Median of the official SDK's, asked by its own client. */
  readonly peerUs: number;
  /** Tools in one answer. */
  readonly tools: number;
}

const TOOLS = 500;
const TIMES = 200;
const shape = {
  path: z.string().describe('Where'),
  limit: z.number().optional().describe('How many'),
  kind: z.enum(['one', 'two', 'three']).describe('Which'),
};

const server = createServer({ name: 'many' });
for (let i = 0; i < TOOLS; i += 1) {
  const name = `tool_${i}`;
  server.registerTool(defineTool({ name, description: 'Does it.', input: shape, run: () => 'ok' }));
}
const registry = new ServerRegistry();
registry.add(server);
const router = createRouter({ registry, log: silentLogger, conversation: { id: 'b', cwd: '/' } });

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1000;
}

let tools = 0;
const list = async (): Promise<void> => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const answer = await router.route('many', message, { requestId: 'list' });
  const found: unknown = 'result' in answer ? Reflect.get(answer.result, 'tools') : undefined;
  tools = Array.isArray(found) ? found.length : 0;
};
const firstUs = await timed(list);
const again: number[] = [];
for (let i = 0; i < TIMES; i += 1) again.push(await timed(list));

const peer = new McpServer({ name: 'many', version: '1.0.0' });
for (let i = 0; i < TOOLS; i += 1) {
  peer.registerTool(`tool_${i}`, { description: 'Does it.', inputSchema: shape }, () => ({
    content: [{ type: 'text', text: 'ok' }],
  }));
}
const [ours, theirs] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: 'bench', version: '1.0.0' });
await Promise.all([peer.connect(theirs), client.connect(ours)]);
const peers: number[] = [];
for (let i = 0; i < TIMES; i += 1) peers.push(await timed(() => client.listTools()));

const result: ListReport = { firstUs, againUs: median(again), peerUs: median(peers), tools };
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
