import { type Disposable, toDisposable } from '../base/disposable';
import type { Logger } from '../base/logger';
import { CallDesk, type CallDeskOptions, type CallRequest } from './callDesk';
import type { ConversationFacts } from './conversationFacts';
import { ForeignLink } from './foreignLink';
import type { ForeignServer } from './foreignServer';
import {
  acknowledgement,
  failure,
  type Frame,
  readFrame,
  RPC_INVALID_REQUEST,
  RPC_NOT_FOUND,
  RpcError,
  success,
} from './jsonRpc';
import { listChanged, type ListKind } from './listKind';
import type { McpServerDefinition } from './mcpServer';
import { findMethod, type MethodScope, type Work } from './methodTable';
import type { RegistryChange, ServerRegistry } from './registry';
import { ServerSession } from './serverSession';
import type { RpcAnswer, RpcId } from './wire';

export interface RouterOptions extends CallDeskOptions {
  readonly registry: Pick<ServerRegistry, 'find' | 'onDidChange'>;
  readonly log: Logger;
  /** Its fields are read anew with each call. */
  readonly conversation: ConversationFacts;
  /** Sends a notification of a server to the client, such as the progress of a call. */
  readonly notify?: (server: string, message: object) => void;
}

export interface Router extends Disposable {
  /**
   * Answers one JSON-RPC frame to a server with the object for `mcp_response`.
   * Never throws or rejects and always answers, with the request's own id and its type; the text of
   * errors is what the CLI shows to the model. A promise only where something has to be waited for.
   * The host itself asks in the same way, such as for a prompt that the person chose.
   * @param info.requestId id of the control request; the same one twice in flight runs once
   */
  route(
    serverName: string,
    message: unknown,
    info: { readonly requestId: string },
  ): RpcAnswer | Promise<RpcAnswer>;
  /** Stops every running call, or those of one server, as when it is switched off; each is answered at once. */
  cancelAll(reason: string, server?: string): void;
  /** Number of calls that run now. */
  readonly openCalls: number;
}

/** Routes frames to the servers of a registry for one conversation. */
export function createRouter(options: RouterOptions): Router {
  return new RegistryRouter(options);
}

type RequestFrame = Extract<Frame, { readonly kind: 'request' }>;

