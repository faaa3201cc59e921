import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { definePrompt } from '../../../src/mcp/definePrompt';
import { defineResource } from '../../../src/mcp/defineResource';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer, type McpServerDefinition } from '../../../src/mcp/mcpServer';
import { createCalculator } from '../../../docs/samples/calculator/calculator';
import { createNotes } from '../../../docs/samples/mcp/notes';
import { linkClient } from './linkedClient';
import { simpleTool, until } from './routerFixture';

function everything(): McpServerDefinition {
  return createServer({
    name: 'everything',
    version: '2.0.0',
    instructions: 'Use it.',
    capabilities: { logging: {} },
    pageSize: 2,
    tools: [
      defineTool({
        name: 'add',
        title: 'Add',
        description: 'Adds',
        input: { a: z.number(), b: z.number() },
        output: { sum: z.number() },
        annotations: { readOnlyHint: true },
        run: ({ a, b }) => ({ sum: a + b }),
      }),
      simpleTool('steps', (_, { progress, log }) => {
        progress(1, 2, 'half');
        log('warning', 'careful');
        return 'done';
      }),
      simpleTool('hang', (_, { signal }) => {
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        });
      }),
      simpleTool('fail', () => {
        throw new Error('no');
      }),
    ],
    resources: [
      defineResource({ uri: 'note://one', mimeType: 'text/plain', read: () => 'hello' }),
      defineResource({
        uri: 'todo://{owner}',
        list: () => [{ uri: 'todo://Ann' }],
        read: ({ owner }) => owner,
        complete: { owner: () => ['Ann'] },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'review',
        arguments: { file: z.string() },
        run: ({ file }) => `Review ${file}`,
      }),
    ],
  });
}

test('the official client walks through the whole protocol', async () => {
  const server = everything();
  const { client, close } = await linkClient(server);
  try {
    assert.deepEqual(client.getServerVersion(), { name: 'everything', version: '2.0.0' });
    assert.equal(client.getInstructions(), 'Use it.');
    assert.deepEqual(client.getServerCapabilities(), server.capabilities());
    assert.deepEqual(await client.ping(), {});

    const first = await client.listTools();
    const second = await client.listTools({ cursor: first.nextCursor });
    const names = [...first.tools, ...second.tools].map(({ name }) => name);
    assert.deepEqual([names, second.nextCursor], [['add', 'steps', 'hang', 'fail'], undefined]);
    const sum = await client.callTool({ name: 'add', arguments: { a: 15, b: 27 } });
    assert.deepEqual(sum.structuredContent, { sum: 42 });
    const failed = await client.callTool({ name: 'fail' });
    assert.deepEqual(failed, {
      content: [{ type: 'text', text: 'Tool error: no' }],
      isError: true,
    });
    await assert.rejects(client.callTool({ name: 'nope' }), { code: -32601 });
    await assert.rejects(client.callTool({ name: 'add', arguments: { a: 'x' } }), { code: -32602 });

    const resources = await client.listResources();
    assert.deepEqual(
      resources.resources.map(({ uri }) => uri),
      ['note://one', 'todo://Ann'],
    );
    const templates = await client.listResourceTemplates();
    assert.equal(templates.resourceTemplates[0]?.uriTemplate, 'todo://{owner}');
    const read = await client.readResource({ uri: 'todo://Bea' });
    assert.deepEqual(JSON.parse(JSON.stringify(read.contents)), [
      { uri: 'todo://Bea', text: 'Bea' },
    ]);
    await assert.rejects(client.readResource({ uri: 'none://x' }), { code: -32002 });

    const prompts = await client.listPrompts();
    assert.equal(prompts.prompts[0]?.arguments?.[0]?.required, true);
    const prompt = await client.getPrompt({ name: 'review', arguments: { file: 'a.ts' } });
    assert.deepEqual(prompt.messages[0]?.content, { type: 'text', text: 'Review a.ts' });
    await assert.rejects(client.getPrompt({ name: 'review' }), { code: -32602 });
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'todo://{owner}' },
      argument: { name: 'owner', value: '' },
    });
    assert.deepEqual(completion.values, ['Ann']);
  } finally {
    await close();
  }
});

