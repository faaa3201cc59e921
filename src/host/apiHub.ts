import type { Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { TelemetryEvent, TelemetryPort } from '../conversation/conversationTelemetry';
import { type HookBook, hookEntry } from '../conversation/hookBook';
import type { ToolCall } from '../conversation/toolCallWatch';
import { DefinitionError } from '../mcp/definitionError';
import { definePrompt, type PromptDefinition } from '../mcp/definePrompt';
import { defineResource } from '../mcp/defineResource';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolInput } from '../mcp/inputTypes';
import { createServer, type McpServerDefinition } from '../mcp/mcpServer';
import { cleanName } from '../mcp/names';
import type { ServerRegistry } from '../mcp/registry';
import type { ApiConsent } from './apiConsent';
import type {
  ApiConversation,
  ApiPrompt,
  ApiResource,
  ApiServer,
  ApiTool,
  ConnectableServer,
  ConversationOptions,
} from './patchbayApi';

export type OfferKind = 'tool' | 'server' | 'prompt' | 'resource' | 'hook';

export interface ApiHubOptions {
  readonly registry: ServerRegistry;
  readonly consent: ApiConsent;
  readonly hooks: HookBook;
  readonly log: Logger;
  readonly startConversation: (
    source: string,
    options: ConversationOptions & { readonly prompt: string },
  ) => Promise<ApiConversation>;
}

interface Offer extends Disposable {
  readonly source: string;
  readonly make: () => Disposable | Promise<Disposable>;
  /** What is in force; undefined while the person has not allowed it. */
  made: Disposable | undefined;
  settled: Promise<void>;
}

/** An extension that wanted something, and what the person said to it. */
export interface ApiSource {
  readonly id: string;
  readonly isAllowed: boolean | undefined;
}

/** What other extensions offer to the agent, each after the person has allowed it. */
export class ApiHub {
  readonly #options: ApiHubOptions;
  readonly #offers = new Set<Offer>();
  readonly #sources = new Set<string>();
  readonly #servers = new Map<
    string,
    { server: McpServerDefinition; uses: number; listed: Disposable }
  >();
  readonly #called = new Emitter<ToolCall>();
  readonly #told = new Emitter<TelemetryEvent>();

  readonly onDidCallTool: Event<ToolCall> = this.#called.event;
  readonly onDidServerEvent: Event<TelemetryEvent> = this.#told.event;

  /** For the conversations of the window. */
  readonly telemetry: TelemetryPort = {
    isWanted: () => this.#told.hasListeners,
    tell: (event) => {
      this.#told.fire(event);
    },
  };

  constructor(options: ApiHubOptions) {
    this.#options = options;
  }

  /** Tells of a call in any conversation. */
  toolCalled(call: ToolCall): void {
    this.#called.fire(call);
  }

