import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import { inputOf, toolNotFound } from './callTool';
import { CallContext, type CallOutlets, type CallSession } from './callContext';
import type { ToolDefinition } from './defineTool';
import type { ForeignServer, ForeignSession } from './foreignServer';
import { invalidParams, RPC_INTERNAL, RPC_INVALID_REQUEST, RpcError } from './jsonRpc';
import type { McpServerDefinition } from './mcpServer';
import type { Work } from './methodTable';
import { wireName } from './names';
import { type OpenCall, OpenCalls } from './openCalls';
import { errorResult } from './results';
import { runHandler } from './runHandler';
import { type CallToolResult, ownField, type RpcId } from './wire';

/** A call that is about to run, as the rules are asked about it; its arguments fit the schema. */
export interface CallQuestion {
  readonly server: string;
  readonly tool: string;
  /** What will run; undefined for a server of others, whose tools are not known here. */
  readonly definition: ToolDefinition | undefined;
  readonly input: unknown;
  readonly requestId: string;
  readonly toolUseId: string | undefined;
}
export type Verdict = 'allow' | { readonly deny: string };

export interface CallDeskOptions extends CallOutlets {
  readonly log: Logger;
  /** Asked before each call, after its arguments were checked. One that fails denies. */
  readonly verdict?: (call: CallQuestion) => Verdict | Promise<Verdict>;
}

/** A request as the router hands it over. */
export interface CallRequest {
  readonly rpcId: RpcId;
  readonly requestId: string;
  readonly method: string;
  readonly params: unknown;
}

/** What is asked of a foreign server must not hold a turn longer than this, calls apart. */
const FOREIGN_WITHIN_MS = 20_000;
const MAY_TAKE_LONG = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Runs what takes time for one conversation: each with its deadline, its context and its end. */
export class CallDesk {
  readonly #options: CallDeskOptions;
  readonly #calls = new OpenCalls();

  constructor(options: CallDeskOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** At once as far as it goes: most tools have their answer when they return. */
  callTool(
    server: McpServerDefinition,
    session: CallSession,
    request: CallRequest,
  ): object | Promise<object> {
    const twin = this.#twin(server.name, request);
    if (twin !== undefined) return twin.outcome;
    const call = this.#calls.open(request, server.name, true);
    try {
      return this.#settle(call, this.#runTool(call, server, session, request.params));
    } catch (error) {
      return this.#failed(call, error);
    }
  }

  /** Runs what is no tool. */
  run(
    server: McpServerDefinition,
    session: CallSession,
    request: CallRequest,
    work: Work,
  ): object | Promise<object> {
    const twin = this.#twin(server.name, request);
    if (twin !== undefined) return twin.outcome;
    const call = this.#calls.open(request, server.name, false);
    try {
      const meta = ownField(request.params, '_meta');
      const ctx = new CallContext(call, session, this.#options, request.method, meta);
      const result = work.start(ctx);
      if (!(result instanceof Promise)) return this.#settle(call, result);
      call.startClock(request.method, work.timeout);
      const told = result.catch((error: unknown) => {
        throw this.#told(call, request.method, error);
      });
      return this.#settle(call, told);
    } catch (error) {
      return this.#failed(call, this.#told(call, request.method, error));
    }
  }

  /** Serves it when the server is ready. Until then it is open as well: it can be cancelled, or taken away. */
  waitFor(
    ready: Promise<unknown>,
    server: McpServerDefinition,
    request: CallRequest,
    serve: () => object | Promise<object>,
  ): object | Promise<object> {
    const twin = this.#twin(server.name, request);
    if (twin !== undefined) return twin.outcome;
    const call = this.#calls.open(request, server.name, request.method === 'tools/call');
    const served = ready.then(() => {
      // Its answer was given; this one is dropped.
      if (call.ended) return {};
      // What serves it opens it anew, under the same id.
      this.#calls.delete(call);
      return serve();
    });
    return this.#settle(call, served);
  }

  /** Hands a request on to a server of others. */
  forward(
    server: ForeignServer,
    session: CallSession,
    foreign: ForeignSession,
    request: CallRequest,
  ): object | Promise<object> {
    const twin = this.#twin(server.name, request);
    if (twin !== undefined) return twin.outcome;
    const call = this.#calls.open(request, server.name, request.method === 'tools/call');
    try {
      return this.#settle(call, this.#runForeign(call, server, session, foreign, request));
    } catch (error) {
      return this.#failed(call, error);
    }
  }

  /** `notifications/cancelled`: of two calls with the id it is the older one. */
  cancel(server: string, params: unknown): void {
    const reason = ownField(params, 'reason');
    const call = this.#calls.oldest(server, ownField(params, 'requestId'));
    call?.stop(typeof reason === 'string' ? `Cancelled: ${reason}` : 'Cancelled');
  }

  stopAll(text: string, server?: string): void {
    this.#calls.stopAll(text, server);
  }

  /** The same request once more, which runs once. @throws RpcError where the id means another one */
  #twin(server: string, { requestId, rpcId }: CallRequest): OpenCall | undefined {
    const twin = this.#calls.get(requestId);
    if (twin === undefined || (twin.server === server && twin.rpcId === rpcId)) return twin;
    throw new RpcError(RPC_INVALID_REQUEST, `Invalid request: ${requestId} is still running`);
  }

  #settle(call: OpenCall, result: object | Promise<object>): object | Promise<object> {
    if (!(result instanceof Promise)) return call.succeed(result) ? result : call.outcome;
    result.then(
      (late: object) => {
        if (!call.succeed(late)) {
          this.#options.log.trace(`Late result of ${call.requestId} dropped`);
        }
      },
      (error: unknown) => call.fail(error),
    );
    return call.outcome;
  }

