import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { inRoot, root } from '../harness/paths';
import { holdDocRows } from '../harness/docTable';
import { overBudget } from '../harness/tools/overBudget';
import {
  ALWAYS_LOADED,
  isAlwaysLoaded,
  type ListedServer,
  searchHint,
  TOOL_BUDGETS,
  toolCosts,
} from '../harness/tools/toolCosts';

interface Printed extends ListedServer {
  readonly characters: {
    readonly total: number;
    readonly tools: Readonly<Record<string, number>>;
  };
}

const run = promisify(execFile);

async function tools(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [inRoot('test/harness/tools.mjs'), ...args], {
    cwd: root,
  });
  return stdout;
}

describe('npm run tools', () => {
  let text = '';
  let servers: readonly Printed[] = [];

  before(async () => {
    text = await tools('--json');
    // What we have printed ourselves.
    servers = JSON.parse(text) as readonly Printed[];
  });

  it('prints all built-in servers with their tools as they are sent', () => {
    assert.deepEqual(
      servers.slice(0, 2).map(({ name }) => name),
      ['code', 'editor'],
    );
    for (const { name, instructions, tools: listed, characters } of servers) {
      assert.ok(instructions.length > 0, name);
      assert.deepEqual(
        Object.keys(characters.tools),
        listed.map((tool) => tool.name),
      );
      for (const tool of listed) assert.equal(tool.inputSchema.type, 'object', tool.name);
    }
  });

  it('B1, B3: every tool and all of them together keep to their budgets', () => {
    assert.deepEqual(overBudget(servers), []);
  });

  it('B1: what is always loaded is what a model would else replace by a text search', () => {
    const always = servers.flatMap(({ name, tools: listed }) =>
      listed.filter(isAlwaysLoaded).map((tool) => `${name}/${tool.name}`),
    );
    assert.deepEqual(always.sort(), [...ALWAYS_LOADED].sort());
  });

  it('B2: the list is the same to the byte each time', async () => {
    assert.equal(await tools('--json'), text);
  });

  it('costs what the table of budgets in docs/editor-tools.md says', async () => {
    const costs = toolCosts(servers);
    const listed = servers.flatMap((server) => server.tools);
    const longest = (texts: readonly string[]): number =>
      Math.max(...texts.map(({ length }) => length));
    const again = await tools('--json');
    await holdDocRows('docs/editor-tools.md', 'tools', [
      [
        `B1 names, descriptions and input schemas of all ${costs.tools} tools`,
        TOOL_BUDGETS.total,
        costs.total,
      ],
      ['B1 one tool', TOOL_BUDGETS.one, costs.largest],
      ['B1 a tool on average', TOOL_BUDGETS.mean, Math.round(costs.mean)],
      ['B1 the five that are always loaded', TOOL_BUDGETS.alwaysLoaded, costs.alwaysLoaded],
      [
        'B1 a search hint',
        TOOL_BUDGETS.searchHint,
        longest(listed.map((tool) => searchHint(tool) ?? '')),
      ],
      ['B1 instructions of all servers', TOOL_BUDGETS.instructions, costs.instructions],
      ['B2 lists of the tools that differ from the first', 0, again === text ? 0 : 1],
      [
        'B3 a description',
        TOOL_BUDGETS.description,
        longest(listed.map(({ description }) => description)),
      ],
      ['B3 the text of a parameter', TOOL_BUDGETS.parameter, longest(listed.flatMap(texts))],
      ['B3 schemas with choices at the top or nested places', 0, overBudget(servers).length],
    ]);
  });

  it('prints a table for people', async () => {
    const table = await tools();
    const total = servers.reduce((sum, { characters }) => sum + characters.total, 0);
    assert.match(table, new RegExp(`^all \\d+ tools +${total} {2}of 9000$`, 'm'));
    assert.match(table, /^mcp__code__diagnostics +\d+ {2}always loaded$/m);
  });
});

/** The texts of a tool's parameters. */
function texts({ inputSchema }: { readonly inputSchema: unknown }): readonly string[] {
  const found = JSON.stringify(inputSchema).matchAll(/"description":("(?:[^"\\]|\\.)*")/g);
  // A text as JSON has it.
  return [...found].map(([, json = '""']) => JSON.parse(json) as string);
}
