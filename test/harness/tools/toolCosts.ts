import type { WireTool } from '../../../src/mcp/wire';

/** A server as its handshake and its `tools/list` tell the model of it. */
export interface ListedServer {
  readonly name: string;
  readonly instructions: string;
  /** As they are sent. */
  readonly tools: readonly WireTool[];
}

/** What all built-in tools may cost, in characters (docs/editor-tools.md). */
export const TOOL_BUDGETS = {
  /** Names, descriptions and input schemas of all tools. */
  total: 9_000,
  one: 700,
  mean: 340,
  /** The tools that are always loaded, together. */
  alwaysLoaded: 2_400,
  searchHint: 60,
  /** Of all servers together. */
  instructions: 600,
  description: 300,
  parameter: 70,
} as const;

/** Those that a model which had to search for them would replace by grep. */
export const ALWAYS_LOADED = [
  'code/diagnostics',
  'code/symbols',
  'code/references',
  'code/rename',
  'editor/open_editors',
] as const;

/** Name, description and minified input schema: what the model reads of a tool. */
export function toolCharacters({ name, description, inputSchema }: WireTool): number {
  return name.length + description.length + JSON.stringify(inputSchema).length;
}

export interface ToolCosts {
  readonly tools: number;
  readonly total: number;
  readonly mean: number;
  readonly largest: number;
  readonly alwaysLoaded: number;
  readonly instructions: number;
}

export function toolCosts(servers: readonly ListedServer[]): ToolCosts {
  const tools = servers.flatMap((server) => server.tools);
  const total = sum(tools.map(toolCharacters));
  return {
    tools: tools.length,
    total,
    mean: tools.length === 0 ? 0 : Math.round((total / tools.length) * 10) / 10,
    largest: Math.max(0, ...tools.map(toolCharacters)),
    alwaysLoaded: sum(tools.filter(isAlwaysLoaded).map(toolCharacters)),
    instructions: sum(servers.map(({ instructions }) => instructions.length)),
  };
}

/** `_meta` entries that the CLI knows. */
export function isAlwaysLoaded(tool: WireTool): boolean {
  return tool._meta?.['anthropic/alwaysLoad'] === true;
}

export function searchHint(tool: WireTool): string | undefined {
  const hint = tool._meta?.['anthropic/searchHint'];
  return typeof hint === 'string' ? hint : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