class RegistryRouter implements Router {
  readonly #options: RouterOptions;
  readonly #desk: CallDesk;
  readonly #sessions = new Map<string, ServerSession>();
  readonly #links = new Map<string, ForeignLink>();
  /** What is yet to be told, each once. */
  readonly #changed = new Map<string, { readonly server: string; readonly kind: ListKind }>();
  readonly #listener: Disposable;
  #announcing: Disposable | undefined;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#desk = new CallDesk(options);
    this.#listener = options.registry.onDidChange((change) => {
      this.#onChange(change);
    });
  }

  get openCalls(): number {
    return this.#desk.size;
  }

  route(
    serverName: string,
    message: unknown,
    info: { readonly requestId: string },
  ): RpcAnswer | Promise<RpcAnswer> {
    let id: RpcId = null;
    try {
      const frame = readFrame(message);
      switch (frame.kind) {
        case 'request': {
          id = frame.id;
          const result = this.#request(serverName, frame, info.requestId);
          return result instanceof Promise
            ? result.then(
                (value) => success(frame.id, value),
                (error: unknown) => this.#failure(serverName, frame.id, error),
              )
            : success(id, result);
        }
        case 'notification':
          this.#notified(serverName, frame.method, frame.params, info.requestId);
          return acknowledgement();
        case 'reply':
          return acknowledgement();
        case 'invalid':
          id = frame.id;
          throw new RpcError(RPC_INVALID_REQUEST, `Invalid request: ${frame.reason}`);
      }
    } catch (error) {
      return this.#failure(serverName, id, error);
    }
  }

  cancelAll(reason: string, server?: string): void {
    this.#desk.stopAll(`Cancelled: ${reason}`, server);
  }

  dispose(): void {
    this.#listener.dispose();
    this.#announcing?.dispose();
    this.cancelAll('the conversation has ended');
    for (const name of [...this.#sessions.keys(), ...this.#links.keys()]) this.#endSession(name);
  }

  #failure(serverName: string, id: RpcId, error: unknown): RpcAnswer {
    if (!(error instanceof RpcError)) this.#options.log.error(`MCP server '${serverName}'`, error);
    return failure(id, error);
  }

  #request(serverName: string, frame: RequestFrame, requestId: string): object | Promise<object> {
    const server = this.#options.registry.find(serverName);
    if (server === undefined) {
      throw new RpcError(RPC_NOT_FOUND, `Server '${serverName}' not found`);
    }
    if (server.kind === 'foreign') {
      const { id: rpcId, method, params } = frame;
      const link = this.#link(server);
      const request = { rpcId, requestId, method, params };
      return this.#desk.forward(server, link, link.session, request);
    }
    const session = this.#session(server);
    const request = new OwnRequest(this, this.#desk, server, session, frame, requestId);
    if (frame.method !== 'initialize') {
      const ready = session.initialize();
      if (ready instanceof Promise) {
        return this.#desk.waitFor(ready, server, request, () => this.#serve(request));
      }
    }
    return this.#serve(request);
  }

  #serve(request: OwnRequest): object | Promise<object> {
    const { server, method, params } = request;
    const handler = findMethod(method);
    if (handler !== undefined) return handler(request);
    const own = server.method(method);
    if (own !== undefined) {
      return request.run({ start: (ctx) => own.run(params, ctx) });
    }
    // A notification that came with an id only wants to be taken note of.
    if (method.startsWith('notifications/')) return {};
    throw new RpcError(RPC_NOT_FOUND, `Method '${method}' not supported`);
  }

  /** Tells the client that a resource changed, if it wants to know. */
  resourceUpdated(serverName: string, uri: string): void {
    if (this.#sessions.get(serverName)?.isSubscribed(uri) !== true) return;
    this.#notify(serverName, {
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri },
    });
  }

  /** What goes wrong with a notification is nobody's answer: it is acknowledged all the same. */
  #notified(serverName: string, method: string, params: unknown, requestId: string): void {
    const failed = (error: unknown): void => {
      this.#options.log.error(`MCP server '${serverName}' failed with ${method}`, error);
    };
    try {
      const served = this.#notification(serverName, method, params, requestId);
      if (served instanceof Promise) served.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #notification(
    serverName: string,
    method: string,
    params: unknown,
    requestId: string,
  ): object | undefined {
    if (method === 'notifications/cancelled') {
      this.#desk.cancel(serverName, params);
      return undefined;
    }
    const server = this.#options.registry.find(serverName);
    if (server?.kind === 'foreign') {
      this.#link(server).session.notify(method, params);
      return undefined;
    }
    const own = server?.method(method);
    if (server === undefined || own === undefined) return undefined;
    const request: CallRequest = { rpcId: null, requestId, method, params };
    const work: Work = { start: (ctx) => own.run(params, ctx) };
    const session = this.#session(server);
    const serve = () => this.#desk.run(server, session, request, work);
    const ready = session.initialize();
    return ready instanceof Promise ? this.#desk.waitFor(ready, server, request, serve) : serve();
  }

  #onChange(change: RegistryChange): void {
    const { server } = change;
    switch (change.kind) {
      case 'added':
        break;
      case 'removed':
        // The CLI ends the calls on its side without a cancellation, so they are ended here.
        this.#desk.stopAll(`Server '${server}' was taken away`, server);
        this.#endSession(server);
        break;
      case 'resourceUpdated':
        this.resourceUpdated(server, change.uri);
        break;
      case 'toolsChanged':
        this.#announce(server, 'tools');
        break;
      case 'resourcesChanged':
        this.#announce(server, 'resources');
        break;
      case 'promptsChanged':
        this.#announce(server, 'prompts');
    }
  }

  /** Told once for all changes of one moment, since a server registers its tools one by one. */
  #announce(server: string, kind: ListKind): void {
    this.#changed.set(`${kind} ${server}`, { server, kind });
    if (this.#announcing !== undefined) return;
    const timer = setTimeout(() => {
      this.#announcing = undefined;
      const all = [...this.#changed.values()];
      this.#changed.clear();
      for (const one of all) this.#notify(one.server, listChanged(one.kind));
    }, 0);
    this.#announcing = toDisposable(() => {
      clearTimeout(timer);
    });
  }

  #notify(server: string, message: object): void {
    try {
      this.#options.notify?.(server, message);
    } catch (error) {
      this.#options.log.error(`A notification of '${server}' could not be sent`, error);
    }
  }

  /** A server that came anew under an old name starts anew. */
  #session(server: McpServerDefinition): ServerSession {
    const known = this.#sessions.get(server.name);
    if (known?.server === server) return known;
    this.#endSession(server.name);
    const { conversation, log } = this.#options;
    const session = new ServerSession(server, conversation, log);
    this.#sessions.set(server.name, session);
    return session;
  }

  #link(server: ForeignServer): ForeignLink {
    const known = this.#links.get(server.name);
    if (known?.server === server) return known;
    this.#endSession(server.name);
    const link = new ForeignLink(server, this.#options, (message) => {
      this.#notify(server.name, message);
    });
    this.#links.set(server.name, link);
    return link;
  }

  #endSession(name: string): void {
    const session = this.#sessions.get(name);
    const link = this.#links.get(name);
    this.#sessions.delete(name);
    this.#links.delete(name);
    session?.dispose();
    try {
      link?.dispose();
    } catch (error) {
      this.#options.log.error(`MCP server '${name}' failed at its end`, error);
    }
  }
}

/** One request to a server of ours. A class: no functions are made for it. */
class OwnRequest implements CallRequest, MethodScope {
  readonly rpcId: RpcId;
  readonly method: string;
  readonly params: unknown;

  constructor(
    private readonly router: RegistryRouter,
    private readonly desk: CallDesk,
    readonly server: McpServerDefinition,
    readonly session: ServerSession,
    frame: RequestFrame,
    readonly requestId: string,
  ) {
    this.rpcId = frame.id;
    this.method = frame.method;
    this.params = frame.params;
  }

  callTool(): object | Promise<object> {
    return this.desk.callTool(this.server, this.session, this);
  }
  run(work: Work): object | Promise<object> {
    return this.desk.run(this.server, this.session, this, work);
  }
  resourceUpdated(uri: string): void {
    this.router.resourceUpdated(this.server.name, uri);
  }
}
