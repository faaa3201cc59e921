import { parseArgs } from 'node:util';
import * as inert from 'vscode';
import { errorMessage } from '../../../src/base/errors';
import { createToolServers, type EditorKnowledge } from '../../../src/host/toolServers';
import { manifestOf } from '../../../src/mcp/manifest';
import { describeCosts } from './describeCosts';
import { overBudget } from './overBudget';
import { type ListedServer, toolCharacters, toolCosts } from './toolCosts';

/**
 * Lists what the built-in servers send the model of themselves.
 * @returns exit code: 1 where a budget is broken
 */
export function runTools(args: readonly string[], say: (text: string) => void): number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean', default: false } },
    });
    const servers = listServers();
    const faults = overBudget(servers);
    if (!values.json) {
      say(describeCosts(servers, faults));
    } else {
      say(JSON.stringify(servers.map(withCharacters), null, 2));
      for (const fault of faults) console.error(fault);
    }
    return faults.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(`${errorMessage(error)}\nUsage: npm run tools [-- --json]`);
    return 1;
  }
}

/** As the CLI is told of them when a conversation begins, in the order of their registration. */
function listServers(): readonly ListedServer[] {
  // Inert as well: no tool is called here, so nothing of it is used.
  const knowledge = inert as unknown as EditorKnowledge;
  const registry = createToolServers(knowledge);
  return registry.list().map((server) => {
    const manifest = manifestOf(server);
    if (manifest === undefined) throw new Error(`Server '${server.name}' has no manifest`);
    const { initializeResult, toolsListResult } = manifest;
    const { instructions = '' } = initializeResult;
    return { name: server.name, instructions, tools: toolsListResult.tools };
  });
}

function withCharacters(server: ListedServer) {
  const { tools, instructions } = server;
  return {
    ...server,
    characters: {
      instructions: instructions.length,
      total: toolCosts([server]).total,
      tools: Object.fromEntries(tools.map((tool) => [tool.name, toolCharacters(tool)])),
    },
  };
}
