import type { ToolTitles } from '../chat/toolTitles';
import { wireName } from '../mcp/names';
import type { ServerRegistry } from '../mcp/registry';
import { findOwnTool } from './knownTools';

type Servers = Pick<ServerRegistry, 'list'>;

/**
 * The titles of our tools by wire name, looked up afresh each time since tools come and go. They
 * come from our own table: the CLI's questions never carry them.
 */
export function liveTitles(registry: Servers): ToolTitles {
  return {
    get: (name) => {
      const tool = findOwnTool(registry, name)?.tool;
      return tool?.title ?? tool?.name;
    },
  };
}

/** How many tools of ours the model has. */
export function toolCount(registry: Servers): number {
  return registry.list().reduce((sum, server) => sum + server.tools().length, 0);
}

/**
 * The tools that run without a question in every mode: those that only read.
 * Fact: a read-only tool that is not allowed beforehand is refused in plan mode without asking.
 */
export function readOnlyTools(registry: Servers): string[] {
  return registry.list().flatMap((server) =>
    server
      .tools()
      .filter((tool) => tool.annotations?.readOnlyHint === true)
      .map((tool) => wireName(server.name, tool.name)),
  );
}