  #failed(call: OpenCall, error: unknown): Promise<object> {
    if (call.fail(error)) throw error;
    return call.outcome;
  }

  /** What the author's own code throws is told by its message; the stack goes to the log only. */
  #told({ server }: OpenCall, method: string, error: unknown): RpcError {
    if (error instanceof RpcError) return error;
    this.#options.log.error(`${method} of MCP server '${server}' failed`, error);
    return new RpcError(RPC_INTERNAL, `${method} failed: ${errorMessage(error)}`, { cause: error });
  }

  #runTool(
    call: OpenCall,
    server: McpServerDefinition,
    session: CallSession,
    params: unknown,
  ): CallToolResult | Promise<CallToolResult> {
    const name = toolName(params);
    const tool = server.getTool(name);
    if (tool === undefined) throw toolNotFound(name);
    const parsed = this.#parsed(call, tool, ownField(params, 'arguments'));
    if (!(parsed instanceof Promise)) {
      return this.#start(call, session, tool, inputOf(tool, parsed), params);
    }
    call.startClock(name, tool.timeout, true);
    return parsed.then((late) => {
      // Now the person may be asked; the handler has its whole time.
      call.stopClock();
      const input = inputOf(tool, late);
      if (call.ended) return errorResult('Cancelled');
      return this.#start(call, session, tool, input, params);
    });
  }

  /** A check of the author's own that throws is no fault of ours. */
  #parsed(
    call: OpenCall,
    tool: ToolDefinition,
    args: unknown,
  ): ReturnType<ToolDefinition['parseInput']> {
    try {
      const parsed = tool.parseInput(args);
      if (!(parsed instanceof Promise)) return parsed;
      return parsed.catch((error: unknown) => {
        throw this.#told(call, 'tools/call', error);
      });
    } catch (error) {
      throw this.#told(call, 'tools/call', error);
    }
  }

  #start(
    call: OpenCall,
    session: CallSession,
    tool: ToolDefinition,
    input: unknown,
    params: unknown,
  ): CallToolResult | Promise<CallToolResult> {
    const meta = ownField(params, '_meta');
    const { name, progressExtends } = tool;
    const ctx = new CallContext(call, session, this.#options, name, meta, progressExtends);
    const denied = this.#denied(call, tool, name, input, ctx.toolUseId);
    if (denied === undefined) return this.#handle(call, tool, input, ctx);
    return denied instanceof Promise
      ? denied.then((reason) =>
          reason === undefined ? this.#handle(call, tool, input, ctx) : errorResult(reason),
        )
      : errorResult(denied);
  }

  #handle(
    call: OpenCall,
    tool: ToolDefinition,
    input: unknown,
    ctx: CallContext,
  ): CallToolResult | Promise<CallToolResult> {
    if (call.ended) return errorResult('Cancelled');
    const result = runHandler(tool, input, ctx);
    // A handler that has finished cannot be late any more.
    if (result instanceof Promise) call.startClock(tool.name, tool.timeout);
    return result;
  }

  #runForeign(
    call: OpenCall,
    server: ForeignServer,
    session: CallSession,
    foreign: ForeignSession,
    { method, params }: CallRequest,
  ): object | Promise<object> {
    const meta = ownField(params, '_meta');
    const label = call.isTool ? toolName(params) : method;
    const ctx = new CallContext(call, session, this.#options, label, meta);
    const ask = (): Promise<object> => {
      call.startClock(label, MAY_TAKE_LONG.has(method) ? server.timeout : FOREIGN_WITHIN_MS);
      return foreign.request(method, params, ctx);
    };
    if (!call.isTool) return ask();
    const input = ownField(params, 'arguments');
    const denied = this.#denied(call, undefined, label, input, ctx.toolUseId);
    if (denied === undefined) return ask();
    if (!(denied instanceof Promise)) return errorResult(denied);
    return denied.then((reason) => {
      if (reason !== undefined) return errorResult(reason);
      return call.ended ? errorResult('Cancelled') : ask();
    });
  }

  /** Why it must not run; undefined when it may. A promise only where the rules have to look. */
  #denied(
    { server, requestId }: OpenCall,
    definition: ToolDefinition | undefined,
    tool: string,
    input: unknown,
    toolUseId: string | undefined,
  ): string | undefined | Promise<string | undefined> {
    const { verdict } = this.#options;
    if (verdict === undefined) return undefined;
    try {
      const answer = verdict({ server, tool, definition, input, requestId, toolUseId });
      return answer instanceof Promise
        ? answer.then(reasonOf, (error: unknown) => this.#unjudged(server, tool, error))
        : reasonOf(answer);
    } catch (error) {
      return this.#unjudged(server, tool, error);
    }
  }

  #unjudged(server: string, tool: string, error: unknown): string {
    this.#options.log.error(
      `The rules failed for ${wireName(server, tool)}; it was not run`,
      error,
    );
    return `Not run, since the permission rules could not be asked: ${errorMessage(error)}`;
  }
}

function reasonOf(verdict: Verdict): string | undefined {
  return verdict === 'allow' ? undefined : verdict.deny;
}

function toolName(params: unknown): string {
  const name = ownField(params, 'name');
  if (typeof name === 'string') return name;
  throw invalidParams('tools/call', ['name'], 'string', name);
}
