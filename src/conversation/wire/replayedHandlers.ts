import { createDeferred, type Deferred } from '../../base/deferred';
import type { Disposable } from '../../base/disposable';
import { silentLogger } from '../../base/logger';
import type { ControlContext, ControlHandlers } from '../../cli/controlChannel';
import { readFrame } from '../../mcp/jsonRpc';
import type { ServerRegistry } from '../../mcp/registry';
import { createRouter, type Router } from '../../mcp/router';
import { ownField, type RpcAnswer } from '../../mcp/wire';
import type { McpMessageRequest } from '../../protocol/controlRequests';
import { isJsonObject } from '../../protocol/lazySchema';
import type { AnswerCheck } from './answerCheck';
import type { RecordedRequest } from './pairRecords';
import { RecordedServers } from './recordedServers';

export interface ReplayedHandlersOptions {
  readonly folder: string | undefined;
  readonly check: AnswerCheck;
  readonly now: () => number;
  /** Of the process that is played, by the id of a control request. */
  readonly requestOf: (id: string) => RecordedRequest | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** Methods that our own code answers whatever a server's code is. */
const PLAYED = new Set(['initialize', 'ping', 'tools/list', 'tools/call']);

/**
 * Answers the CLI's requests: the router its own, with what the tools gave then; for the rest, which
 * a person or code outside decided, the file's answer goes through the channel once more.
 */
export class ReplayedHandlers implements Disposable {
  readonly servers: RecordedServers;
  readonly #options: ReplayedHandlersOptions;
  readonly #router: Router;
  readonly #answers = new Map<string, Deferred<Json>>();

  constructor(options: ReplayedHandlersOptions) {
    this.#options = options;
    this.servers = new RecordedServers((requestId) => this.#callResult(requestId));
    this.#router = createRouter({
      registry: this.servers.registry,
      log: silentLogger,
      conversation: { id: 'replay', cwd: options.folder ?? '' },
    });
  }

  get registry(): ServerRegistry {
    return this.servers.registry;
  }

  get problems(): readonly string[] {
    return this.servers.problems;
  }

  readonly handlers: ControlHandlers = {
    can_use_tool: (_request, context) => this.#fromFile(context),
    hook_callback: (_request, context) => this.#fromFile(context),
    elicitation: (_request, context) => this.#fromFile(context),
    request_user_dialog: (_request, context) => this.#fromFile(context),
    mcp_message: (request, context) => this.#route(request, context),
  };

  /** The file has an answer to it: whoever waits for that goes on. `response` is its envelope. */
  settle({ id }: RecordedRequest, response: Json): void {
    const waiting = this.#answer(String(id));
    if (response.subtype === 'error') waiting.reject(new Error(String(response.error)));
    else waiting.resolve(isJsonObject(response.response) ? response.response : {});
  }

  processEnded(): void {
    this.#router.cancelAll('The agent has ended');
    this.#answers.clear();
  }

  dispose(): void {
    this.#answers.clear();
    this.#router.dispose();
  }

  #route(
    { server_name: server, message }: McpMessageRequest,
    { requestId }: ControlContext,
  ): Json | Promise<Json> {
    const recorded = this.#options.requestOf(requestId);
    const answer = recordedAnswer(recorded);
    const method = methodOf(message);
    const isPlayed = method === undefined || PLAYED.has(method);
    if (recorded && answer && !(isPlayed && this.#prepare(server, message, answer))) {
      this.#options.check.takeOver(recorded);
      return this.#answer(requestId).promise;
    }
    const given = this.#router.route(server, message, { requestId });
    return given instanceof Promise
      ? given.then((late) => ({ mcp_response: late }))
      : { mcp_response: given };
  }

  /** Offers what the answer of then shows to have been there; false where that cannot be told. */
  #prepare(server: string, message: unknown, answer: RpcAnswer): boolean {
    const result = 'result' in answer ? answer.result : undefined;
    const isKnown = this.registry.get(server) !== undefined;
    const method = methodOf(message);
    // Not known, and refused then: because it was not there, or for what the file does not have.
    if (this.servers.isForeign(server)) return false;
    if (result === undefined) return isKnown || isNotFound(answer);
    if (method === 'initialize') return this.servers.handshake(server, result);
    if (!isKnown && !this.servers.handshake(server, undefined)) return false;
    if (method === 'tools/list') {
      // A page of several, or what a server of others says besides.
      if (Object.keys(result).some((field) => field !== 'tools')) return false;
      this.servers.list(server, result);
    } else if (method === 'tools/call') {
      const tool = ownField(ownField(message, 'params'), 'name');
      if (typeof tool === 'string') this.servers.improvise(server, tool);
    }
    return true;
  }

  async #callResult(requestId: string): Promise<unknown> {
    const body = await this.#answer(requestId).promise;
    const answer = ownField(body, 'mcp_response');
    const error = ownField(answer, 'error');
    if (error !== undefined) throw new Error(String(ownField(error, 'message')));
    return ownField(answer, 'result');
  }

  #fromFile({ requestId }: ControlContext): Promise<Json> {
    const recorded = this.#options.requestOf(requestId);
    if (recorded) this.#options.check.takeOver(recorded);
    return this.#answer(requestId).promise;
  }

  /** Who waits for it may come before the file's line or after it. */
  #answer(requestId: string): Deferred<Json> {
    const known = this.#answers.get(requestId);
    if (known) return known;
    const answer = createDeferred<Json>();
    answer.promise.catch(() => undefined);
    this.#answers.set(requestId, answer);
    return answer;
  }
}

/** The JSON-RPC answer that the file has; undefined where it has none. */
function recordedAnswer(recorded: RecordedRequest | undefined): RpcAnswer | undefined {
  const body = ownField(ownField(recorded?.answer?.frame, 'response'), 'response');
  const answer = ownField(body, 'mcp_response');
  if (!isJsonObject(answer)) return undefined;
  // Only looked at; what is compared is the frame as a whole.
  return isJsonObject(answer.result) || isJsonObject(answer.error)
    ? (answer as unknown as RpcAnswer)
    : undefined;
}

function methodOf(message: unknown): string | undefined {
  const frame = readFrame(message);
  return frame.kind === 'request' ? frame.method : undefined;
}

function isNotFound(answer: RpcAnswer): boolean {
  return 'error' in answer && /^Server '.*' not found$/.test(answer.error.message);
}
