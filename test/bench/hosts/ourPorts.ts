import path from 'node:path';
import { number, object } from 'zod/mini';
import { silentLogger } from '../../../src/base/logger';
import type { ConversationPorts } from '../../../src/conversation/conversationPorts';
import { SpareSeat } from '../../../src/conversation/spareSeat';
import { pumpClock } from '../../../src/host/pumpClock';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer, type McpServerDefinition } from '../../../src/mcp/mcpServer';
import { type OfferedServer, ServerRegistry } from '../../../src/mcp/registry';
import { SERVER, TOOL } from '../workload';

/** A server with the one tool that the fake CLI calls. */
export function probeServer(name: string = SERVER): McpServerDefinition {
  const server = createServer({ name });
  server.registerTool(
    defineTool({
      name: TOOL,
      description: 'Answers.',
      input: object({ i: number() }),
      annotations: { readOnlyHint: true },
      run: ({ i }) => `pong ${i}`,
    }),
  );
  return server;
}

export interface OurPortsOptions {
  readonly command: string;
  readonly cwd: string;
  readonly servers: readonly OfferedServer[];
}

/** What a conversation needs of the world, without an editor around it. */
export function ourPorts({ command, cwd, servers }: OurPortsOptions): ConversationPorts {
  const registry = new ServerRegistry();
  for (const server of servers) registry.add(server);
  return {
    log: silentLogger,
    now: Date.now,
    settings: () => ({
      cliPath: command,
      cliEnvironment: {},
      cliArguments: [],
      cliWrapper: [],
      proxy: { proxy: '', noProxy: [], support: 'override' },
      initialPermissionMode: '',
      model: '',
      parkAfterMinutes: 10,
    }),
    clock: pumpClock,
    spares: new SpareSeat(),
    isTrusted: () => true,
    folder: { name: path.basename(cwd), path: cwd },
    workspaceRoots: () => [cwd],
    buffers: {
      dirtyFiles: () => [],
      save: () => Promise.resolve(true),
      discard: () => Promise.resolve(true),
      read: () => Promise.resolve(undefined),
    },
    registry,
    developmentRoot: undefined,
    hostEnvironment: process.env,
  };
}
