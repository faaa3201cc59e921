import type { KnownTools } from '../chat/toolHints';
import type { ToolDefinition } from '../mcp/defineTool';
import { wireName } from '../mcp/names';
import type { ServerRegistry } from '../mcp/registry';

export interface OwnTool {
  readonly server: string;
  readonly tool: ToolDefinition;
  /** Who made it, such as a file or an extension. */
  readonly source: string | undefined;
}

/** A tool of ours by the name that the CLI has for it; looked up afresh, since tools come and go. */
export function findOwnTool(
  registry: Pick<ServerRegistry, 'list'>,
  name: string,
): OwnTool | undefined {
  for (const server of registry.list()) {
    const tool = server.tools().find((each) => wireName(server.name, each.name) === name);
    if (tool) return { server: server.name, tool, source: server.sourceOfTool(tool.name) };
  }
  return undefined;
}

/** Our tools as their own table has them. */
export function liveTools(registry: Pick<ServerRegistry, 'list'>): KnownTools {
  return {
    get: (name) => {
      const found = findOwnTool(registry, name);
      if (found === undefined) return undefined;
      const { title = found.tool.name, annotations: hints = {} } = found.tool;
      return { title, server: found.server, hints, source: found.source };
    },
  };
}