test('the official client hears of progress, messages, updates and changed lists', async () => {
  const server = everything();
  const { client, close } = await linkClient(server);
  const heard: unknown[] = [];
  try {
    const hear = ({ method, params }: { method: string; params?: unknown }): void =>
      void heard.push([method.replace('notifications/', ''), params]);
    client.setNotificationHandler(LoggingMessageNotificationSchema, hear);
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, hear);
    client.setNotificationHandler(ToolListChangedNotificationSchema, hear);
    client.setNotificationHandler(ResourceListChangedNotificationSchema, hear);
    client.setNotificationHandler(PromptListChangedNotificationSchema, hear);
    await client.setLoggingLevel('warning');
    const steps: unknown[] = [];
    await client.callTool({ name: 'steps' }, undefined, { onprogress: (step) => steps.push(step) });
    assert.deepEqual(steps, [{ progress: 1, total: 2, message: 'half' }]);
    await client.subscribeResource({ uri: 'note://one' });
    server.notifyUpdated('note://one');
    server.notifyUpdated('note://two');
    await client.unsubscribeResource({ uri: 'note://one' });
    server.notifyUpdated('note://one');
    server.unregister('tool', 'fail');
    server.unregister('resource', 'todo://{owner}');
    server.unregister('prompt', 'review');
    await until(() => heard.length === 5, 100_000);
    assert.deepEqual(heard, [
      ['message', { level: 'warning', logger: 'steps', data: 'careful' }],
      ['resources/updated', { uri: 'note://one' }],
      ['tools/list_changed', undefined],
      ['resources/list_changed', undefined],
      ['prompts/list_changed', undefined],
    ]);
  } finally {
    await close();
  }
});

test('the official client hears also of what the server did not have at first', async () => {
  const talk = simpleTool('talk', (_, { log }) => {
    log('error', 'careful');
    return 'done';
  });
  const server = createServer({ name: 'small', tools: [talk] });
  const { client, close } = await linkClient(server);
  const heard: string[] = [];
  try {
    client.fallbackNotificationHandler = ({ method }) => {
      heard.push(method.replace('notifications/', ''));
      return Promise.resolve();
    };
    assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: true } });
    await client.setLoggingLevel('debug');
    await client.callTool({ name: 'talk' });
    server.registerResource(defineResource({ uri: 'note://one', read: () => 'x' }));
    server.registerPrompt(definePrompt({ name: 'review', run: () => 'x' }));
    await until(() => heard.length === 3, 100_000);
    assert.deepEqual(heard, ['message', 'resources/list_changed', 'prompts/list_changed']);
  } finally {
    await close();
  }
});

test('the official client cancels, and a call ends with the server', async () => {
  const { client, close, router, registry } = await linkClient(everything());
  try {
    const abort = new AbortController();
    const call = client.callTool({ name: 'hang' }, undefined, { signal: abort.signal });
    await until(() => router.openCalls === 1);
    abort.abort('enough');
    await assert.rejects(call, /enough/);
    await until(() => router.openCalls === 0);
    const other = client.callTool({ name: 'hang' });
    await until(() => router.openCalls === 1);
    registry.remove('everything');
    assert.equal((await other).isError, true);
  } finally {
    await close();
  }
});

test('the official client takes the samples as they are', async () => {
  const calculator = await linkClient(createCalculator());
  const notes = await linkClient(createNotes());
  try {
    const { tools } = await calculator.client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['add', 'subtract', 'multiply', 'divide'],
    );
    const sum = await calculator.client.callTool({ name: 'add', arguments: { a: 15, b: 27 } });
    assert.deepEqual(sum.content, [{ type: 'text', text: '42' }]);
    const { resources } = await notes.client.listResources();
    for (const { uri } of resources) {
      assert.equal((await notes.client.readResource({ uri })).contents.length, 1);
    }
    const { prompts } = await notes.client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['plan'],
    );
  } finally {
    await calculator.close();
    await notes.close();
  }
});
