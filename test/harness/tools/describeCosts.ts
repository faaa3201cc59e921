import {
  isAlwaysLoaded,
  type ListedServer,
  TOOL_BUDGETS,
  toolCharacters,
  toolCosts,
} from './toolCosts';

/** A table for people: what each tool costs, and the sums beside what is allowed. */
export function describeCosts(servers: readonly ListedServer[], faults: readonly string[]): string {
  const rows = servers.flatMap(({ name, tools }) =>
    tools.map((tool) => ({
      tool: `mcp__${name}__${tool.name}`,
      characters: toolCharacters(tool),
      loaded: isAlwaysLoaded(tool) ? 'always loaded' : 'deferred',
    })),
  );
  const width = Math.max(...rows.map(({ tool }) => tool.length));
  const costs = toolCosts(servers);
  const total = (what: string, is: number, allowed: number): string =>
    `${what.padEnd(width)} ${String(is).padStart(6)}  of ${allowed}`;
  return [
    'Characters of name, description and minified input schema',
    ...rows.map(
      ({ tool, characters, loaded }) =>
        `${tool.padEnd(width)} ${String(characters).padStart(6)}  ${loaded}`,
    ),
    '',
    total(`all ${costs.tools} tools`, costs.total, TOOL_BUDGETS.total),
    total('mean', costs.mean, TOOL_BUDGETS.mean),
    total('largest', costs.largest, TOOL_BUDGETS.one),
    total('always loaded', costs.alwaysLoaded, TOOL_BUDGETS.alwaysLoaded),
    total('instructions', costs.instructions, TOOL_BUDGETS.instructions),
    ...(faults.length === 0 ? [] : ['', 'Over budget:', ...faults]),
  ].join('\n');
}
