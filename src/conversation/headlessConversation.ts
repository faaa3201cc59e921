import { randomUUID } from 'node:crypto';
import { createDeferred, type Deferred } from '../base/deferred';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorMessage } from '../base/errors';
import { permissionAnswer } from '../chat/permissionAnswer';
import type { PermissionRequest } from '../chat/permissionRequest';
import type { PermissionCard } from '../chat/viewStateProtocol';
import type { ControlHandlers } from '../cli/controlChannel';
import type { CliSession } from '../cli/cliSession';
import type { Router } from '../mcp/router';
import type { ResultMessage } from '../protocol/conversationMessages';
import type { ConversationMessage } from '../protocol/messages';
import type { PermissionResult } from '../protocol/permissions';
import { type PermissionMode, tryParseMode } from '../rules/modes';
import { checkPrompt } from './checkPrompt';
import { LiveFacts } from './conversationFacts';
import type { ConversationPorts } from './conversationPorts';
import { answerBy, createConversationRouter } from './conversationRouter';
import { ConversationTelemetry } from './conversationTelemetry';
import { createPermit } from './createPermit';
import { describePermission } from './describePermission';
import { createConversationHooks } from './hookDesk';
import { createHeadlessAsks, type HeadlessAsker, type HeadlessAsks } from './headlessAsks';
import { launchAgent } from './launchAgent';
import { ResultKeeper } from './resultKeeper';
import { ServerSet } from './serverSet';
import { ToolCallWatch } from './toolCallWatch';
import { createWriteGuard, type WriteGuard } from './writeGuard';

/** What happens in a conversation that no panel shows, in order. */
export type HeadlessMessage =
  | {
      readonly type: 'started';
      readonly conversationId: string;
      readonly model: string;
      readonly tools: readonly string[];
    }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'toolCall';
      readonly toolUseId: string;
      readonly tool: string;
      readonly input: unknown;
    }
  | { readonly type: 'toolResult'; readonly toolUseId: string; readonly isError: boolean }
  | HeadlessResult;

export interface HeadlessResult {
  readonly type: 'result';
  readonly isError: boolean;
  readonly text: string;
  /** `subtype` of the CLI's result. */
  readonly reason: string;
  readonly turns: number;
  readonly costUsd: number;
  readonly durationMs: number;
}

export interface HeadlessOptions {
  readonly prompt: string;
  readonly maxTurns?: number | undefined;
  readonly model?: string | undefined;
  /** Added to the agent's own. */
  readonly systemPrompt?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asks the person about a tool that no rule allows. */
  readonly permit: (card: PermissionCard, signal: AbortSignal) => Promise<boolean>;
  /** Answers forms, pages and questions; without it the answer is no. */
  readonly ask?: HeadlessAsker | undefined;
  /** Called once, when nothing of it is needed any more. */
  readonly onEnded?: (() => void) | undefined;
}

export interface HeadlessConversation extends AsyncIterable<HeadlessMessage>, Disposable {
  readonly id: string;
  /** Said after the answer to what was said before. @throws Error once it has ended, and for what is no text */
  send(prompt: string): void;
}

/** Starts a conversation without a panel, with the same guard and the same questions as with one. */
export function startHeadless(
  ports: ConversationPorts,
  options: HeadlessOptions,
): HeadlessConversation {
  return new Headless(ports, options);
}

class Headless implements HeadlessConversation {
  readonly id = randomUUID();
  readonly #ports: ConversationPorts;
  readonly #options: HeadlessOptions;
  readonly #store = new DisposableStore();
  readonly #abort = new AbortController();
  readonly #router: Router;
  readonly #facts: LiveFacts;
  readonly #telemetry: ConversationTelemetry;
  readonly #asks: HeadlessAsks;
  readonly #guard: WriteGuard;
  readonly #messages: HeadlessMessage[] = [];
  readonly #results: ResultKeeper<HeadlessResult>;
  readonly #prompts: string[] = [];
  #waiting: Deferred<undefined> | undefined;
  #session: CliSession | undefined;
  /** Undefined where it ended before it had started. */
  readonly #started = createDeferred<CliSession | undefined>();
  /** When the prompt went out that is at the CLI. */
  #turnStart: number | undefined;
  #lastTurnStart: number;
  #hasStarted = false;
  /** The model can enter plan mode by itself. */
  #mode: PermissionMode = 'default';
  #end: { readonly error?: Error | undefined } | undefined;

