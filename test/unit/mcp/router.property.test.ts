import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallToolResultSchema, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { z } from 'zod';
import { definePrompt } from '../../../src/mcp/definePrompt';
import { defineResource } from '../../../src/mcp/defineResource';
import { isRpcId, readFrame } from '../../../src/mcp/jsonRpc';
import { createServer } from '../../../src/mcp/mcpServer';
import { toResult } from '../../../src/mcp/results';
import { createBench, simpleTool } from './routerFixture';

const word = fc.constantFrom('x', 'nope', 'constructor', '__proto__', 'toString', '');
const method = fc.oneof(
  fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
    'prompts/list',
    'prompts/get',
    'completion/complete',
    'logging/setLevel',
    'own/method',
    'own/hangs',
    'notifications/own',
    'notifications/cancelled',
    'notifications/initialized',
  ),
  word,
  fc.string(),
);
const id = fc.oneof(
  fc.integer({ min: -2, max: 4 }),
  fc.constantFrom<unknown>('', '0', null, {}, true, 2 ** 53),
  fc.string(),
);
const params = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      name: fc.oneof(fc.constantFrom('echo', 'throws', 'hangs', 'prompt'), word, fc.jsonValue()),
      uri: fc.oneof(fc.constantFrom('a:b', 'a:throws', 'a:hangs', 'a:{id}'), word, fc.jsonValue()),
      cursor: fc.oneof(fc.constantFrom('1:echo', '9:', ':'), fc.jsonValue()),
      level: fc.oneof(fc.constantFrom('debug', 'error'), fc.jsonValue()),
      ref: fc.oneof(
        fc.constantFrom<object>(
          { type: 'ref/prompt', name: 'prompt' },
          { type: 'ref/resource', uri: 'a:{id}' },
        ),
        fc.jsonValue(),
      ),
      argument: fc.oneof(
        fc.record({ name: fc.constantFrom('text', 'id', '__proto__'), value: fc.string() }),
        fc.jsonValue(),
      ),
      arguments: fc.jsonValue(),
      requestId: fc.integer({ min: -2, max: 4 }),
      _meta: fc.jsonValue(),
      protocolVersion: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);
const frame = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      { jsonrpc: fc.constant('2.0'), id, method, params },
      { requiredKeys: ['method'] },
    ),
  },
  fc.record(
    { id: fc.jsonValue(), method: fc.jsonValue(), result: fc.jsonValue(), error: fc.jsonValue() },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

const hangs = (): Promise<never> => new Promise(() => undefined);
const throws = (input: unknown): never => {
  throw input as Error;
};

function everything() {
  const server = createServer({
    name: 'x',
    pageSize: 1,
    tools: [
      simpleTool('echo', (input) => input),
      simpleTool('throws', throws),
      simpleTool('hangs', hangs),
    ],
    resources: [
      defineResource({ uri: 'a:throws', read: throws, watch: throws }),
      defineResource({ uri: 'a:hangs', read: hangs }),
      defineResource({
        uri: 'a:{id}',
        list: () => [{ uri: 'a:b' }],
        read: (variables) => variables,
        complete: { id: throws },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'prompt',
        arguments: { text: z.string().optional() },
        run: ({ text }) => text ?? '',
        complete: { text: (value) => [value] },
      }),
    ],
  });
  server.handle('own/method', { name: z.unknown() }, (params) => params);
  server.handle('own/hangs', {}, hangs);
  server.handle('notifications/own', { name: z.string() }, throws);
  return server;
}

/** More by `PATCHBAY_FUZZ=20 npm test -- --only unit`. */
const TIMES = Math.max(1, Number(process.env.PATCHBAY_FUZZ ?? 1) || 1);

test('each of ten thousand frames is answered once, well formed and with its own id, and nothing throws', async () => {
  const before = Object.getOwnPropertyNames(Object.prototype).length;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(word, frame), { minLength: 20, maxLength: 20 }),
      async (made) => {
        // As they come over the wire: JSON knows no -0 and no undefined.
        const frames = JSON.parse(JSON.stringify(made)) as typeof made;
        const { router } = createBench([everything()]);
        const answers = frames.map(async ([server, message], index) =>
          router.route(server, message, { requestId: `r${index}` }),
        );
        // Twice: a call is opened in a later turn than its frame came.
        await new Promise((resolve) => setImmediate(resolve));
        router.cancelAll('end');
        for (const [index, answer] of (await Promise.all(answers)).entries()) {
          const message = frames[index]![1];
          const sent = JSON.parse(JSON.stringify(answer)) as Record<string, unknown>;
          const read = readFrame(message);
          const expected = read.kind === 'request' || read.kind === 'invalid' ? read.id : 0;
          assert.strictEqual(sent.id, expected);
          assert.ok(isRpcId(sent.id));
          assert.equal('result' in sent, !('error' in sent));
          // The schema of a JSON-RPC answer has no null id; the CLI is laxer where it asks so itself.
          if (sent.id !== null && Number.isSafeInteger(Number(sent.id))) {
            assert.equal(JSONRPCMessageSchema.safeParse(sent).success, true, JSON.stringify(sent));
          }
        }
        assert.equal(router.openCalls, 0);
      },
    ),
    { numRuns: 500 * TIMES },
  );
  assert.equal(Object.getOwnPropertyNames(Object.prototype).length, before);
});

test('whatever a handler returns is a result that the official schema accepts', () => {
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withNullPrototype: true,
        withTypedArray: true,
        withObjectString: true,
      }),
      (value) => {
        for (const given of [value, { content: value }, { content: [value] }]) {
          const result: unknown = JSON.parse(JSON.stringify(toResult(given)));
          assert.equal(
            CallToolResultSchema.safeParse(result).success,
            true,
            JSON.stringify(result),
          );
        }
      },
    ),
    { numRuns: 500 },
  );
});
