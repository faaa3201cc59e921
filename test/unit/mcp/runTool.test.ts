import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod/mini';
import { silentLogger } from '../../../src/base/logger';
import { createDeferred } from '../../../src/base/deferred';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { resultText } from '../../../src/mcp/resultText';
import { runTool, type RunToolOptions } from '../../../src/mcp/runTool';
import type { CallToolResult, ContentBlock } from '../../../src/mcp/wire';
import type { ToolContext } from '../../../src/mcp/toolContext';

const input = z.object({ name: z.string() });

/** Runs a tool `t` that does this. */
function run(
  handler: (input: { name: string }, ctx: ToolContext) => unknown,
  options: Partial<RunToolOptions> = {},
) {
  const registry = new ServerRegistry();
  const tool = defineTool({ name: 't', description: 'x', input, run: handler });
  registry.add(createServer({ name: 's', tools: [tool] }));
  return runTool({
    ...{ registry, log: silentLogger, server: 's', tool: 't', input: { name: 'ann' } },
    conversation: { id: 'run', cwd: '/w' },
    ask: () => Promise.resolve({ action: 'decline' }),
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...options,
  });
}

test('The person gets of a tool what the model would get', async () => {
  const outcome = await run(({ name }, { conversation }) => `${name} in ${conversation.cwd}`);
  assert.deepEqual(outcome, {
    kind: 'result',
    result: { content: [{ type: 'text', text: 'ann in /w' }] },
  });
});

test('Arguments that do not fit are told line by line, and the tool does not run', async () => {
  let runs = 0;
  const outcome = await run(() => (runs += 1), { input: { name: 5 } });
  assert.deepEqual([outcome.kind, runs], ['badInput', 0]);
  assert.match('message' in outcome ? outcome.message : '', /name/);
});

test('What a tool throws, and a tool that is gone, are told as they are to the model', async () => {
  const thrown = await run(() => {
    throw new Error('no such place');
  });
  assert.ok(thrown.kind === 'result' && thrown.result.isError === true);
  assert.equal(resultText(thrown.result), 'Tool error: no such place');
  const gone = await run(() => '', { tool: 'other' });
  assert.deepEqual(gone, { kind: 'error', message: "Tool 'other' not found" });
});

test('A tool reports its progress, asks, and hears a stop', async () => {
  const told: string[] = [];
  const stop = new AbortController();
  const heard = createDeferred<string>();
  const outcome = await run(
    async (_input, { progress, ask, signal }) => {
      progress(1, 2, 'half');
      const answer = await ask({ ok: z.boolean() }, 'Go on?');
      told.push(answer.action === 'accept' ? String(answer.content.ok) : answer.action);
      signal.addEventListener('abort', () => heard.resolve('aborted'));
      stop.abort();
      return heard.promise;
    },
    {
      signal: stop.signal,
      ask: ({ message }) => {
        told.push(message);
        return Promise.resolve({ action: 'accept', content: { ok: true } });
      },
      onProgress: ({ done, total, message }) => told.push(`${done}/${total} ${message}`),
    },
  );
  assert.deepEqual(told, ['1/2 half', 'Go on?', 'true']);
  assert.equal(await heard.promise, 'aborted');
  assert.notEqual(outcome.kind, 'badInput');
  const before = await run(() => 'x', { signal: AbortSignal.abort() });
  assert.equal(before.kind, 'error');
});

test('What is not text is named with its type and size; structured content stands in place of the text', () => {
  const data = Buffer.from('12345').toString('base64');
  const content: ContentBlock[] = [
    { type: 'text', text: 'first' },
    { type: 'image', data, mimeType: 'image/png' },
    { type: 'resource_link', uri: 'a:b', name: 'B' },
    { type: 'resource', resource: { uri: 'c:d', text: 'inside' } },
    { type: 'resource', resource: { uri: 'e:f', blob: data } },
  ];
  assert.equal(
    resultText({ content }),
    'first\n[image: image/png, 5 bytes]\n[link to B: a:b]\n[resource c:d]\ninside\n[resource e:f: binary, 5 bytes]',
  );
  assert.equal(
    resultText({ content: content.slice(0, 2), structuredContent: { a: 1 } }),
    '{\n  "a": 1\n}\n[image: image/png, 5 bytes]',
  );
  // Of a server of others anything may come.
  const odd = JSON.parse('{"content":[null,{"type":"new"},{"type":"resource"}]}') as CallToolResult;
  assert.equal(resultText(odd), '\n{"type":"new"}\n[resource]');
  assert.equal(resultText(JSON.parse('{}') as CallToolResult), '');
});
