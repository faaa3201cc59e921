import type { ToolDefinition } from './defineTool';
import type { McpServerDefinition } from './registry';
import type { InitializeResult, JsonObject, WireTool } from './wire';

/** Protocol versions that we answer with when asked for; the last is the newest. */
export const PROTOCOL_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
const NEWEST = '2025-11-25';

/** What the CLI may be told of a server beforehand, so that its first turn waits for nothing. */
export interface ServerManifest {
  readonly initializeResult: InitializeResult;
  readonly toolsListResult: { readonly tools: readonly WireTool[] };
}

/** The bare results of the handshake, not wrapped in JSON-RPC: the CLI takes them only so. */
export function manifestOf(server: McpServerDefinition): ServerManifest {
  return { initializeResult: initializeResult(server), toolsListResult: toolsListResult(server) };
}

/** Answers with the asked version when it is known, else with the newest. */
export function initializeResult(server: McpServerDefinition, asked?: unknown): InitializeResult {
  return {
    protocolVersion: PROTOCOL_VERSIONS.find((version) => version === asked) ?? NEWEST,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: server.name, version: server.version },
    ...(server.instructions === undefined ? {} : { instructions: server.instructions }),
  };
}

export function toolsListResult(server: McpServerDefinition): { readonly tools: WireTool[] } {
  return { tools: server.tools().map(wireTool) };
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

const wireTools = new WeakMap<ToolDefinition, WireTool>();

/** A tool as it is listed; made once a tool. */
export function wireTool(tool: ToolDefinition): WireTool {
  const known = wireTools.get(tool);
  if (known !== undefined) return known;
  const meta: JsonObject = {
    ...(tool.alwaysLoad ? { 'anthropic/alwaysLoad': true } : {}),
    ...(tool.searchHint === undefined ? {} : { 'anthropic/searchHint': tool.searchHint }),
  };
  const made: WireTool = {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(tool.annotations === undefined ? {} : { annotations: { ...tool.annotations } }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
  wireTools.set(tool, made);
  return made;
}