  constructor(ports: ConversationPorts, options: HeadlessOptions) {
    this.#ports = ports;
    this.#lastTurnStart = ports.now();
    this.#options = options;
    this.#prompts.push(options.prompt);
    this.#asks = createHeadlessAsks(options.ask, ports.log);
    this.#facts = this.#store.add(
      new LiveFacts({
        id: this.id,
        cwd: ports.folder?.path ?? '',
        mode: () => this.#mode,
        turns: () => ({ turnStart: this.#turnStart, lastTurnStart: this.#lastTurnStart }),
      }),
    );
    this.#telemetry = new ConversationTelemetry(this.id, ports);
    this.#telemetry.begin();
    const nowhere = (): void => undefined;
    this.#guard = createWriteGuard(ports, nowhere, () => this.#mode);
    const give = (result: HeadlessResult): void => this.#push(result);
    this.#results = this.#store.add(new ResultKeeper(ports.clock, give));
    this.#router = this.#store.add(this.#createRouter());
    const onAbort = (): void => this.#finish({ error: options.signal?.reason });
    options.signal?.addEventListener('abort', onAbort, { once: true });
    this.#store.add({ dispose: () => options.signal?.removeEventListener('abort', onAbort) });
    if (options.signal?.aborted === true) onAbort();
    else this.#start().catch((error: unknown) => this.#finish({ error }));
  }

  #createRouter(): Router {
    return createConversationRouter({
      ports: this.#ports,
      facts: this.#facts,
      telemetry: this.#telemetry,
      ask: this.#asks.askForTool,
      verdict: this.#guard.policy.verdict,
      notify: (server, message) => {
        const body = { server_name: server, message: { ...message } };
        this.#session?.request('mcp_message', body).catch(() => undefined);
      },
    });
  }

