import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { boolean, describe as described, object, optional, string } from 'zod/mini';
import { defineTool } from '../../../src/mcp/defineTool';

const greetSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Whom to greet' },
    formal: { type: 'boolean', description: 'With title' },
  },
  required: ['name'],
};

test('a zod shape, a mini object, a classic object and a plain schema give the same wire schema', () => {
  const base = { name: 'greet', description: 'Greets', run: () => 'hello' };
  const shape = {
    name: z.string().describe('Whom to greet'),
    formal: z.boolean().describe('With title').optional(),
  };
  const mini = object({
    name: string().check(described('Whom to greet')),
    formal: optional(boolean().check(described('With title'))),
  });
  for (const input of [shape, z.object(shape), mini]) {
    const tool = defineTool({ ...base, input });
    assert.equal(JSON.stringify(tool.inputSchema), JSON.stringify(greetSchema));
    assert.equal(tool.inputSchema, tool.inputSchema, 'made once');
  }
  const plain = defineTool({
    ...base,
    input: { $schema: 'http://json-schema.org/draft-07/schema#', ...greetSchema, type: 'object' },
  });
  assert.deepEqual(plain.inputSchema, greetSchema);
});

test('the handler’s argument has the type of the schema', async () => {
  const tool = defineTool({
    name: 'typed',
    description: '',
    input: { count: z.number(), label: z.string().default('none'), note: z.string().optional() },
    run: ({ count, label, note }) => {
      const sum: number = count + 1;
      const text: string = label;
      const maybe: string | undefined = note;
      return `${sum} ${text} ${maybe ?? '-'}`;
    },
  });
  const parsed = await tool.parseInput({ count: 1 });
  assert.deepEqual(parsed, { ok: true, value: { count: 1, label: 'none' } });
});
