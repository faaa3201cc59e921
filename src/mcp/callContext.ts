import type { Event } from '../base/event';
import { floodGate } from '../base/floodGate';
import type { Logger } from '../base/logger';
import type { AskAnswer, AskPort, AskQuestion } from './askPort';
import type { ConversationFacts, ConversationReset } from './conversationFacts';
import type { InputOf, ToolInput } from './inputTypes';
import type { OpenCall } from './openCalls';
import type { NamedFile } from './serverEvent';
import { LOG_LEVELS, type LogLevel, type ToolContext } from './toolContext';
import { createToolInput, type ToolInputSchema } from './toolInput';
import { type ClientInfo, isRecord, ownField } from './wire';
import { logText, sendable, writeLog } from './writeLog';

/** Reports of one call that a client is sent in a second; a tool may report each line of a large file. */
const MAX_TOLD_PER_SECOND = 100;

/** How far a running call is. */
export interface CallProgress {
  readonly server: string;
  readonly tool: string;
  readonly requestId: string;
  readonly toolUseId?: string;
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a call may use of the world around it. */
export interface CallOutlets {
  readonly log: Logger;
  readonly onProgress?: (progress: CallProgress) => void;
  readonly notify?: (server: string, message: object) => void;
  readonly ask?: AskPort;
  /** Told of each file that the result of a running request names, or quotes. */
  readonly onFile?: (requestId: string, file: NamedFile) => void;
}

type Step = Pick<CallProgress, 'done' | 'total' | 'message'>;

/** What a context needs of the session of the call's server. */
export interface CallSession {
  readonly conversation: ConversationFacts;
  readonly state: Map<string, unknown>;
  readonly clientInfo: ClientInfo | undefined;
  readonly clientCapabilities: Readonly<Record<string, unknown>> | undefined;
  readonly onDidReset: Event<ConversationReset>;
  wantsLog(level: LogLevel): boolean;
}

/**
 * What a handler is given of the call it serves. Its reports end with the call.
 * A class, since of objects with getters each one gets a hidden class of its own; its functions are
 * made when they are first taken out, since most handlers use none.
 */
export class CallContext implements ToolContext {
  readonly #call: OpenCall;
  readonly #session: CallSession;
  readonly #outlets: CallOutlets;
  readonly #label: string;
  readonly #extends: boolean;
  #takeReport: ReturnType<typeof floodGate> | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;

