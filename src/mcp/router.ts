import type { Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import { inputOf, toolNotFound } from './callTool';
import type { ToolDefinition } from './defineTool';
import {
  acknowledgement,
  failure,
  readFrame,
  RPC_INVALID_PARAMS,
  RPC_INVALID_REQUEST,
  RPC_NOT_FOUND,
  RpcError,
  success,
} from './jsonRpc';
import { findMethod } from './methodTable';
import { wireName } from './names';
import { OpenCall, OpenCalls } from './openCalls';
import { describeValue, problemLine } from './problems';
import type { McpServerDefinition, ServerRegistry } from './registry';
import { errorResult } from './results';
import { createCallContext, type CallProgress, readClientInfo } from './callContext';
import { runHandler } from './runHandler';
import {
  type CallToolResult,
  type ClientInfo,
  type RpcAnswer,
  type RpcId,
  type ToolAnnotations,
  ownField,
} from './wire';

/** A call that is about to run, as the rules are asked about it; its arguments fit the schema. */
export interface CallQuestion {
  readonly server: string;
  readonly tool: string;
  /** `mcp__server__tool` */
  readonly wireName: string;
  readonly input: unknown;
  readonly requestId: string;
  readonly toolUseId?: string;
  readonly annotations?: ToolAnnotations;
}
export type Verdict = 'allow' | { readonly deny: string };

export interface RouterOptions {
  readonly registry: Pick<ServerRegistry, 'get' | 'onDidChange'>;
  readonly log: Logger;
  /** Read anew with each call. */
  readonly conversation: { readonly id: string; readonly cwd: string };
  /** Asked before each call, after its arguments were checked. One that fails denies. */
  readonly verdict?: (call: CallQuestion) => Verdict | Promise<Verdict>;
  readonly onProgress?: (progress: CallProgress) => void;
  /** Sends a notification of a server to the client, such as the progress of a call. */
  readonly notify?: (server: string, message: object) => void;
}

export interface Router extends Disposable {
  /**
   * Answers one JSON-RPC frame to a server with the object for `mcp_response`.
   * Never throws or rejects and always answers, with the request's own id and its type; the text of
   * errors is what the CLI shows to the model. A promise only where something has to be waited for.
   * @param info.requestId id of the control request; the same one twice in flight runs once
   */
  route(
    serverName: string,
    message: unknown,
    info: { readonly requestId: string },
  ): RpcAnswer | Promise<RpcAnswer>;
  /** Stops every running call; each is answered at once. */
  cancelAll(reason: string): void;
  /** Number of calls that run now. */
  readonly openCalls: number;
}

/** Routes frames to the servers of a registry for one conversation. */
export function createRouter(options: RouterOptions): Router {
  return new RegistryRouter(options);
}

/** What a conversation keeps of a server. */
interface ServerSession {
  clientInfo?: ClientInfo;
  readonly state: Map<string, unknown>;
}

class RegistryRouter implements Router {
  readonly #options: RouterOptions;
  readonly #calls = new OpenCalls();
  readonly #sessions = new Map<string, ServerSession>();
  readonly #listener: Disposable;

  constructor(options: RouterOptions) {
    this.#options = options;
    // The CLI ends the call on its side without a cancellation, so it is ended here.
    this.#listener = options.registry.onDidChange((change) => {
      if (change.kind === 'removed') {
        this.#calls.stopAll(`Server '${change.server}' was taken away`, change.server);
      }
    });
  }

  get openCalls(): number {
    return this.#calls.size;
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
          if (frame.method === 'notifications/cancelled') this.#cancelled(serverName, frame.params);
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

  #failure(serverName: string, id: RpcId, error: unknown): RpcAnswer {
    if (!(error instanceof RpcError)) this.#options.log.error(`MCP server '${serverName}'`, error);
    return failure(id, error);
  }

  cancelAll(reason: string): void {
    this.#calls.stopAll(`Cancelled: ${reason}`);
  }

  dispose(): void {
    this.#listener.dispose();
    this.cancelAll('the conversation has ended');
    this.#sessions.clear();
  }

  #request(
    serverName: string,
    frame: { readonly id: RpcId; readonly method: string; readonly params: unknown },
    requestId: string,
  ): object | Promise<object> {
    const server = this.#options.registry.get(serverName);
    if (server === undefined) {
      throw new RpcError(RPC_NOT_FOUND, `Server '${serverName}' not found`);
    }
    const handler = findMethod(frame.method);
    if (handler === undefined) {
      // A notification that came with an id only wants to be taken note of.
      if (frame.method.startsWith('notifications/')) return {};
      throw new RpcError(RPC_NOT_FOUND, `Method '${frame.method}' not supported`);
    }
    return handler({
      server,
      params: frame.params,
      shakeHands: (params) => {
        this.#session(serverName).clientInfo = readClientInfo(params);
      },
      callTool: (params) => this.#open(server, frame.id, params, requestId),
    });
  }

  #open(
    server: McpServerDefinition,
    rpcId: RpcId,
    params: unknown,
    requestId: string,
  ): CallToolResult | Promise<CallToolResult> {
    const twin = this.#calls.get(requestId);
    if (twin !== undefined) {
      if (twin.server === server.name && twin.rpcId === rpcId) return twin.outcome;
      throw new RpcError(RPC_INVALID_REQUEST, `Invalid request: ${requestId} is still running`);
    }
    const call = new OpenCall(requestId, server.name, rpcId);
    this.#calls.add(call);
    try {
      const result = this.#run(call, server, params);
      if (!(result instanceof Promise)) {
        this.#calls.delete(call);
        return call.succeed(result) ? result : call.outcome;
      }
      result.then(
        (late) => {
          if (!call.succeed(late)) this.#options.log.trace(`Late result of ${requestId} dropped`);
        },
        (error: unknown) => call.fail(error),
      );
    } catch (error) {
      this.#calls.delete(call);
      if (call.fail(error)) throw error;
    }
    return call.outcome.finally(() => this.#calls.delete(call));
  }

  /** At once as far as it goes: most tools have their answer when they return. */
  #run(
    call: OpenCall,
    server: McpServerDefinition,
    params: unknown,
  ): CallToolResult | Promise<CallToolResult> {
    const tool = findTool(server, params);
    const parsed = tool.parseInput(ownField(params, 'arguments'));
    return parsed instanceof Promise
      ? parsed.then((late) => this.#ask(call, server, tool, inputOf(tool, late), params))
      : this.#ask(call, server, tool, inputOf(tool, parsed), params);
  }

  #ask(
    call: OpenCall,
    server: McpServerDefinition,
    tool: ToolDefinition,
    input: unknown,
    params: unknown,
  ): CallToolResult | Promise<CallToolResult> {
    const { conversation, log, onProgress, notify } = this.#options;
    const { clientInfo, state } = this.#session(server.name);
    const meta = ownField(params, '_meta');
    const ctx = createCallContext(
      { call, tool: tool.name, meta, clientInfo, state, conversation },
      { log, onProgress, notify },
    );
    const start = (denied: string | undefined): CallToolResult | Promise<CallToolResult> => {
      if (denied !== undefined) return errorResult(denied);
      if (call.ended) return errorResult('Cancelled');
      const result = runHandler(tool, input, ctx);
      // A handler that has finished cannot be late any more.
      if (result instanceof Promise) call.startClock(tool.name, tool.timeoutMs);
      return result;
    };
    const { verdict } = this.#options;
    return verdict === undefined
      ? start(undefined)
      : this.#denied(verdict, tool, input, call, ctx.toolUseId).then(start);
  }

  async #denied(
    verdict: NonNullable<RouterOptions['verdict']>,
    tool: ToolDefinition,
    input: unknown,
    call: OpenCall,
    toolUseId: string | undefined,
  ): Promise<string | undefined> {
    const { log } = this.#options;
    try {
      const answer = await verdict({
        server: call.server,
        tool: tool.name,
        wireName: wireName(call.server, tool.name),
        input,
        requestId: call.requestId,
        toolUseId,
        annotations: tool.annotations,
      });
      return answer === 'allow' ? undefined : answer.deny;
    } catch (error) {
      log.error(`The rules failed for ${wireName(call.server, tool.name)}; it was not run`, error);
      return `Not run, since the permission rules could not be asked: ${errorMessage(error)}`;
    }
  }

  #cancelled(serverName: string, params: unknown): void {
    const reason = ownField(params, 'reason');
    const call = this.#calls.oldest(serverName, ownField(params, 'requestId'));
    call?.stop(typeof reason === 'string' ? `Cancelled: ${reason}` : 'Cancelled');
  }

  #session(serverName: string): ServerSession {
    let session = this.#sessions.get(serverName);
    if (session === undefined) {
      session = { state: new Map() };
      this.#sessions.set(serverName, session);
    }
    return session;
  }
}

function findTool(server: McpServerDefinition, params: unknown): ToolDefinition {
  const name = ownField(params, 'name');
  if (typeof name !== 'string') {
    const line = problemLine({ path: ['name'], expected: 'string', received: describeValue(name) });
    throw new RpcError(RPC_INVALID_PARAMS, `Invalid params for tools/call:\n${line}`);
  }
  const tool = server.getTool(name);
  if (tool === undefined) throw toolNotFound(name);
  return tool;
}
