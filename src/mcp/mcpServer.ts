import { type Disposable, DisposableStore, toDisposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import { isSameList } from '../base/isSameList';
import { callTool } from './callTool';
import { addCapabilities } from './capabilities';
import { checkDefinition, checkPrompt, checkResource, checkServerTexts } from './checkDefinition';
import { DefinitionError } from './definitionError';
import { DefinitionList, type Entry, from } from './definitionList';
import type { PromptDefinition } from './definePrompt';
import type { ResourceDefinition } from './defineResource';
import type { ToolDefinition } from './defineTool';
import type { InputOf, ToolInput } from './inputTypes';
import type { ListKind } from './listKind';
import { checkServerName, longName, wireName } from './names';
import { type OwnMethod, createOwnMethod } from './ownMethod';
import { getPrompt } from './prompts';
import { readResource } from './resources';
import type { ServerDescription, ServerProblem } from './serverDescription';
import type { ToolCheck } from './toolCheck';
import type { ToolContext } from './toolContext';
import type {
  CallToolResult,
  ClientInfo,
  GetPromptResult,
  ReadResourceResult,
  ServerCapabilities,
  WireTool,
} from './wire';
import { wireTool } from './wireTool';

export type Definition = ToolDefinition | ResourceDefinition | PromptDefinition;

/** What a server knows of one conversation. */
export interface SessionInfo {
  readonly conversation: { readonly id: string; readonly cwd: string };
  readonly clientInfo?: ClientInfo;
  readonly clientCapabilities?: Readonly<Record<string, unknown>>;
  /** The same that the handlers get as `ctx.state`. */
  readonly state: Map<string, unknown>;
}

export interface ServerOptions {
  /** `[A-Za-z0-9_-]`, not `ide`. */
  readonly name: string;
  /** `1.0.0` by default. */
  readonly version?: string;
  readonly title?: string;
  /** Goes into the model's context at the start; keep it short. */
  readonly instructions?: string;
  /** Who made it, such as a file; named where two clash. */
  readonly source?: string;
  /** A bad one is told in `describe().problems` and keeps none of the others away. */
  readonly tools?: readonly ToolDefinition[];
  readonly resources?: readonly ResourceDefinition[];
  readonly prompts?: readonly PromptDefinition[];
  /** Declared besides what follows from the definitions, such as `resources` that come later. */
  readonly capabilities?: ServerCapabilities;
  /** Entries of one page of a list; 1,000 by default. */
  readonly pageSize?: number;
  /**
   * Called once a conversation, before anything else of it is served; what it returns is declared
   * besides. The handshake waits for it, but not longer than five seconds: slow work is for later.
   * An RpcError that it throws refuses the client, and it is called again when that tries again.
   */
  onInitialize?(session: SessionInfo): MaybeCapabilities | Promise<MaybeCapabilities>;
  /** Called once a conversation, when that ends or the server is taken from it. */
  onTerminate?(session: SessionInfo): unknown;
}
// A function without a return is as good as one that returns undefined.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
export type MaybeCapabilities = ServerCapabilities | undefined | void;

/** An in-process server: named lists of tools, resources and prompts. It holds no state of any conversation. */
export interface McpServerDefinition {
  readonly kind: 'own';
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly source?: string;
  readonly pageSize: number;
  readonly hooks: Pick<ServerOptions, 'onInitialize' | 'onTerminate'>;
  /** Fires after something came or went. */
  readonly onDidChange: Event<ListKind>;
  /** Fires with the URI of a resource whose contents changed. */
  readonly onDidUpdate: Event<string>;
  readonly onDidStop: Event<void>;
  /**
   * Offers it until the result is disposed. A call that is running then goes on.
   * @param source who made it, such as a file; named where two clash
   * @throws DefinitionError when it cannot be offered; the others are not touched
   */
  registerTool(tool: ToolDefinition, source?: string): Disposable;
  registerResource(resource: ResourceDefinition, source?: string): Disposable;
  registerPrompt(prompt: PromptDefinition, source?: string): Disposable;
  /** Offers what is right; what is not is told in `describe().problems` until the result is disposed. */
  registerAll(definitions: Iterable<Definition>, source?: string): Disposable;
  /** By name, a resource by its URI or template. False when there is none. */
  unregister(kind: Definition['kind'], name: string): boolean;
  /** In the order of their registration, without those that are hidden. */
  tools(): readonly ToolDefinition[];
  /** Undefined as well for one that is hidden. */
  getTool(name: string): ToolDefinition | undefined;
  /** Those that are hidden as well. */
  allTools(): readonly ToolDefinition[];
  /**
   * Offers these tools no more, until it is called again. They stay registered, and calls that run
   * go on. Asked with the name of each tool, also of those that come later.
   */
  hideTools(isHidden: (tool: string) => boolean): void;
  resources(): readonly ResourceDefinition[];
  prompts(): readonly PromptDefinition[];
  getPrompt(name: string): PromptDefinition | undefined;
  /** The tools as they are listed: made once, until one comes or goes. */
  listTools(): readonly WireTool[];
  /** What follows from the definitions and was declared besides. */
  capabilities(): ServerCapabilities;
  /**
   * Runs a tool directly: arguments are checked and the value becomes a result, as over the wire,
   * but there is no deadline and no question. What the handler throws is a result with `isError`.
   * @throws RpcError −32601 for an unknown tool, −32602 for bad arguments
   */
  execute(name: string, input: unknown, ctx: ToolContext): Promise<CallToolResult>;
  /** @throws RpcError −32002 where there is no such resource */
  readResource(uri: string, ctx: ToolContext): Promise<ReadResourceResult>;
  /** @throws RpcError −32602 for an unknown prompt or bad arguments */
  renderPrompt(name: string, args: unknown, ctx: ToolContext): Promise<GetPromptResult>;
  /** Tells those who subscribed to the resource that it changed. */
  notifyUpdated(uri: string): void;
  /**
   * Serves a method, or a notification, that the protocol does not have.
   * @param schema of its params; checked before `run` is called
   * @throws DefinitionError for a method of the protocol, or one that is served already
   */
  handle<const I extends ToolInput>(
    method: string,
    schema: I,
    run: (params: InputOf<I>, ctx: ToolContext) => unknown,
  ): Disposable;
  method(name: string): OwnMethod | undefined;
  /**
   * Looked at for the tools that are there, and before each registration of another, besides the
   * server's own rules; throws a DefinitionError to refuse. A tool that was there is taken away then
   * and told in `describe().problems`. For a registry, which knows the other servers.
   */
  addToolCheck(check: ToolCheck): Disposable;
  sourceOfTool(name: string): string | undefined;
  describe(): ServerDescription;
  /** Ends it in all conversations, whose calls are stopped. It cannot be offered again. */
  stop(): void;
  readonly isStopped: boolean;
}

/**
 * To be declared by a server whose first resource may come in the middle of a conversation: the CLI
 * looks at this at the handshake only. It costs the model two names of tools.
 */
export const MAY_GET_RESOURCES: ServerCapabilities = {
  resources: { subscribe: true, listChanged: true },
};

/** @throws DefinitionError when the name is not legal */
export function createServer(options: ServerOptions): McpServerDefinition {
  return new McpServer(options);
}

const DEFAULT_PAGE = 1_000;

class McpServer implements McpServerDefinition {
  readonly kind = 'own';
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly source?: string;
  readonly pageSize: number;
  readonly hooks: Pick<ServerOptions, 'onInitialize' | 'onTerminate'>;
  readonly #declared: ServerCapabilities;
  readonly #tools: DefinitionList<ToolDefinition>;
  readonly #resources: DefinitionList<ResourceDefinition>;
  readonly #prompts: DefinitionList<PromptDefinition>;
  readonly #methods: DefinitionList<OwnMethod>;
  /** What is not offered, by its registration where it had one. */
  readonly #refused = new Map<object, ServerProblem>();
  readonly #checks = new Set<ToolCheck>();
  readonly #changed = new Emitter<ListKind>();
  readonly #updated = new Emitter<string>();
  readonly #stopped = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly onDidUpdate = this.#updated.event;
  readonly onDidStop = this.#stopped.event;
  #shown: readonly ToolDefinition[] | undefined;
  /** The same, to be found: each call looks for its tool. */
  #byName: ReadonlyMap<string, ToolDefinition> | undefined;
  #wireTools: readonly WireTool[] | undefined;
  #isHidden: (tool: string) => boolean = () => false;
  #isStopped = false;

  constructor(options: ServerOptions) {
    const { name, version = '1.0.0', pageSize = DEFAULT_PAGE, capabilities = {} } = options;
    checkServerName(name);
    const { title, instructions } = options;
    checkServerTexts(name, { version, title, instructions });
    this.name = name;
    this.version = version;
    this.title = title;
    this.instructions = instructions;
    this.source = options.source;
    // A page of a size that is no number would have nothing on it.
    this.pageSize = Math.max(1, Math.floor(pageSize)) || DEFAULT_PAGE;
    this.hooks = options;
    this.#declared = capabilities;
    this.#tools = new DefinitionList(`Server '${name}' already has a tool`);
    this.#resources = new DefinitionList(`Server '${name}' already has a resource`);
    this.#prompts = new DefinitionList(`Server '${name}' already has a prompt`);
    this.#methods = new DefinitionList(`Server '${name}' already serves the method`);
    const { tools = [], resources = [], prompts = [] } = options;
    this.registerAll([...tools, ...resources, ...prompts], options.source);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  registerTool(tool: ToolDefinition, source?: string): Disposable {
    checkDefinition(this.name, tool);
    for (const check of this.#checks) check(tool.name, source);
    return this.#offer('tools', this.#tools, tool.name, tool, source);
  }

  registerResource(resource: ResourceDefinition, source?: string): Disposable {
    checkResource(this.name, resource);
    return this.#offer('resources', this.#resources, resource.uri, resource, source);
  }

  registerPrompt(prompt: PromptDefinition, source?: string): Disposable {
    checkPrompt(this.name, prompt);
    return this.#offer('prompts', this.#prompts, prompt.name, prompt, source);
  }

  #offer<T>(
    kind: ListKind,
    list: DefinitionList<T>,
    name: string,
    item: T,
    source: string | undefined,
  ): Disposable {
    const entry = list.add(name, item, source);
    this.#change(kind);
    return toDisposable(() => {
      this.#refused.delete(entry);
      if (list.delete(name, entry)) this.#change(kind);
    });
  }

  registerAll(definitions: Iterable<Definition>, source?: string): Disposable {
    const store = new DisposableStore();
    for (const definition of definitions) {
      try {
        store.add(this.#register(definition, source));
      } catch (error) {
        if (!(error instanceof DefinitionError)) throw error;
        const { message: reason } = error;
        const problem = { kind: 'refused', name: nameOf(definition), reason, source } as const;
        this.#refused.set(problem, problem);
        store.add(toDisposable(() => this.#refused.delete(problem)));
      }
    }
    return store;
  }

  /** From plain JavaScript anything may come. */
  #register(definition: Definition | null | undefined, source: string | undefined): Disposable {
    if (definition?.kind === 'tool') return this.registerTool(definition, source);
    if (definition?.kind === 'resource') return this.registerResource(definition, source);
    if (definition?.kind === 'prompt') return this.registerPrompt(definition, source);
    throw new DefinitionError(
      `Server '${this.name}' was given something that defineTool, defineResource or definePrompt did not make`,
    );
  }

  unregister(kind: Definition['kind'], name: string): boolean {
    const list = { tool: this.#tools, resource: this.#resources, prompt: this.#prompts }[kind];
    if (!list.delete(name)) return false;
    this.#change(`${kind}s`);
    return true;
  }

  tools(): readonly ToolDefinition[] {
    return (this.#shown ??= this.#tools.values.filter(({ name }) => !this.#isHidden(name)));
  }
  getTool(name: string): ToolDefinition | undefined {
    return (this.#byName ??= new Map(this.tools().map((tool) => [tool.name, tool]))).get(name);
  }
  allTools(): readonly ToolDefinition[] {
    return this.#tools.values;
  }
  hideTools(isHidden: (tool: string) => boolean): void {
    const before = this.tools();
    this.#isHidden = isHidden;
    this.#shown = this.#byName = undefined;
    if (isSameList(this.tools(), before)) this.#shown = before;
    else this.#change('tools');
    // From now on what was shown is known, so that the next change is seen.
    this.tools();
  }
  sourceOfTool(name: string): string | undefined {
    return this.#tools.sourceOf(name);
  }
  resources(): readonly ResourceDefinition[] {
    return this.#resources.values;
  }
  prompts(): readonly PromptDefinition[] {
    return this.#prompts.values;
  }
  getPrompt(name: string): PromptDefinition | undefined {
    return this.#prompts.get(name);
  }
  listTools(): readonly WireTool[] {
    return (this.#wireTools ??= this.tools().map(wireTool));
  }

  capabilities(): ServerCapabilities {
    const hasCompleter = (one: ResourceDefinition | PromptDefinition): boolean =>
      one.complete.size > 0;
    const completes =
      this.#resources.values.some(hasCompleter) || this.#prompts.values.some(hasCompleter);
    const declared = {
      tools: { listChanged: true },
      ...(this.#resources.size > 0 ? MAY_GET_RESOURCES : {}),
      ...(this.#prompts.size > 0 ? { prompts: { listChanged: true } } : {}),
      ...(completes ? { completions: {} } : {}),
    };
    return addCapabilities(declared, this.#declared);
  }

  async execute(name: string, input: unknown, ctx: ToolContext): Promise<CallToolResult> {
    return callTool(this.getTool(name), name, input, ctx);
  }
  async readResource(uri: string, ctx: ToolContext): Promise<ReadResourceResult> {
    return readResource(this, uri, ctx);
  }
  async renderPrompt(name: string, args: unknown, ctx: ToolContext): Promise<GetPromptResult> {
    return getPrompt(this, name, args, ctx);
  }

  notifyUpdated(uri: string): void {
    this.#updated.fire(uri);
  }

  handle<const I extends ToolInput>(
    method: string,
    schema: I,
    run: (params: InputOf<I>, ctx: ToolContext) => unknown,
  ): Disposable {
    const own = createOwnMethod(this.name, method, schema, run);
    const entry = this.#methods.add(method, own, undefined);
    return toDisposable(() => this.#methods.delete(method, entry));
  }
  method(name: string): OwnMethod | undefined {
    return this.#methods.get(name);
  }

  addToolCheck(check: ToolCheck): Disposable {
    for (const { name } of this.#tools.values) {
      const entry = this.#tools.entry(name);
      if (entry !== undefined) this.#checkOffered(check, name, entry);
    }
    this.#checks.add(check);
    return toDisposable(() => this.#checks.delete(check));
  }

  describe(): ServerDescription {
    const { name, version, title, instructions, source } = this;
    return {
      name,
      version,
      title,
      instructions,
      source,
      stopped: this.#isStopped,
      capabilities: this.capabilities(),
      tools: this.listTools().map((tool) => ({
        ...tool,
        wireName: wireName(name, tool.name),
        source: this.#tools.sourceOf(tool.name),
      })),
      resources: this.#resources.values.map(({ wire }) => wire),
      prompts: this.#prompts.values.map(({ wire }) => wire),
      methods: this.#methods.values.map(({ method }) => method),
      problems: [...this.#refused.values(), ...this.#longNames()],
    };
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#stopped.fire();
    this.#changed.dispose();
    this.#updated.dispose();
    this.#stopped.dispose();
  }

  #checkOffered(check: ToolCheck, name: string, entry: Entry<ToolDefinition>): void {
    const { source } = entry;
    try {
      check(name, source);
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      this.#refused.set(entry, { kind: 'refused', name, reason: error.message, source });
      this.#tools.delete(name, entry);
      this.#change('tools');
    }
  }

  #longNames(): readonly ServerProblem[] {
    return this.#tools.values.flatMap(({ name }) => {
      const reason = longName(this.name, name);
      const source = this.#tools.sourceOf(name);
      return reason === undefined ? [] : [{ kind: 'warning', name, reason, source }];
    });
  }

  #change(kind: ListKind): void {
    if (kind === 'tools') this.#shown = this.#byName = this.#wireTools = undefined;
    this.#changed.fire(kind);
  }
}

function nameOf(definition: unknown): string {
  const name: unknown = Reflect.get(Object(definition), 'name');
  return typeof name === 'string' ? name : '';
}

/** What is said of a server where two clash. */
export function serverLabel(server: { readonly name: string; readonly source?: string }): string {
  return `'${server.name}'${from(server.source)}`;
}
