import type { McpServerDefinition } from './mcpServer';
import { addCapabilities } from './capabilities';
import { pageOf } from './page';
import type { OfferedServer } from './registry';
import type { InitializeResult, ServerCapabilities, ServerManifest, WireTool } from './wire';

/** Protocol versions that we answer with when asked for; the last is the newest. */
export const PROTOCOL_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
const NEWEST = '2025-11-25';

/**
 * The bare results of the handshake, not wrapped in JSON-RPC: the CLI takes them only so. Undefined
 * where the server wants to see the handshake itself, or its tools are not known beforehand.
 */
export function manifestOf(server: OfferedServer): ServerManifest | undefined {
  if (server.kind === 'foreign') return server.manifest?.();
  if (server.hooks.onInitialize !== undefined) return undefined;
  return {
    initializeResult: initializeResult(server),
    // The whole list, whatever the size of a page: with a cursor in it the CLI would ask anew.
    toolsListResult: { tools: server.listTools() },
  };
}

/** Answers with the asked version when it is known, else with the newest. */
export function initializeResult(
  server: McpServerDefinition,
  asked?: unknown,
  more: ServerCapabilities = {},
): InitializeResult {
  const { name, version, title, instructions } = server;
  return {
    protocolVersion: PROTOCOL_VERSIONS.find((known) => known === asked) ?? NEWEST,
    capabilities: addCapabilities(server.capabilities(), more),
    serverInfo: { name, version, ...(title === undefined ? {} : { title }) },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

export function toolsListResult(
  server: McpServerDefinition,
  params?: unknown,
): { readonly tools: readonly WireTool[]; readonly nextCursor?: string } {
  const page = pageOf(
    server.listTools(),
    ({ name }) => name,
    server.pageSize,
    params,
    'tools/list',
  );
  const { items: tools, ...rest } = page;
  return { tools, ...rest };
}

/** How an in-process server is declared to the CLI: no instance, no closure can get into it. */
export function sdkServerConfig(name: string, version = '1.0.0'): SdkServerConfig {
  return { type: 'sdk', name, version };
}

export interface SdkServerConfig {
  readonly type: 'sdk';
  readonly name: string;
  readonly version: string;
}
