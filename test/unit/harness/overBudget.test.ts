import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WireTool } from '../../../src/mcp/wire';
import { describeCosts } from '../../harness/tools/describeCosts';
import { overBudget } from '../../harness/tools/overBudget';
import { type ListedServer, toolCharacters, toolCosts } from '../../harness/tools/toolCosts';

const plain: WireTool = {
  name: 'find',
  title: 'Find',
  description: 'Finds it.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  annotations: { readOnlyHint: true },
  _meta: { 'anthropic/searchHint': 'find it' },
};

function serverOf(...tools: readonly Partial<WireTool>[]): readonly ListedServer[] {
  return [{ name: 'code', instructions: '', tools: tools.map((one) => ({ ...plain, ...one })) }];
}

describe('budgets of tools', () => {
  it('says nothing of tools that keep to them', () => {
    assert.deepEqual(overBudget(serverOf({}, { _meta: { 'anthropic/alwaysLoad': true } })), []);
  });

  it('counts name, description and the minified schema', () => {
    assert.equal(toolCharacters(plain), 4 + 9 + JSON.stringify(plain.inputSchema).length);
    const costs = toolCosts([{ name: 'a', instructions: 'Six ch', tools: [plain, plain] }]);
    assert.deepEqual(
      [costs.tools, costs.total, costs.instructions, costs.alwaysLoaded],
      [2, 2 * toolCharacters(plain), 6, 0],
    );
  });

  const broken: readonly (readonly [Partial<WireTool>, RegExp])[] = [
    [{ description: 'a'.repeat(301) }, /a description of 301 characters/],
    [{ title: undefined }, /no title/],
    [{ _meta: {} }, /a search hint or always loaded/],
    [{ _meta: { 'anthropic/searchHint': 'a'.repeat(61) } }, /a search hint of 61 characters/],
    [
      { annotations: { readOnlyHint: true, destructiveHint: true } },
      /find: only reads and destroys/,
    ],
    [{ inputSchema: { type: 'object', oneOf: [] } }, /oneOf at the top/],
    [{ inputSchema: { type: 'object', anyOf: [] } }, /anyOf at the top/],
    [{ inputSchema: { $ref: '#/definitions/a' } }, /\$ref at the top/],
    [{ inputSchema: { type: 'string' } }, /an input that is not an object/],
    [
      { inputSchema: { type: 'object', properties: { a: { description: 'a'.repeat(71) } } } },
      /\/a: a text of 71 characters/,
    ],
    [
      {
        inputSchema: {
          type: 'object',
          properties: {
            edits: {
              type: 'array',
              items: { anyOf: [{ properties: { at: { properties: { line: {} } } } }] },
            },
          },
        },
      },
      /\/edits\/items\/anyOf\/0\/at: a nested position/,
    ],
    [{ description: 'a'.repeat(300), name: 'b'.repeat(400) }, /7\d\d characters/],
  ];
  for (const [part, expected] of broken) {
    it(`names what breaks them: ${String(expected)}`, () => {
      assert.match(overBudget(serverOf(part)).join('\n'), expected);
    });
  }

  it('holds all tools together, and their mean', () => {
    const tools = Array.from({ length: 24 }, (_, index) => ({
      name: `tool${index}`,
      description: 'a'.repeat(300),
      _meta: { 'anthropic/alwaysLoad': true },
    }));
    const faults = overBudget(serverOf(...tools)).join('\n');
    assert.match(faults, /always loaded tools: \d+ characters, allowed 2400/);
    assert.match(faults, /a tool on average: 3\d\d/);
    assert.match(
      overBudget([{ name: 'a', instructions: 'a'.repeat(601), tools: [] }]).join(),
      /all instructions: 601 characters, allowed 600/,
    );
  });

  it('shows people each tool with its characters, and the sums beside what is allowed', () => {
    const servers = serverOf({});
    const text = describeCosts(servers, ['too much']);
    assert.match(text, new RegExp(`mcp__code__find +${toolCharacters(plain)}  deferred`));
    assert.match(text, /all 1 tools +\d+ {2}of 9000/);
    assert.match(text, /Over budget:\ntoo much$/);
  });
});
