import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallToolResultSchema, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { isRpcId, readFrame } from '../../../src/mcp/jsonRpc';
import { toResult } from '../../../src/mcp/results';
import { createBench, serverWith, simpleTool } from './routerFixture';

const word = fc.constantFrom('x', 'nope', 'constructor', '__proto__', 'toString', '');
const method = fc.oneof(
  fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'resources/list',
    'prompts/list',
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
      name: fc.oneof(fc.constantFrom('echo', 'throws', 'hangs'), word, fc.jsonValue()),
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

test('each of ten thousand frames is answered once, well formed and with its own id, and nothing throws', async () => {
  const before = Object.getOwnPropertyNames(Object.prototype).length;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(word, frame), { minLength: 20, maxLength: 20 }),
      async (made) => {
        // As they come over the wire: JSON knows no -0 and no undefined.
        const frames = JSON.parse(JSON.stringify(made)) as typeof made;
        const { router } = createBench([
          serverWith(
            'x',
            simpleTool('echo', (input) => input),
            simpleTool('throws', (input) => {
              throw input as unknown as Error;
            }),
            simpleTool('hangs', () => new Promise(() => undefined)),
          ),
        ]);
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
    { numRuns: 500 },
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
