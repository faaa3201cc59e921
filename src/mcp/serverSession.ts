import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import type { ConversationFacts, ConversationReset } from './conversationFacts';
import type { ResourceDefinition } from './defineResource';
import type { MaybeCapabilities, McpServerDefinition, SessionInfo } from './mcpServer';
import { findResource } from './resources';
import { isThenable } from './thenable';
import { LOG_LEVELS, type LogLevel } from './toolContext';
import { type ClientInfo, isRecord, ownField, type ServerCapabilities } from './wire';

/** The handshake must not hang: a CLI that waits for it holds every turn. */
const INITIALIZE_WITHIN_MS = 5_000;

/** To a URI. What it stands for may go, and may come anew: then that is watched. */
interface Subscription {
  readonly tell: () => void;
  definition: ResourceDefinition | undefined;
  watcher: Disposable | undefined;
}

/** What one conversation keeps of one server of ours. */
export class ServerSession implements Disposable {
  readonly server: McpServerDefinition;
  readonly conversation: ConversationFacts;
  readonly state = new Map<string, unknown>();
  clientInfo: ClientInfo | undefined;
  clientCapabilities: Readonly<Record<string, unknown>> | undefined;
  readonly #log: Logger;
  readonly #reset = new Emitter<ConversationReset>();
  readonly #resets: Disposable | undefined;
  readonly #subscriptions = new Map<string, Subscription>();
  #changes: Disposable | undefined;
  /** Made by the first handshake or, where the CLI knew the server beforehand, by the first request. */
  #initialized: ServerCapabilities | Promise<ServerCapabilities> | undefined;
  /** A client that has not asked for messages gets none. */
  #logLevel: number = LOG_LEVELS.length;

  constructor(server: McpServerDefinition, conversation: ConversationFacts, log: Logger) {
    this.server = server;
    this.conversation = conversation;
    this.#log = log;
    this.#resets = conversation.onDidReset?.((kind) => {
      this.#reset.fire(kind);
    });
  }

  readonly onDidReset: Event<ConversationReset> = (listener) => this.#reset.event(listener);

  /** Remembers who shook hands; any number of times, since the CLI does it anew when it likes. */
  shakeHands(params: unknown): void {
    this.clientInfo = readClientInfo(params);
    const capabilities = ownField(params, 'capabilities');
    this.clientCapabilities = isRecord(capabilities) ? capabilities : undefined;
  }

  /**
   * What the server declares besides; its `onInitialize` runs once. A promise only where that has
   * to be waited for. @throws what `onInitialize` throws, such as an RpcError that refuses the client
   */
  initialize(): ServerCapabilities | Promise<ServerCapabilities> {
    if (this.#initialized !== undefined) return this.#initialized;
    const { onInitialize } = this.server.hooks;
    if (onInitialize === undefined) return (this.#initialized = {});
    const given = onInitialize.call(this.server.hooks, this.#info());
    if (!isThenable(given)) return (this.#initialized = given ?? {});
    const waited = this.#bounded(given);
    this.#initialized = waited;
    waited.then(
      (capabilities) => {
        this.#initialized = capabilities;
      },
      () => {
        this.#initialized = undefined;
      },
    );
    return waited;
  }

  async #bounded(given: PromiseLike<MaybeCapabilities>): Promise<ServerCapabilities> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        this.#log.warn(
          `MCP server '${this.server.name}' is slow to initialize; it is not waited for`,
        );
        resolve(undefined);
      }, INITIALIZE_WITHIN_MS);
    });
    try {
      return (await Promise.race([given, late])) ?? {};
    } finally {
      clearTimeout(timer);
    }
  }

  setLogLevel(level: LogLevel): void {
    this.#logLevel = LOG_LEVELS.indexOf(level);
  }
  wantsLog(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) >= this.#logLevel;
  }

  /** `tell` is called when the resource changes, as long as there is one. @throws what its `watch` throws */
  subscribe(uri: string, definition: ResourceDefinition, tell: () => void): void {
    if (this.#subscriptions.has(uri)) return;
    this.#changes ??= this.server.onDidChange((kind) => {
      if (kind === 'resources') this.#followResources();
    });
    const subscription = { tell, definition: undefined, watcher: undefined };
    // Before the watcher: what it reports at once is not missed.
    this.#subscriptions.set(uri, subscription);
    try {
      watch(uri, subscription, definition);
    } catch (error) {
      this.#subscriptions.delete(uri);
      throw error;
    }
  }
  unsubscribe(uri: string): void {
    const watcher = this.#subscriptions.get(uri)?.watcher;
    this.#subscriptions.delete(uri);
    // The client is not at fault where it cannot be ended.
    this.#guarded('with a subscription', () => {
      endWatch(watcher);
    });
  }
  isSubscribed(uri: string): boolean {
    return this.#subscriptions.get(uri)?.definition !== undefined;
  }

  /** A watcher goes with its resource, as when a tool file is saved. */
  #followResources(): void {
    for (const [uri, subscription] of [...this.#subscriptions]) {
      const now = findResource(this.server, uri)?.definition;
      const { definition, watcher } = subscription;
      if (now === definition) continue;
      this.#guarded('with a subscription', () => {
        endWatch(watcher);
      });
      this.#guarded('with a subscription', () => {
        watch(uri, subscription, now);
      });
    }
  }

  dispose(): void {
    this.#resets?.dispose();
    this.#reset.dispose();
    this.#changes?.dispose();
    for (const uri of [...this.#subscriptions.keys()]) this.unsubscribe(uri);
    const { onTerminate } = this.server.hooks;
    // A server that was never used in this conversation was told of no beginning.
    if (onTerminate === undefined || this.#initialized === undefined) return;
    this.#guarded('at its end', () => onTerminate.call(this.server.hooks, this.#info()));
  }

  #guarded(when: string, work: () => unknown): void {
    const failed = (error: unknown): void => {
      this.#log.error(`MCP server '${this.server.name}' failed ${when}`, error);
    };
    try {
      const value = work();
      if (value instanceof Promise) value.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #info(): SessionInfo {
    const { conversation, clientInfo, clientCapabilities, state } = this;
    const { id, cwd } = conversation;
    return { conversation: { id, cwd }, clientInfo, clientCapabilities, state };
  }
}

function watch(uri: string, one: Subscription, definition: ResourceDefinition | undefined): void {
  one.definition = definition;
  one.watcher = undefined;
  one.watcher = definition?.watch?.(uri, () => {
    if (one.definition === definition) one.tell();
  });
}

/** From plain JavaScript often a function that ends it. */
function endWatch(watcher: Disposable | undefined): void {
  const given: unknown = watcher;
  if (typeof given === 'function') Reflect.apply(given, undefined, []);
  else watcher?.dispose();
}

/** Undefined when the client did not say who it is. */
function readClientInfo(params: unknown): ClientInfo | undefined {
  const info = ownField(params, 'clientInfo');
  const name = ownField(info, 'name');
  const version = ownField(info, 'version');
  const title = ownField(info, 'title');
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  return { name, version, ...(typeof title === 'string' ? { title } : {}) };
}
