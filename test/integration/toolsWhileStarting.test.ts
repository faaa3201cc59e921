import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { spawnCli } from '../../src/cli/spawnCli';
import { defineTool } from '../../src/mcp/defineTool';
import { createServer, type McpServerDefinition } from '../../src/mcp/mcpServer';
import { ServerRegistry } from '../../src/mcp/registry';
import { say } from '../harness/model/script';
import { type ConversationBench, createBench } from './conversationBench';
import { endAll, ends, offered, turn } from './serverWorld';

/** The CLI is told of the tools before it starts, and hears of other ones only once it has answered. */
after(endAll);

const tool = (name: string) =>
  defineTool({
    ...{ name, description: 'Of the shelf.', input: {}, alwaysLoad: true },
    run: () => name,
  });
const shelf = (...names: readonly string[]): McpServerDefinition =>
  createServer({ name: 'shelf', tools: names.map(tool) });

/** A conversation with the real CLI. @param whileStarting runs once the tools have been declared */
async function begin(
  registry: ServerRegistry,
  whileStarting: () => void = () => undefined,
): Promise<ConversationBench> {
  const made = await createBench({
    model: { script: () => say('done') },
    registry,
    startCli: (options) => {
      whileStarting();
      return spawnCli(options);
    },
  });
  ends.push(() => made.dispose());
  return made;
}

/** What is offered in the turn after the next, by when the CLI has asked for what it was told of. */
async function offeredSoon(made: ConversationBench): Promise<readonly string[]> {
  await turn(made, 'first');
  await turn(made, 'second');
  return offered(made);
}

test('a tool that comes and one that goes while the agent starts are known to it', async () => {
  const registry = new ServerRegistry();
  const server = shelf('old', 'stays');
  registry.add(server);
  const made = await begin(registry, () => {
    server.registerTool(tool('fresh'));
    server.unregister('tool', 'old');
  });
  assert.deepEqual([...(await offeredSoon(made))].sort(), [
    'mcp__shelf__fresh',
    'mcp__shelf__stays',
  ]);
});

test('a server that takes the place of one of its name while the agent starts, or in one moment later, is listed anew', async () => {
  const registry = new ServerRegistry();
  registry.add(shelf('first'));
  const replace = (name: string) => {
    registry.remove('shelf');
    registry.add(shelf(name));
  };
  const made = await begin(registry, () => replace('second'));
  assert.deepEqual(await offeredSoon(made), ['mcp__shelf__second']);
  replace('third');
  await made.conversation.syncServers();
  await turn(made, 'once more');
  await turn(made, 'and again');
  // Fact: what the model was told of once the CLI goes on naming.
  assert.ok(offered(made).includes('mcp__shelf__third'), offered(made).join());
});
