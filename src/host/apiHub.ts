import type { Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import { untilAborted } from '../base/untilAborted';
import type { TelemetryEvent, TelemetryPort } from '../conversation/conversationTelemetry';
import { type HookBook, hookEntry } from '../conversation/hookBook';
import type { ToolCall } from '../conversation/toolCallWatch';
import { DefinitionError } from '../mcp/definitionError';
import { definePrompt, type PromptDefinition } from '../mcp/definePrompt';
import { defineResource, type ResourceDefinition } from '../mcp/defineResource';
import { defineTool, type ToolDefinition } from '../mcp/defineTool';
import type { ToolInput } from '../mcp/inputTypes';
import { createServer, MAY_GET_RESOURCES, type McpServerDefinition } from '../mcp/mcpServer';
import { cleanName } from '../mcp/names';
import type { ServerRegistry } from '../mcp/registry';
import { isRecord } from '../mcp/wire';
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

/** What is in force of an offer. */
interface Made extends Disposable {
  /** Names what of it is not offered. */
  readonly fault?: Error;
}

interface Offer extends Disposable {
  readonly source: string;
  readonly make: () => Made | Promise<Made>;
  /** Undefined while the person has not allowed it. */
  made: Made | undefined;
  /** While it is being made: the person's answer comes by two ways, and it is made once. */
  making: Promise<void> | undefined;
  /** Aborted when it is disposed of. */
  readonly gone: AbortSignal;
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
  readonly #settled = new WeakMap<Disposable, Promise<void>>();
  readonly #sources = new Set<string>();
  /** Aborted when the person takes the consent back: it ends the conversations of a source. */
  readonly #consents = new Map<string, AbortController>();
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
    options.consent.onDidFail((error) => {
      options.log.warn(`An answer holds in this window only: ${errorMessage(error)}`);
    });
  }

  /** Tells of a call in any conversation. */
  toolCalled(call: ToolCall): void {
    this.#called.fire(call);
  }

  /** Offers it once the person has allowed its source; see {@link settled}. */
  offer(source: string, kind: OfferKind, definition: unknown): Disposable {
    this.#sources.add(source);
    const gone = new AbortController();
    const offer: Offer = {
      source,
      make: () => this.#make(source, kind, definition),
      made: undefined,
      making: undefined,
      gone: gone.signal,
      dispose: () => {
        gone.abort(new Error('It was disposed of before it was offered'));
        this.#offers.delete(offer);
        this.#withdraw(offer);
      },
    };
    this.#offers.add(offer);
    const settled = untilAborted(this.#settle(offer), offer.gone);
    settled.catch(() => undefined);
    this.#settled.set(offer, settled);
    return offer;
  }

  /** Rejects with the reason why it, or a part of it, is not offered. */
  async settled(offer: Disposable): Promise<void> {
    await this.#settled.get(offer);
  }

  get sources(): readonly ApiSource[] {
    const { consent } = this.#options;
    return [...this.#sources].sort().map((id) => ({ id, isAllowed: consent.answer(id) }));
  }

  /**
   * Changes the person's answer: what the extension offers comes or goes, and its conversations end.
   * @throws what the memory throws; the answer holds in this window all the same
   */
  async allow(source: string, isAllowed: boolean): Promise<void> {
    try {
      await this.#options.consent.set(source, isAllowed);
    } finally {
      if (isAllowed) await this.#bringAll(source);
      else this.#withdrawAll(source);
    }
  }

  /** @throws Error when the person does not allow it; the reason of the signal as soon as it fires */
  async startConversation(
    source: string,
    options: ConversationOptions & { readonly prompt: string },
  ): Promise<ApiConversation> {
    options.signal?.throwIfAborted();
    this.#sources.add(source);
    const signals = [this.#consentOf(source), options.signal];
    const signal = AbortSignal.any(signals.filter((each) => each !== undefined));
    const isAllowed = await untilAborted(this.#options.consent.request(source), signal);
    if (!isAllowed) throw notAllowed(source);
    return this.#options.startConversation(source, { ...options, signal });
  }

  #consentOf(source: string): AbortSignal {
    const consent = this.#consents.get(source) ?? new AbortController();
    this.#consents.set(source, consent);
    return consent.signal;
  }

  async #settle(offer: Offer): Promise<void> {
    const isAllowed = await this.#options.consent.request(offer.source);
    if (!isAllowed) throw notAllowed(offer.source);
    await this.#bring(offer);
  }

  async #bringAll(source: string): Promise<void> {
    for (const offer of this.#offers) {
      if (offer.source !== source) continue;
      await this.#bring(offer).catch((error: unknown) => {
        this.#options.log.warn(`Not offered, of ${source}: ${errorMessage(error)}`);
      });
    }
  }

  #withdrawAll(source: string): void {
    this.#consents.get(source)?.abort(notAllowed(source));
    this.#consents.delete(source);
    for (const offer of this.#offers) if (offer.source === source) this.#withdraw(offer);
  }

  #bring(offer: Offer): Promise<void> {
    offer.making ??= this.#bringOnce(offer).finally(() => {
      offer.making = undefined;
    });
    return offer.making;
  }

  async #bringOnce(offer: Offer): Promise<void> {
    offer.made ??= await this.#makeAllowed(offer);
    if (offer.made.fault !== undefined) throw offer.made.fault;
  }

  async #makeAllowed(offer: Offer): Promise<Made> {
    offer.gone.throwIfAborted();
    const made = await offer.make();
    // Disposed of, or taken back, while a server was being connected.
    const isAllowed = this.#options.consent.answer(offer.source) !== false;
    if (!isAllowed || offer.gone.aborted) made.dispose();
    offer.gone.throwIfAborted();
    if (!isAllowed) throw notAllowed(offer.source);
    return made;
  }

  #withdraw(offer: Offer): void {
    offer.made?.dispose();
    offer.made = undefined;
  }

  /** @throws DefinitionError for what cannot be offered */
  #make(source: string, kind: OfferKind, definition: unknown): Made | Promise<Made> {
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
          server.registerResource(resourceOf(definition as ApiResource), source),
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
    const capabilities = MAY_GET_RESOURCES;
    const server = createServer({ name: cleanName(source), source, capabilities });
    const entry = { server, uses: 0, listed: this.#options.registry.add(server) };
    this.#servers.set(source, entry);
    return entry;
  }

  #addServer(source: string, given: ApiServer | ConnectableServer): Made | Promise<Made> {
    // Other extensions may be plain JavaScript.
    const value: unknown = given;
    if (!isRecord(value)) throw new DefinitionError('a server must be an object');
    return 'server' in given ? this.#connect(source, given) : this.#addOwn(source, given);
  }

  async #connect(source: string, given: ConnectableServer): Promise<Made> {
    const { registry, log } = this.#options;
    const [{ connectBridge }, { createPeerServer }] = await Promise.all([
      import('../mcp/connectBridge'),
      import('../mcp/peerServer'),
    ]);
    const bridge = await connectBridge(given.server);
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

  /** A bad definition keeps none of the others away. */
  #addOwn(source: string, given: ApiServer): Made {
    const { name, version, instructions, tools = [], prompts = [], resources = [] } = given;
    const server = createServer({ name, version, instructions, source });
    // Before its parts: a tool whose whole name is taken is refused by itself then, not the server.
    const listed = this.#options.registry.add(server);
    const faults = [
      ...faultsOf('tools', tools, (tool) => server.registerTool(toolOf(tool), source)),
      ...faultsOf('prompts', prompts, (prompt) => server.registerPrompt(promptOf(prompt), source)),
      ...faultsOf('resources', resources, (resource) =>
        server.registerResource(resourceOf(resource), source),
      ),
    ];
    if (faults.length === 0) return listed;
    const offered = [server.allTools(), server.prompts(), server.resources()].flat();
    const isEmpty = offered.length === 0;
    if (isEmpty) listed.dispose();
    const what = isEmpty
      ? `The server '${name}' is not offered:`
      : `Of the server '${name}' these are not offered, all others are:`;
    const fault = new DefinitionError([what, ...faults].join('\n'));
    if (isEmpty) throw fault;
    return { dispose: () => listed.dispose(), fault };
  }
}

