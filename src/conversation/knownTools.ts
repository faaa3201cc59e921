import type { KnownTools } from '../chat/toolHints';
import { wireName } from '../mcp/names';
import type { ServerRegistry } from '../mcp/registry';

/** Our tools as their own table has them, looked up afresh each time since tools come and go. */
export function liveTools(registry: Pick<ServerRegistry, 'list'>): KnownTools {
  return {
    get: (name) => {
      for (const server of registry.list()) {
        const tool = server.tools().find((each) => wireName(server.name, each.name) === name);
        if (!tool) continue;
        const { title = tool.name, annotations: hints = {} } = tool;
        return { title, server: server.name, hints };
      }
      return undefined;
    },
  };
}
