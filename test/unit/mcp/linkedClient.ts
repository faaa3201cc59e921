import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { silentLogger } from '../../../src/base/logger';
import type { McpServerDefinition } from '../../../src/mcp/mcpServer';
import { ServerRegistry } from '../../../src/mcp/registry';
import { createRouter, type Router } from '../../../src/mcp/router';
import { createSdkServer } from '../../../src/mcp/sdkServer';

export interface Linked {
  readonly client: Client;
  readonly router: Router;
  readonly registry: ServerRegistry;
  readonly close: () => Promise<void>;
}

/** The official client, on a server of ours behind the official low-level server. */
export async function linkClient(server: McpServerDefinition): Promise<Linked> {
  const registry = new ServerRegistry();
  registry.add(server);
  const router = createRouter({
    registry,
    log: silentLogger,
    conversation: { id: 'c1', cwd: '/work' },
    notify: (_, message) => {
      sdk.send(message);
    },
  });
  const sdk = createSdkServer({ server, router });
  const client = new Client({ name: 'walker', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([sdk.sdk.connect(far), client.connect(near)]);
  return {
    client,
    router,
    registry,
    close: async () => {
      await client.close();
      router.dispose();
      registry.dispose();
    },
  };
}
