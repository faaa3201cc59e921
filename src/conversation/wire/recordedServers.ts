import { errorMessage } from '../../base/errors';
import { defineTool, type ToolDefinition } from '../../mcp/defineTool';
import { createServer, type McpServerDefinition } from '../../mcp/mcpServer';
import { ServerRegistry } from '../../mcp/registry';
import { isRecord, ownField } from '../../mcp/wire';

/** Gives the result that the file has for the call of this control request, when it is there. */
export type RecordedCall = (requestId: string) => Promise<unknown>;

/**
 * The in-process servers of a file, as far as it tells of them: their names, their tools with the
 * schemas. Their code is not in it, so a call gives what it gave then.
 */
export class RecordedServers {
  readonly registry = new ServerRegistry();
  /** What could not be offered any more, one line each. */
  readonly problems: string[] = [];
  readonly #call: RecordedCall;
  readonly #foreign = new Set<string>();

  constructor(call: RecordedCall) {
    this.#call = call;
  }

  /** From `initialize`: names, and what the CLI was told of each beforehand. */
  declare(initialize: unknown): void {
    const manifests = ownField(initialize, 'sdkMcpServerManifests');
    if (!isRecord(manifests)) return;
    for (const [name, manifest] of Object.entries(manifests)) {
      this.handshake(name, ownField(manifest, 'initializeResult'));
      this.list(name, ownField(manifest, 'toolsListResult'));
    }
  }

  /** Somebody else's, which we only hand on. */
  isForeign(name: string): boolean {
    return this.#foreign.has(name);
  }

  /** From `mcp_set_servers`: those that are not in it are gone. */
  keepOnly(servers: unknown): void {
    if (!isRecord(servers)) return;
    for (const { name } of this.registry.list()) {
      if (ownField(ownField(servers, name), 'type') !== 'sdk') this.registry.remove(name);
    }
  }

  /** Offers a server as it shook hands; false where that cannot be. */
  handshake(name: string, result: unknown): boolean {
    if (isOfOthers(name, result)) this.#foreign.add(name);
    if (this.isForeign(name)) return false;
    if (this.registry.get(name)) return true;
    const info = ownField(result, 'serverInfo');
    const capabilities = ownField(result, 'capabilities');
    try {
      const server = createServer({
        name,
        ...texts({ version: ownField(info, 'version'), title: ownField(info, 'title') }),
        ...texts({ instructions: ownField(result, 'instructions') }),
      });
      // As it was then, also what ours would say besides today.
      if (isRecord(capabilities)) server.capabilities = () => capabilities;
      this.registry.add(server);
      return true;
    } catch (error) {
      this.#problem(`server ${name}`, error);
      return false;
    }
  }

  /** Offers the tools of a `tools/list` result, and no others. */
  list(name: string, result: unknown): void {
    const tools = ownField(result, 'tools');
    const server = this.registry.get(name);
    if (!server || !Array.isArray(tools)) return;
    for (const tool of server.tools()) server.unregister('tool', tool.name);
    for (const tool of tools) this.#offer(server, () => this.#tool(tool));
  }

  /** A tool of which the file has no definition takes anything. */
  improvise(name: string, tool: string): void {
    const server = this.registry.get(name);
    if (!server || server.getTool(tool)) return;
    this.#offer(server, () =>
      this.#tool({ name: tool, description: tool, inputSchema: { type: 'object' } }),
    );
  }

  #offer(server: McpServerDefinition, make: () => ToolDefinition): void {
    try {
      server.registerTool(make());
    } catch (error) {
      this.#problem(`a tool of ${server.name}`, error);
    }
  }

  #tool(listed: unknown): ToolDefinition {
    const { name, title, description, inputSchema, outputSchema, annotations, _meta } = isRecord(
      listed,
    )
      ? listed
      : {};
    const tool = defineTool({
      name: String(name),
      description: String(description),
      input: { ...(isRecord(inputSchema) ? inputSchema : {}), type: 'object' },
      ...texts({ title }),
      ...(isRecord(outputSchema) ? { output: { ...outputSchema, type: 'object' as const } } : {}),
      ...(isRecord(annotations) ? { annotations } : {}),
      // Parsed from JSON, so it holds nothing that JSON does not.
      ...(isRecord(_meta) ? { meta: _meta as NonNullable<ToolDefinition['meta']> } : {}),
      run: (_input, { requestId }) => this.#call(requestId),
    });
    // The result was checked then, and perhaps cut since.
    return Object.defineProperty(tool, 'parseOutput', { value: undefined });
  }

  #problem(what: string, error: unknown): void {
    this.problems.push(`${what} can no longer be offered: ${errorMessage(error)}`);
  }
}

function texts(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string';
    }),
  );
}

const OWN_FIELDS = new Set(['protocolVersion', 'capabilities', 'serverInfo', 'instructions']);
const OWN_INFO = new Set(['name', 'version', 'title']);

/** Ours says so much of itself, under the name by which it is called, and no more. */
function isOfOthers(name: string, result: unknown): boolean {
  if (!isRecord(result)) return false;
  const info = isRecord(result.serverInfo) ? result.serverInfo : {};
  return (
    info.name !== name ||
    Object.keys(result).some((field) => !OWN_FIELDS.has(field)) ||
    Object.keys(info).some((field) => !OWN_INFO.has(field))
  );
}
