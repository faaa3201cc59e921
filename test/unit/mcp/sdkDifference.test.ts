import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createSdkMcpServer, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';
import { inRoot } from '../../harness/paths';
import { createBench } from './routerFixture';

type Json = Record<string, unknown>;

const add = { a: z.number().describe('First'), b: z.number().default(0) };
const image = { content: [{ type: 'image' as const, data: 'AAAA', mimeType: 'image/png' }] };
const structured = {
  content: [{ type: 'text' as const, text: '{"n":1}' }],
  structuredContent: { n: 1 },
};
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const noInput = {};

function official(): (frame: object) => Promise<Json> {
  const { instance } = createSdkMcpServer({
    name: 'x',
    version: '1.0.0',
    tools: [
      tool('add', 'Adds', add, ({ a, b }) => Promise.resolve(text(String(a + b))), {
        annotations: { readOnlyHint: true },
        searchHint: 'sum',
        alwaysLoad: true,
      }),
      tool('fail', 'Fails', noInput, () => Promise.reject(new Error('no'))),
      tool('image', 'Shows', noInput, () => Promise.resolve(image)),
      tool('structured', 'Tells', noInput, () => Promise.resolve(structured)),
      tool('error', 'Refuses', noInput, () => Promise.resolve({ ...text('no'), isError: true })),
    ],
  });
  const waiting = new Map<unknown, (answer: Json) => void>();
  const transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    onmessage: undefined as ((message: object) => void) | undefined,
    send: (message: Json) => {
      waiting.get(message.id)?.(message);
      return Promise.resolve();
    },
  };
  // The agent SDK brings a copy of the MCP SDK of its own; only these members are looked at.
  const connected = instance.connect(transport);
  return async (frame) => {
    await connected;
    return new Promise((resolve) => {
      waiting.set((frame as Json).id, resolve);
      transport.onmessage?.(frame);
    });
  };
}

function ours(): (frame: object) => Promise<Json> {
  const server = createServer({
    name: 'x',
    tools: [
      defineTool({
        name: 'add',
        description: 'Adds',
        input: add,
        annotations: { readOnlyHint: true },
        searchHint: 'sum',
        alwaysLoad: true,
        run: ({ a, b }) => Promise.resolve(text(String(a + b))),
      }),
      defineTool({
        name: 'fail',
        description: 'Fails',
        input: noInput,
        run: () => Promise.reject(new Error('no')),
      }),
      defineTool({ name: 'image', description: 'Shows', input: noInput, run: () => image }),
      defineTool({
        name: 'structured',
        description: 'Tells',
        input: noInput,
        run: () => structured,
      }),
      defineTool({
        name: 'error',
        description: 'Refuses',
        input: noInput,
        run: () => ({ ...text('no'), isError: true }),
      }),
    ],
  });
  const { send } = createBench([server]);
  return async (frame) => (await send('x', frame)) as unknown as Json;
}

const call = (name: unknown, args?: unknown) => ({
  method: 'tools/call',
  params: { name, arguments: args },
});
const frames: Readonly<Record<string, object>> = {
  initialize: {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    },
  },
  'initialize with an old version': {
    method: 'initialize',
    params: {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    },
  },
  ping: { method: 'ping' },
  'tools/list': { method: 'tools/list' },
  'a good call': call('add', { a: 2, b: 40 }),
  'a call that leaves out a field with a default': call('add', { a: 2 }),
  'an image': call('image', {}),
  'structured content': call('structured', {}),
  'a returned error': call('error', {}),
  'bad arguments': call('add', { a: 'x' }),
  'arguments as JSON text': call('add', { a: '2' }),
  'a field that the tool does not know': call('add', { a: 2, c: 3 }),
  'no arguments at all': call('structured'),
  'a handler that throws': call('fail', {}),
  'an unknown tool': call('nope', {}),
  'a call without a name': call(undefined),
  'an unknown method': { method: 'no/such' },
  'resources/list': { method: 'resources/list' },
};

/** What is known to differ, by the first column of the table in docs/mcp.md. */
function listed(): Set<string> {
  const page = readFileSync(inRoot('docs/mcp.md'), 'utf8');
  const section = page.split('## Differences from the official SDK')[1]?.split('\n## ')[0] ?? '';
  return new Set([...section.matchAll(/^\| ([^|`]+?) +\|/gm)].map((match) => match[1] ?? ''));
}

test('each frame is answered with the same JSON as by the official SDK, or is listed with its reason', async () => {
  const [theirs, mine] = [official(), ours()];
  const differing: string[] = [];
  let id = 0;
  for (const [title, frame] of Object.entries(frames)) {
    const message = { jsonrpc: '2.0', id: (id += 1), ...frame };
    const sent = JSON.parse(JSON.stringify(message)) as object;
    const [a, b] = [await theirs(sent), await mine(sent)].map(
      (answer) => JSON.parse(JSON.stringify(answer)) as Json,
    );
    assert.equal(b?.id, id);
    try {
      assert.deepEqual(b, a);
    } catch {
      differing.push(title);
    }
  }
  const table = listed();
  assert.deepEqual(
    differing.filter((title) => !table.has(title)),
    [],
    'not listed',
  );
  const rows = Object.keys(frames).filter((title) => table.has(title));
  assert.deepEqual(
    rows.filter((title) => !differing.includes(title)),
    [],
    'listed, but the same',
  );
});

test('the list of tools differs from the official one in the draft’s name and in tasks only', async () => {
  const frame = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const strip = (answer: Json) => {
    const { tools } = JSON.parse(JSON.stringify(answer.result)) as { tools: Json[] };
    for (const tool of tools) {
      delete tool.execution;
      delete (tool.inputSchema as Json).$schema;
    }
    return tools;
  };
  assert.deepEqual(strip(await ours()(frame)), strip(await official()(frame)));
});
