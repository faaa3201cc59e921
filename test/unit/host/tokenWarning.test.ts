import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heavyThings, warnOfTokens } from '../../../src/host/tokenWarning';
import type { WireTool } from '../../../src/mcp/wire';

const tool = (name: string, characters: number): WireTool => ({
  ...{ name, description: 'x'.repeat(characters), inputSchema: { type: 'object' } },
});

test('A tool is heavy above 500 tokens, a server above 3,000', () => {
  const ids = (tools: readonly WireTool[]) => heavyThings('workspace', tools).map(({ id }) => id);
  // With its name and schema it has 36 characters more.
  assert.deepEqual(ids([tool('a', 1_966), tool('b', 1_968)]), ['mcp__workspace__b']);
  const six = Array.from({ length: 6 }, (_, at) => tool(String(at), 1_960));
  assert.deepEqual([ids(six), ids([...six, tool('7', 60)])], [[], ['workspace']]);
});

test('The person is told once of each, and of all of a moment together', async () => {
  let tools = [tool('a', 3_000), tool('b', 3_000)];
  let told: readonly string[] = [];
  const said: string[] = [];
  const warn = () =>
    warnOfTokens({
      servers: () => [{ name: 'workspace', tools }],
      told: () => told,
      keep: (ids) => {
        told = ids;
        return Promise.resolve();
      },
      tell: (text) => said.push(text),
    });
  await warn();
  await warn();
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /mcp__workspace__a \(≈7\d\d\), mcp__workspace__b \(≈7\d\d\)/);
  tools = [...tools, tool('c', 3_000)];
  await warn();
  assert.equal(said.length, 2);
  assert.match(said[1] ?? '', /: mcp__workspace__c /);
});
