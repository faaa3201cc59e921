import { type Disposable, toDisposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import { checkDefinition } from './checkDefinition';
import { DefinitionError } from './definitionError';
import type { ToolDefinition } from './defineTool';
import { checkName, cleanName } from './names';
import { callTool } from './callTool';
import type { ToolContext } from './toolContext';
import type { CallToolResult } from './wire';

/** Of a server of this name the CLI offers two tools of its own making only. */
const RESERVED = new Set(['ide']);

export interface ServerOptions {
  /** `[A-Za-z0-9_-]`, not `ide`. */
  readonly name: string;
  readonly version?: string;
  /** Goes into the model's context at the start; keep it short. */
  readonly instructions?: string;
}

/** An in-process server: a named list of tools. It holds no state of any conversation. */
export interface McpServerDefinition {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  /** Fires after a tool came or went. */
  readonly onDidChange: Event<void>;
  /**
   * Offers a tool until the result is disposed. A call that is running then goes on.
   * @throws DefinitionError when the tool cannot be offered; the others are not touched
   */
  registerTool(tool: ToolDefinition): Disposable;
  /** In the order of their registration. */
  tools(): readonly ToolDefinition[];
  getTool(name: string): ToolDefinition | undefined;
  /**
   * Runs a tool directly: arguments are checked and the value becomes a result, as over the wire,
   * but there is no deadline and no question. What the handler throws is a result with `isError`.
   * @throws RpcError −32601 for an unknown tool, −32602 for bad arguments
   */
  execute(name: string, input: unknown, ctx: ToolContext): Promise<CallToolResult>;
}

/** @throws DefinitionError when the name is not legal */
export function createServer(options: ServerOptions): McpServerDefinition {
  const { name, version = '1.0.0', instructions } = options;
  checkName('server', name);
  if (RESERVED.has(name)) {
    throw new DefinitionError(`The server name '${name}' is taken by the CLI for its own tools`);
  }
  const tools = new Map<string, ToolDefinition>();
  const changed = new Emitter<void>();
  return {
    name,
    version,
    instructions,
    onDidChange: changed.event,
    registerTool: (tool) => {
      checkDefinition(name, tool);
      if (tools.has(tool.name)) {
        throw new DefinitionError(`Server '${name}' already has a tool '${tool.name}'`);
      }
      tools.set(tool.name, tool);
      changed.fire();
      return toDisposable(() => {
        tools.delete(tool.name);
        changed.fire();
      });
    },
    tools: () => [...tools.values()],
    getTool: (toolName) => tools.get(toolName),
    execute: (toolName, input, ctx) => callTool(tools.get(toolName), toolName, input, ctx),
  };
}

/** What happened to the servers of a registry. */
export interface RegistryChange {
  readonly kind: 'added' | 'removed' | 'toolsChanged';
  readonly server: string;
}

/** The servers that conversations offer. A `Map`, since `constructor` is a key of every object. */
export class ServerRegistry implements Disposable {
  readonly #servers = new Map<string, { server: McpServerDefinition; listener: Disposable }>();
  readonly #changed = new Emitter<RegistryChange>();
  readonly onDidChange: Event<RegistryChange> = this.#changed.event;

  /**
   * Offers a server until the result is disposed.
   * @throws DefinitionError when its name equals another's after cleaning; both are named
   */
  add(server: McpServerDefinition): Disposable {
    const clean = cleanName(server.name);
    const other = [...this.#servers.keys()].find((name) => cleanName(name) === clean);
    if (other !== undefined) {
      throw new DefinitionError(
        `Servers '${other}' and '${server.name}' would both be offered as '${clean}'`,
      );
    }
    const listener = server.onDidChange(() => {
      this.#changed.fire({ kind: 'toolsChanged', server: server.name });
    });
    this.#servers.set(server.name, { server, listener });
    this.#changed.fire({ kind: 'added', server: server.name });
    return toDisposable(() => {
      if (this.get(server.name) === server) this.remove(server.name);
    });
  }

  /** False when there is no such server. Routers cancel the calls that run on it. */
  remove(name: string): boolean {
    const entry = this.#servers.get(name);
    if (entry === undefined) return false;
    entry.listener.dispose();
    this.#servers.delete(name);
    this.#changed.fire({ kind: 'removed', server: name });
    return true;
  }

  get(name: string): McpServerDefinition | undefined {
    return this.#servers.get(name)?.server;
  }

  list(): readonly McpServerDefinition[] {
    return [...this.#servers.values()].map((entry) => entry.server);
  }

  dispose(): void {
    for (const name of [...this.#servers.keys()]) this.remove(name);
    this.#changed.dispose();
  }
}