  send(prompt: string): void {
    if (this.#end) throw new Error('The conversation has ended');
    checkPrompt(prompt);
    this.#prompts.push(prompt);
    this.#sendNext();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<HeadlessMessage> {
    try {
      for (;;) {
        const message = this.#messages.shift();
        if (message !== undefined) yield message;
        else if (this.#end) break;
        // What came with the last message may have been answered by a further prompt.
        else if (this.#isDone) break;
        else await (this.#waiting ??= createDeferred<undefined>()).promise;
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
    } finally {
      this.dispose();
    }
  }

  dispose(): void {
    this.#finish({});
  }

  /** All that was said has been answered, and what that has set going has ended. */
  get #isDone(): boolean {
    if (this.#results.isKeeping || this.#turnStart !== undefined) return false;
    return this.#hasStarted && this.#prompts.length === 0;
  }

  async #start(): Promise<void> {
    const { maxTurns, systemPrompt, model } = this.#options;
    const agent = await launchAgent(this.#ports, {
      handlers: this.#handlers(),
      resume: undefined,
      mode: 'default',
      model: model ?? this.#ports.settings().model,
      signal: this.#abort.signal,
      maxTurns,
      systemPrompt,
    });
    const { session } = agent;
    if (this.#end) {
      agent.dispose();
      await session.dispose();
      return;
    }
    this.#session = session;
    this.#started.resolve(session);
    const { log, now, registry, onToolCall } = this.#ports;
    const warn = (text: string): void => log.warn(text);
    const servers = new ServerSet({ ...agent.servers, ports: this.#ports, session, warn });
    const watch = new ToolCallWatch({
      ...{ conversationId: this.id, now, registry },
      external: () => servers.externalNames,
      onCall: (call) => onToolCall?.(call),
    });
    this.#store.add(servers);
    this.#store.add(
      session.onDidReceiveMessage((message) => {
        watch.receive(message);
        this.#facts.receive(message);
        this.#receive(message);
      }),
    );
    session.onDidExit(({ stderrTail }) => {
      watch.cutOff();
      agent.dispose();
      // After the last answer it is not missed.
      const error = new Error(`The agent has ended. ${stderrTail}`.trim());
      this.#finish(this.#isDone ? {} : { error });
    });
    // Hooks that came while it started are told to it first.
    await this.#started.promise;
    this.#hasStarted = true;
    this.#sendNext();
  }

  #handlers(): ControlHandlers {
    const guard = this.#guard;
    const ask = (id: string, request: PermissionRequest, signal: AbortSignal) =>
      this.#permit(id, request, signal);
    const hooks = createConversationHooks(this.#ports, {
      ...{ id: this.id, guard, ask, agent: () => this.#started.promise },
      stop: () => this.dispose(),
    });
    return {
      can_use_tool: createPermit({
        ...guard,
        desk: { ask, askForCli: ask },
        asks: { question: (_id, request, signal) => this.#asks.question(request, signal) },
        grants: { learn: () => undefined },
        cwd: this.#ports.folder?.path ?? '.',
      }),
      elicitation: (request, { signal }) => this.#asks.elicit(request, signal),
      hook_callback: this.#store.add(hooks).answer,
      mcp_message: answerBy(this.#router),
    };
  }

  async #permit(
    requestId: string,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionResult> {
    const card = await describePermission(this.#ports, requestId, request);
    const isAllowed = await this.#options.permit(card, signal);
    return permissionAnswer(request, isAllowed ? 'allowOnce' : 'deny');
  }

  #sendNext(): void {
    if (this.#turnStart !== undefined || this.#session === undefined) return;
    const content = this.#prompts.shift();
    if (content === undefined) return;
    this.#results.giveNow();
    this.#turnStart = this.#ports.now();
    this.#session
      .sendPrompt({ uuid: randomUUID(), content })
      .catch((error: unknown) => this.#finish({ error }));
  }

  #receive(message: ConversationMessage): void {
    this.#results.receive(message);
    if (message.type === 'system' && 'permissionMode' in message) {
      this.#mode = tryParseMode(message.permissionMode) ?? this.#mode;
    }
    if (message.type === 'system' && message.subtype === 'init') {
      const { model = '', tools = [] } = message;
      this.#push({ type: 'started', conversationId: this.id, model, tools });
    } else if (message.type === 'assistant' || message.type === 'user') {
      this.#receiveBlocks(message);
    } else if (message.type === 'result') {
      const isUnasked = message.origin?.kind === 'task-notification';
      if (!isUnasked) {
        this.#lastTurnStart = this.#turnStart ?? this.#lastTurnStart;
        this.#turnStart = undefined;
      }
      this.#results.ended(resultOf(message), isUnasked);
      if (!isUnasked) this.#sendNext();
    }
  }

  #receiveBlocks(message: Extract<ConversationMessage, { type: 'assistant' | 'user' }>): void {
    const { content } = message.message;
    if (typeof content === 'string') return;
    for (const block of content) {
      if (block.type === 'text' && message.type === 'assistant') {
        // What its helpers say is said to it; their calls are told, since somebody may be asked for them.
        if (!isOfHelper(message)) this.#push({ type: 'text', text: block.text });
      } else if (block.type === 'tool_use') {
        const { id: toolUseId, name: tool, input } = block;
        this.#push({ type: 'toolCall', toolUseId, tool, input });
      } else if (block.type === 'tool_result') {
        const isError = block.is_error === true;
        this.#push({ type: 'toolResult', toolUseId: block.tool_use_id, isError });
      }
    }
  }

  #push(message: HeadlessMessage): void {
    if (this.#end) return;
    this.#messages.push(message);
    this.#wake();
  }

  #wake(): void {
    this.#waiting?.resolve(undefined);
    this.#waiting = undefined;
  }

  #finish({ error }: { readonly error?: unknown }): void {
    if (this.#end) return;
    const thrown =
      error === undefined || error instanceof Error ? error : new Error(errorMessage(error));
    this.#end = { error: thrown };
    this.#started.resolve(undefined);
    this.#abort.abort(thrown ?? new Error('The conversation has ended'));
    this.#store.dispose();
    this.#telemetry.end(thrown !== undefined);
    this.#session?.dispose().catch((error: unknown) => {
      this.#ports.log.warn(`A conversation could not be ended: ${errorMessage(error)}`);
    });
    this.#ports.onEnded?.(this.id);
    this.#options.onEnded?.();
    this.#wake();
  }
}

function isOfHelper({ parent_tool_use_id: call }: { parent_tool_use_id?: string | null }): boolean {
  return typeof call === 'string';
}

function resultOf(message: ResultMessage): HeadlessResult {
  const isError = message.is_error === true || message.subtype !== 'success';
  return {
    type: 'result',
    isError,
    text: message.result ?? message.errors?.join('\n') ?? '',
    reason: message.subtype,
    turns: message.num_turns ?? 0,
    costUsd: message.total_cost_usd ?? 0,
    durationMs: message.duration_ms ?? 0,
  };
}
