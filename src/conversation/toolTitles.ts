import { type ToolTitles } from '../chat/toolTitles';
import { wireName } from '../mcp/names';
import { type ServerRegistry } from '../mcp/registry';

type Servers = Pick<ServerRegistry, 'list'>;

/** The titles of our tools by wire name, from our own table: the CLI's questions never carry them. */
export function titlesOf(registry: Servers): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const server of registry.list()) {
    for (const tool of server.tools()) {
      titles.set(wireName(server.name, tool.name), tool.title ?? tool.name);
    }
  }
  return titles;
}

/** As {@link titlesOf}, looked up afresh each time: tools come and go. */
export function liveTitles(registry: Servers): ToolTitles {
  return { get: (name) => titlesOf(registry).get(name) };
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