/** One line for each that is refused, with its place. */
function faultsOf<T>(
  place: string,
  given: readonly T[],
  register: (definition: T) => unknown,
): readonly string[] {
  // Other extensions may be plain JavaScript.
  const list: unknown = given;
  if (!Array.isArray(list)) return [`${place}: must be a list`];
  return given.flatMap((definition, at) => {
    try {
      register(definition);
      return [];
    } catch (error) {
      return [`${place}[${at}]: ${errorMessage(error)}`];
    }
  });
}

/** `readOnlyHint` is withheld: with it the CLI would not ask, on the word of code that is not ours. */
function toolOf(tool: ApiTool<never>): ToolDefinition {
  const { name, title, description, input, annotations, alwaysLoad, timeout } = tool;
  // Asked of what the schema let through, as `run` is.
  const edits = typeof tool.edits === 'function' ? tool.edits.bind(tool) : undefined;
  const { destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
  checkHandler(name, 'run', tool);
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
  checkHandler(name, 'run', prompt);
  return definePrompt({
    name,
    title,
    description,
    arguments: (fields ?? {}) as ToolInput,
    run: (args) => prompt.run(args as Record<string, unknown>),
  });
}

function resourceOf(resource: ApiResource): ResourceDefinition {
  checkHandler(resource.uri, 'read', resource);
  return defineResource(resource);
}

/** Handlers are wrapped, so the server cannot see what they are. */
function checkHandler(name: string, key: string, given: object): void {
  if (typeof Reflect.get(given, key) !== 'function') {
    throw new DefinitionError(`'${name}': ${key} must be a function`);
  }
}

function notAllowed(source: string): Error {
  return new Error(`The person has not allowed the extension ${source} to use the agent`);
}