  /**
   * @param label the tool's name, or the method's
   * @param meta `_meta` of the request, not yet read
   */
  constructor(
    call: OpenCall,
    session: CallSession,
    outlets: CallOutlets,
    label: string,
    meta: unknown,
    progressExtends = false,
  ) {
    this.#call = call;
    this.#session = session;
    this.#outlets = outlets;
    this.#label = label;
    this.#extends = progressExtends;
    this.meta = isRecord(meta) ? meta : undefined;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
  get requestId(): string {
    return this.#call.requestId;
  }
  get toolUseId(): string | undefined {
    const id = ownField(this.meta, 'claudecode/toolUseId');
    return typeof id === 'string' ? id : undefined;
  }
  get agent(): string | undefined {
    const { toolUseId } = this;
    if (toolUseId === undefined) return undefined;
    return this.#session.conversation.agentOf?.(toolUseId);
  }
  get progressToken(): string | number | undefined {
    const token = ownField(this.meta, 'progressToken');
    return typeof token === 'string' || typeof token === 'number' ? token : undefined;
  }
  get clientInfo(): ClientInfo | undefined {
    return this.#session.clientInfo;
  }
  get clientCapabilities(): Readonly<Record<string, unknown>> | undefined {
    return this.#session.clientCapabilities;
  }
  get conversation(): { readonly id: string; readonly cwd: string } {
    return this.#session.conversation;
  }
  get mode(): string {
    return this.#session.conversation.mode ?? 'default';
  }
  get turnStart(): number | undefined {
    return this.#session.conversation.turnStart;
  }
  get lastTurnStart(): number | undefined {
    return this.#session.conversation.lastTurnStart;
  }
  get onDidReset(): Event<ConversationReset> {
    return this.#session.onDidReset;
  }
  get state(): Map<string, unknown> {
    return this.#session.state;
  }
  /** For {@link ForeignCall}. */
  onStop(listener: (reason: Error) => void): void {
    this.#call.onStop(listener);
  }
  get progress(): ToolContext['progress'] {
    return (done, total, message) => {
      this.#report({ done, total, message });
    };
  }
  get log(): ToolContext['log'] {
    return (level, data, logger) => {
      this.#write(level, data, logger);
    };
  }
  get tellFile(): ToolContext['tellFile'] {
    return (path, bytes = 0) => {
      if (!this.#call.ended) this.#outlets.onFile?.(this.#call.requestId, { path, bytes });
    };
  }
  /** With the third one for {@link ForeignCall}. */
  get ask() {
    return <const I extends ToolInput>(schema: I, message: string, withdrawn?: AbortSignal) =>
      this.#ask(schema, message, withdrawn);
  }
  get whilePersonDecides(): ToolContext['whilePersonDecides'] {
    return (work) => this.#pausedDuring(work);
  }

  #report(given: Step): void {
    if (this.#call.ended) return;
    if (this.#extends) this.#call.extendClock();
    const step = readStep(given);
    if (step === undefined) return;
    const { server, requestId } = this.#call;
    const { onProgress, notify, log } = this.#outlets;
    const { toolUseId, progressToken } = this;
    try {
      onProgress?.({ server, tool: this.#label, requestId, toolUseId, ...step });
      if (progressToken === undefined || this.#isFlood(step)) return;
      const { done: progress, total, message } = step;
      notify?.(server, {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress, total, message },
      });
    } catch (error) {
      // A fault in showing progress must not become a fault of the tool.
      log.error(`Progress of ${server}/${this.#label} could not be told`, error);
    }
  }

  /** The last one always gets through. */
  #isFlood({ done, total }: Step): boolean {
    this.#takeReport ??= floodGate(MAX_TOLD_PER_SECOND);
    return this.#takeReport() === undefined && done !== total;
  }

  #write(level: LogLevel, data: unknown, logger: string | undefined): void {
    const { server } = this.#call;
    const { log, notify } = this.#outlets;
    const part = logger === undefined ? '' : `/${logger}`;
    // Tool files are plain JavaScript too: an unknown level must not make the call fail.
    const known = LOG_LEVELS.includes(level) ? level : 'info';
    writeLog(log, known, `[${server}/${this.#label}${part}] ${logText(data)}`);
    if (this.#call.ended || notify === undefined || !this.#session.wantsLog(known)) return;
    try {
      const params = { level: known, logger: logger ?? this.#label, data: sendable(data) };
      notify(server, { jsonrpc: '2.0', method: 'notifications/message', params });
    } catch (error) {
      log.error(`A message of ${server}/${this.#label} could not be told`, error);
    }
  }

  /** The form goes with the call, also with one that just returns: nobody waits for it any more. */
  async #ask<I extends ToolInput>(
    schema: I,
    message: string,
    withdrawn?: AbortSignal,
  ): Promise<AskAnswer<InputOf<I>>> {
    const { ask } = this.#outlets;
    if (ask === undefined) throw new Error('Nobody can be asked here');
    this.signal.throwIfAborted();
    if (this.#call.ended) throw new Error('The call has ended: nobody can be asked for it');
    const form = createToolInput<InputOf<I>>(schema, 'form');
    const over = new AbortController();
    let isOpen = true;
    const end = (): void => {
      if (isOpen) over.abort(new Error('The call has ended'));
    };
    this.#call.outcome.then(end, end);
    const { id, cwd } = this.#session.conversation;
    const question: AskQuestion = {
      server: this.#call.server,
      tool: this.#label,
      toolUseId: this.toolUseId,
      message,
      schema: form.jsonSchema(),
      signal: AbortSignal.any([this.signal, over.signal, ...(withdrawn ? [withdrawn] : [])]),
      conversation: { id, cwd },
    };
    try {
      return await this.#put(ask, question, form);
    } finally {
      isOpen = false;
    }
  }

  async #put<T>(ask: AskPort, first: AskQuestion, form: ToolInputSchema<T>): Promise<AskAnswer<T>> {
    let question = first;
    for (;;) {
      question.signal.throwIfAborted();
      const answer = await this.#pausedDuring(ask(question));
      if (answer.action !== 'accept') return { action: answer.action };
      const parsed = await form.parse(answer.content);
      if (parsed.ok) return { action: 'accept', content: parsed.value };
      const { draft } = answer;
      const { problems } = parsed;
      // What a person typed is not thrown away.
      if (draft !== undefined) question = { ...question, again: { draft, problems } };
      else throw new Error(`The answer does not fit the form:\n${problems.join('\n')}`);
    }
  }

  async #pausedDuring<T>(work: Promise<T>): Promise<T> {
    this.#call.pauseClock();
    try {
      return await work;
    } finally {
      this.#call.resumeClock();
    }
  }
}

/** From plain JavaScript anything may come: for a report that is none a client breaks off. */
function readStep({ done, total, message }: Step): Step | undefined {
  if (!Number.isFinite(done)) return undefined;
  return {
    done,
    total: Number.isFinite(total) ? total : undefined,
    message: typeof message === 'string' ? message : undefined,
  };
}
