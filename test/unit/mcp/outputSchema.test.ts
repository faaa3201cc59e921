import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { defineTool } from '../../../src/mcp/defineTool';
import type { ToolInput } from '../../../src/mcp/inputTypes';
import { createBench, serverWith, textOf, type Answer } from './routerFixture';

const outputs: readonly (readonly [string, ToolInput])[] = [
  ['a zod shape', { total: z.number(), names: z.array(z.string()) }],
  ['a zod object', z.object({ total: z.number(), names: z.array(z.string()) })],
  [
    'a JSON Schema',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        total: { type: 'number' },
        names: { type: 'array', items: { type: 'string' } },
      },
      required: ['total', 'names'],
    },
  ],
];

function bench(output: ToolInput, run: () => unknown) {
  const tool = defineTool({ name: 't', description: '', input: {}, output, run });
  return createBench([serverWith('x', tool)]);
}
const outcome = async (output: ToolInput, run: () => unknown): Promise<Answer> =>
  bench(output, run).call('x', 't');

for (const [kind, output] of outputs) {
  test(`with ${kind} the object is checked and sent as structured content beside its text`, async () => {
    const good = await outcome(output, () => ({ total: 2, names: ['a', 'b'] }));
    const json = '{"total":2,"names":["a","b"]}';
    assert.deepEqual(good.result, {
      content: [{ type: 'text', text: json }],
      structuredContent: JSON.parse(json) as object,
    });
    const bad = await outcome(output, () => Promise.resolve({ total: 'two', names: [1] }));
    assert.equal(bad.result?.isError, true);
    assert.equal(bad.result.structuredContent, undefined);
    assert.equal(
      textOf(bad),
      [
        "Tool error: the result of 't' does not fit its output schema:",
        'total: expected number, received string "two"',
        'names[0]: expected string, received number 1',
      ].join('\n'),
    );
    const nothing = await outcome(output, () => undefined);
    assert.match(textOf(nothing) ?? '', /result: expected object, received nothing/);
  });
}

test('the output schema is listed in the newest draft, and the official schema takes list and result', async () => {
  for (const [, output] of outputs) {
    const { send, call } = bench(output, () => ({ total: 1, names: [] }));
    const list = await send('x', { id: 1, method: 'tools/list' });
    assert.equal(ListToolsResultSchema.safeParse(list.result).success, true);
    assert.ok(!JSON.stringify(list).includes('$schema'));
    const [tool] = list.result?.tools as { outputSchema: { required: string[] } }[];
    assert.deepEqual(tool?.outputSchema.required, ['total', 'names']);
    assert.equal(CallToolResultSchema.safeParse((await call('x', 't')).result).success, true);
  }
});

test('S14: an error is not checked against the output schema', async () => {
  const output = { total: z.number() };
  for (const run of [
    () => new Error('no'),
    () => ({ content: [{ type: 'text', text: 'no' }], isError: true }),
  ]) {
    const answer = await outcome(output, run);
    assert.deepEqual(answer.result, { content: [{ type: 'text', text: 'no' }], isError: true });
  }
  const thrown = await outcome(output, () => {
    throw new Error('no');
  });
  assert.equal(textOf(thrown), 'Tool error: no');
});

test('a result of the author’s own keeps its blocks and has its object checked', async () => {
  const output = { total: z.number() };
  const own = (structuredContent: unknown) => ({
    content: [
      { type: 'text', text: 'two' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    structuredContent,
  });
  const good = await outcome(output, () => own({ total: 2 }));
  assert.deepEqual(good.result, own({ total: 2 }));
  assert.equal((await outcome(output, () => own({ total: '2' }))).result?.isError, true);
  assert.equal((await outcome(output, () => own(undefined))).result?.isError, true);
});

test('what cannot be sent, and an asynchronous schema, end in one clear answer', async () => {
  const self: Record<string, unknown> = { total: 1 };
  self.me = self;
  const circular = await outcome({ total: z.number() }, () => self);
  assert.equal(circular.result?.isError, true);
  const late = z.object({ word: z.string().refine((text) => Promise.resolve(text === 'ok')) });
  assert.equal((await outcome(late, () => ({ word: 'ok' }))).result?.isError, undefined);
  assert.equal((await outcome(late, () => ({ word: 'no' }))).result?.isError, true);
});

test('an output that is no object is refused by name', () => {
  const refused = (output: unknown): void => {
    const tool = defineTool({
      name: 't',
      description: '',
      input: {},
      output: output as ToolInput,
      run: () => 1,
    });
    assert.throws(() => serverWith('x', tool), /Tool 't' of server 'x': output /);
  };
  for (const output of [
    z.string(),
    { type: 'string' },
    { anyOf: [{ type: 'object' }] },
    'text',
    null,
  ]) {
    refused(output);
  }
});
