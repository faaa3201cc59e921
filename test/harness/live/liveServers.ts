import { z } from 'zod';
import { createCalculator } from '../../../docs/samples/calculator/calculator';
import type { Logger } from '../../../src/base/logger';
import { collectServers } from '../../../src/cli/collectServers';
import type { ExternalServersPort } from '../../../src/conversation/conversationPorts';
import { defineTool } from '../../../src/mcp/defineTool';
import { createServer } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { inRoot } from '../paths';

/** The calculator of the samples, and a server with a tool that succeeds and one that fails. */
export function liveRegistry(): ServerRegistry {
  const registry = new ServerRegistry();
  registry.add(createCalculator());
  registry.add(
    createServer({
      name: 'lab',
      tools: [
        defineTool({
          name: 'execute_me',
          description: 'Executes what it is given.',
          input: { input: z.string() },
          alwaysLoad: true,
          run: ({ input }) => `Result: ${input}`,
        }),
        defineTool({
          name: 'will_fail',
          description: 'Fails.',
          input: {},
          alwaysLoad: true,
          run: () => new Error('Intentional error'),
        }),
      ],
    }),
  );
  return registry;
}

/** One more, a process of its own, that the CLI starts. */
export function outsideServer(
  registry: ServerRegistry,
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
): ExternalServersPort {
  const value = {
    command: process.execPath,
    args: [inRoot('test/harness/mcpServers/stdioServer.mjs'), 'outside'],
  };
  return {
    collect: () =>
      collectServers({
        written: [{ name: 'outside', source: 'setting', value }],
        reserved: registry.all().map(({ name }) => name),
        isOff: () => false,
        isApproved: () => false,
        env,
        secret: () => Promise.resolve(undefined),
        log,
      }),
    onDidChange: () => ({ dispose: () => undefined }),
  };
}