  /** Offers it once the person has allowed its source; see {@link settled}. */
  offer(source: string, kind: OfferKind, definition: unknown): Disposable {
    this.#sources.add(source);
    const offer: Offer = {
      source,
      make: () => this.#make(source, kind, definition),
      made: undefined,
      settled: Promise.resolve(),
      dispose: () => {
        this.#offers.delete(offer);
        this.#withdraw(offer);
      },
    };
    this.#offers.add(offer);
    offer.settled = this.#options.consent.request(source).then(async (isAllowed) => {
      if (!isAllowed) throw notAllowed(source);
      await this.#bring(offer);
    });
    offer.settled.catch(() => undefined);
    return offer;
  }

  /** Rejects with the reason why it is not offered. */
  async settled(offer: Disposable): Promise<void> {
    for (const known of this.#offers) if (known === offer) await known.settled;
  }

  get sources(): readonly ApiSource[] {
    const { consent } = this.#options;
    return [...this.#sources].sort().map((id) => ({ id, isAllowed: consent.answer(id) }));
  }

  /** Changes the person's answer: what the extension offers comes or goes. */
  async allow(source: string, isAllowed: boolean): Promise<void> {
    await this.#options.consent.set(source, isAllowed);
    for (const offer of this.#offers) {
      if (offer.source !== source) continue;
      if (!isAllowed) this.#withdraw(offer);
      else {
        await this.#bring(offer).catch((error: unknown) => {
          this.#options.log.warn(`Not offered, of ${source}: ${errorMessage(error)}`);
        });
      }
    }
  }

  /** @throws Error when the person does not allow it */
  async startConversation(
    source: string,
    options: ConversationOptions & { readonly prompt: string },
  ): Promise<ApiConversation> {
    this.#sources.add(source);
    if (!(await this.#options.consent.request(source))) throw notAllowed(source);
    return this.#options.startConversation(source, options);
  }

  async #bring(offer: Offer): Promise<void> {
    if (offer.made !== undefined || !this.#offers.has(offer)) return;
    const made = await offer.make();
    // Disposed of, or taken back, while a server was being connected.
    const isAllowed = this.#options.consent.answer(offer.source) !== false;
    if (isAllowed && this.#offers.has(offer)) offer.made = made;
    else made.dispose();
  }

  #withdraw(offer: Offer): void {
    offer.made?.dispose();
    offer.made = undefined;
  }

  /** @throws DefinitionError for what cannot be offered */
  #make(source: string, kind: OfferKind, definition: unknown): Disposable | Promise<Disposable> {
    // What extensions hand over is checked by whoever takes it: `defineX` and the server.
    switch (kind) {
      case 'tool':
        return this.#onOwnServer(source, (server) =>
          server.registerTool(toolOf(definition as ApiTool), source),
        );
      case 'prompt':
        return this.#onOwnServer(source, (server) =>
          server.registerPrompt(promptOf(definition as ApiPrompt), source),
        );
      case 'resource':
        return this.#onOwnServer(source, (server) =>
          server.registerResource(defineResource(definition as ApiResource), source),
        );
      case 'hook':
        return this.#options.hooks.add(hookEntry(source, definition));
      case 'server':
        return this.#addServer(source, definition as ApiServer | ConnectableServer);
    }
  }

  /** All single offers of an extension are on one server, which is there as long as it has any. */
  #onOwnServer(source: string, register: (server: McpServerDefinition) => Disposable): Disposable {
    const entry = this.#servers.get(source) ?? this.#newServer(source);
    entry.uses += 1;
    const release = (): void => {
      entry.uses -= 1;
      if (entry.uses > 0) return;
      this.#servers.delete(source);
      entry.listed.dispose();
    };
    try {
      const registered = register(entry.server);
      let isOver = false;
      const dispose = (): void => {
        if (isOver) return;
        isOver = true;
        registered.dispose();
        release();
      };
      return { dispose };
    } catch (error) {
      release();
      throw error;
    }
  }

  #newServer(source: string) {
    const server = createServer({ name: cleanName(source), source });
    const entry = { server, uses: 0, listed: this.#options.registry.add(server) };
    this.#servers.set(source, entry);
    return entry;
  }

  async #addServer(source: string, given: ApiServer | ConnectableServer): Promise<Disposable> {
    const { registry, log } = this.#options;
    if ('server' in given) {
      const [{ ForeignBridge }, { createPeerServer }] = await Promise.all([
        import('../mcp/foreignBridge'),
        import('../mcp/peerServer'),
      ]);
      const bridge = await ForeignBridge.connect(given.server);
      try {
        const peer = await createPeerServer(bridge, { name: given.name, source, log });
        const listed = registry.add(peer);
        peer.onDidClose(() => listed.dispose());
        const dispose = (): void => {
          listed.dispose();
          peer.dispose();
        };
        return { dispose };
      } catch (error) {
        bridge.dispose();
        throw error;
      }
    }
    const { name, version, instructions, tools = [], prompts = [], resources = [] } = given;
    const server = createServer({ name, version, instructions, source });
    for (const tool of tools) server.registerTool(toolOf(tool), source);
    for (const prompt of prompts) server.registerPrompt(promptOf(prompt), source);
    for (const resource of resources) server.registerResource(defineResource(resource), source);
    return registry.add(server);
  }
}

/** `readOnlyHint` is withheld: with it the CLI would not ask, on the word of code that is not ours. */
function toolOf(tool: ApiTool<never>): ToolDefinition {
  const { name, title, description, input, annotations, alwaysLoad, timeout } = tool;
  // Asked of what the schema let through, as `run` is.
  const edits = typeof tool.edits === 'function' ? tool.edits.bind(tool) : undefined;
  const { destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
  checkRun(tool);
  return defineTool({
    name,
    title,
    description,
    // Checked when the tool is registered.
    input: input as ToolInput,
    annotations: { destructiveHint, idempotentHint, openWorldHint },
    alwaysLoad,
    timeout,
    ...(edits === undefined ? {} : { edits: (value) => edits(value as never) }),
    // What the schema let through, of the type that the extension gave to it.
    run: (value, context) => tool.run(value as never, context),
  });
}

function promptOf(prompt: ApiPrompt): PromptDefinition {
  const { name, title, description, arguments: fields } = prompt;
  checkRun(prompt);
  return definePrompt({
    name,
    title,
    description,
    arguments: (fields ?? {}) as ToolInput,
    run: (args) => prompt.run(args as Record<string, unknown>),
  });
}

/** Handlers are wrapped here, so the server cannot see what they are. */
function checkRun({ name, run }: { readonly name: string; readonly run: unknown }): void {
  if (typeof run !== 'function') throw new DefinitionError(`'${name}': run must be a function`);
}

function notAllowed(source: string): Error {
  return new Error(`The person has not allowed the extension ${source} to use the agent`);
}
