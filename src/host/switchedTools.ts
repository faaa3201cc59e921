import type { ToolDefinition } from '../mcp/defineTool';
import type { McpServerDefinition } from '../mcp/mcpServer';
import { wireName } from '../mcp/names';

/** The tools of a built-in server of which the person has switched some off. */
export class SwitchedTools {
  readonly #server: McpServerDefinition;
  readonly #all: readonly ToolDefinition[];

  constructor(server: McpServerDefinition) {
    this.#server = server;
    this.#all = server.tools();
  }

  /**
   * Conversations are told of a change; calls that run go on.
   * @param off names as permission rules have them: `mcp__code` or `mcp__code__symbols`
   */
  switchOff(off: readonly string[]): void {
    const { name } = this.#server;
    const names = new Set(off.map((entry) => entry.trim()));
    const isWhole = names.has(`mcp__${name}`) || names.has(`${wireName(name, '')}*`);
    const wanted = this.#all.filter((tool) => !isWhole && !names.has(wireName(name, tool.name)));
    const listed = this.#server.tools();
    if (wanted.length === listed.length && wanted.every((tool, at) => tool === listed[at])) return;
    // In their order, which the model sees.
    for (const tool of listed) this.#server.unregister('tool', tool.name);
    for (const tool of wanted) this.#server.registerTool(tool);
  }
}
