import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/logger';
import type { ConversationReset } from '../../../src/mcp/conversationFacts';
import { defineResource } from '../../../src/mcp/defineResource';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer, type McpServerDefinition } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createRouter } from '../../../src/mcp/router';
import { heapInUse } from '../../harness/heapInUse';

const MB = 1024 * 1024;

function probe(): McpServerDefinition {
  return createServer({
    name: 'probe',
    tools: [
      defineTool({
        name: 'now',
        description: '',
        input: { i: z.number() },
        run: ({ i }) => `pong ${i}`,
      }),
      defineTool({
        name: 'later',
        description: '',
        input: { i: z.number() },
        run: async ({ i }, { progress, signal }) => {
          await Promise.resolve(signal);
          progress(1);
          return { i };
        },
      }),
      defineTool({
        name: 'fails',
        description: '',
        input: {},
        run: () => Promise.reject(new Error('no')),
      }),
    ],
    resources: [
      defineResource({
        uri: 'note://{id}',
        read: ({ id }) => id,
        watch: () => ({ dispose: () => undefined }),
      }),
    ],
  });
}

test('a hundred thousand calls leave at most 2 MB behind', async () => {
  const registry = new ServerRegistry();
  registry.add(probe());
  const router = createRouter({
    registry,
    log: silentLogger,
    conversation: { id: 'c', cwd: '' },
    notify: () => undefined,
    verdict: () => 'allow',
  });
  const calls = async (count: number): Promise<void> => {
    const names = ['now', 'now', 'now', 'now', 'now', 'later', 'later', 'later', 'fails', 'nope'];
    for (let i = 0; i < count; i += 1) {
      const name = names[i % names.length];
      const message = {
        jsonrpc: '2.0',
        id: i,
        method: 'tools/call',
        params: { name, arguments: { i } },
      };
      const answer = await router.route('probe', message, { requestId: `r${i}` });
      if (answer.id !== i) assert.fail(`${i} was answered as ${String(answer.id)}`);
    }
  };
  await calls(2_000);
  const before = await heapInUse();
  await calls(100_000);
  const grown = (await heapInUse()) - before;
  assert.equal(router.openCalls, 0);
  assert.ok(grown <= 2 * MB, `${(grown / MB).toFixed(2)} MB more`);
  router.dispose();
});

test('ten thousand conversations that come and go leave no listener and no memory', async () => {
  const registry = new ServerRegistry();
  const server = probe();
  registry.add(server);
  const resets = new Emitter<ConversationReset>();
  let listeners = 0;
  const counted = {
    find: (name: string) => registry.find(name),
    onDidChange: (listener: Parameters<typeof registry.onDidChange>[0]) => {
      listeners += 1;
      const inner = registry.onDidChange(listener);
      return {
        dispose: () => {
          listeners -= 1;
          inner.dispose();
        },
      };
    },
  };
  const converse = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) {
      const router = createRouter({
        registry: counted,
        log: silentLogger,
        conversation: { id: `c${i}`, cwd: '', onDidReset: resets.event },
      });
      const send = (method: string, params: object) =>
        router.route('probe', { jsonrpc: '2.0', id: 1, method, params }, { requestId: 'r' });
      await send('initialize', {});
      await send('tools/call', { name: 'now', arguments: { i } });
      await send('resources/subscribe', { uri: 'note://1' });
      router.dispose();
    }
  };
  await converse(500);
  const before = await heapInUse();
  await converse(10_000);
  const grown = (await heapInUse()) - before;
  assert.equal(listeners, 0);
  assert.equal(resets.hasListeners, false);
  assert.ok(grown <= 2 * MB, `${(grown / MB).toFixed(2)} MB more`);
});

test('a server with 50 tools takes less than 1 MB', async () => {
  const kept: unknown[] = [];
  const make = (): void => {
    const server = createServer({ name: 'many' });
    for (let i = 0; i < 50; i += 1) {
      server.registerTool(
        defineTool({
          name: `tool${i}`,
          description:
            `Does number ${i}, which is told here at some length as real tools do. `.repeat(3),
          input: {
            path: z.string().describe('Path of a file, absolute or in the workspace'),
            line: z.int().min(1).optional().describe('Line, counted from 1'),
            mode: z.enum(['a', 'b', 'c']).default('a'),
          },
          run: () => i,
        }),
      );
    }
    server.listTools();
    kept.push(server);
  };
  make();
  const before = await heapInUse();
  make();
  const grown = (await heapInUse()) - before;
  assert.equal(kept.length, 2);
  assert.ok(grown < MB, `${(grown / MB).toFixed(2)} MB`);
});
