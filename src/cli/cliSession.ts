import type { $ZodType, output } from 'zod/v4/core';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/logger';
import {
  initializeResultSchema,
  interruptResultSchema,
  setModelResultSchema,
  setPermissionModeResultSchema,
  type InitializeResult,
  type InterruptResult,
} from '../protocol/controlResults';
import { fit, isJsonObject, type LazySchema } from '../protocol/lazySchema';
import type { FramingFault } from '../protocol/lineFramer';
import { createMessageReader } from '../protocol/messageReader';
import { type CliMessage, type ConversationMessage, interpretMessage } from '../protocol/messages';
import type {
  InitializeOptions,
  OutboundMessage,
  OutboundRequests,
  OutboundSubtype,
  PromptBlock,
  PromptPriority,
} from '../protocol/outboundRequests';
import type { PermissionMode } from '../protocol/permissions';
import { createControlChannel, type ControlChannel, type ControlHandlers } from './controlChannel';
import { shortName, traceFrame } from './frameTrace';
import type { CliExit, LineTransport } from './lineTransport';
import { maskSecrets } from '../base/maskSecrets';
import { ControlRequestError, type RequestOptions } from './outboundCalls';
import { WireSeat } from './wireSeat';

export interface Prompt {
  /** Fresh for every prompt: one that was used before is dropped by the CLI without a word. */
  readonly uuid: string;
  readonly content: string | readonly PromptBlock[];
  readonly priority?: PromptPriority;
  /** No `@` expansion and no command dispatch. */
  readonly clientComposed?: boolean;
}

/** A conversation with one running CLI. Its process can outlive many turns, not the other way round. */
export interface CliSession {
  readonly pid: number | undefined;
  /**
   * Resolves with what the CLI reports. Sent again it lists the open questions: those that never
   * got here are handled as if they came now.
   */
  initialize(options: InitializeOptions, request?: RequestOptions): Promise<InitializeResult>;
  /**
   * Everything but control messages, in order; those of unknown kinds too. The first listener gets
   * what came before it as well.
   */
  readonly onDidReceiveMessage: Event<ConversationMessage>;
  /** A message was longer than what is taken; it is gone, and the stream goes on behind it. */
  readonly onDidLoseMessage: Event<FramingFault>;
  /** Fires once, also for a listener that comes late. */
  readonly onDidExit: Event<CliExit>;
  readonly exited: Promise<CliExit>;
  sendPrompt(prompt: Prompt): Promise<void>;
  /** With `cancelQueued` the waiting prompts are taken back; without it the first of them starts at once. */
  interrupt(options: { cancelQueued: boolean }): Promise<InterruptResult>;
  /** Resolves with the mode now in force. Rejects with the CLI's reason. */
  setPermissionMode(mode: PermissionMode): Promise<{ mode?: string | undefined }>;
  /** An unknown model is accepted here and fails with the next turn. Null goes back to the default. */
  setModel(model: string | null): Promise<{ model?: string | null | undefined }>;
  /** Any other request; resolves with the body as it came, an empty object where there was none. */
  request<S extends OutboundSubtype>(
    subtype: S,
    body: OutboundRequests[S],
    options?: RequestOptions,
  ): Promise<Record<string, unknown>>;
  /** As {@link LineTransport.strays}. */
  strays(): Promise<number>;
  /** Fails what waits and ends the process, within three seconds. */
  dispose(): Promise<CliExit>;
}

export interface CliSessionOptions {
  readonly transport: LineTransport;
  readonly handlers: ControlHandlers;
  readonly log: Logger;
  /** Where somebody may look at what goes to and fro. */
  readonly wire?: WireSeat | undefined;
}

/** Characters of a line that is no message, for the log. */
const MAX_NOISE = 200;
/** Of the same: a secret that is cut in two is not known as one. */
const MAX_LOOKED_AT = 8_000;
/** A CLI that calls each message another name would fill log and memory with them. */
const MAX_UNKNOWN_KINDS = 100;

/** Joins a transport, the parser and the control channel. */
export function createCliSession(options: CliSessionOptions): CliSession {
  return new Session(options);
}

class Session implements CliSession {
  readonly #transport: LineTransport;
  readonly #log: Logger;
  readonly #wire: WireSeat;
  readonly #channel: ControlChannel;
  readonly #messages: Emitter<ConversationMessage>;
  readonly #lost: Emitter<FramingFault>;
  /** What came before the first listener, such as in one chunk with the answer to `initialize`. */
  readonly #held: ConversationMessage[] = [];
  #wasHeard = false;
  readonly #reader = createMessageReader();
  readonly #seenUnknown = new Set<string>();
  #noiseLines = 0;
  #corruptLines = 0;

  constructor({ transport, handlers, log, wire = new WireSeat() }: CliSessionOptions) {
    this.#transport = transport;
    this.#wire = wire;
    this.#log = log;
    this.#messages = new Emitter((error) => log.error('A listener of CLI messages failed', error));
    this.#lost = new Emitter((error) => log.error('A listener of lost messages failed', error));
    this.#channel = createControlChannel({
      send: (message) => this.#write(message),
      handlers,
      log,
    });
    transport.onDidReceiveLine((line) => this.#receive(line));
    transport.onDidFault((fault) => {
      if (fault.kind === 'lineTooLong') {
        log.error(
          `A line of ${fault.bytes} bytes from the CLI was left out (cap ${fault.maxBytes})`,
        );
        this.#wire.tap?.lost(fault);
        this.#lost.fire(fault);
      } else log.warn('Writing to the CLI failed');
    });
    void transport.exited.then((exit) => {
      this.#channel.close('The CLI ended before it answered');
      wire.tap?.ended(exit);
    });
  }

  get pid(): number | undefined {
    return this.#transport.pid;
  }

  get exited(): Promise<CliExit> {
    return this.#transport.exited;
  }

  readonly onDidReceiveMessage: Event<ConversationMessage> = (listener) => {
    const subscription = this.#messages.event(listener);
    this.#wasHeard = true;
    for (const message of this.#held.splice(0)) this.#messages.fire(message);
    return subscription;
  };

  readonly onDidLoseMessage: Event<FramingFault> = (listener) => this.#lost.event(listener);

  readonly onDidExit: Event<CliExit> = (listener) => {
    let wanted = true;
    void this.#transport.exited.then((exit) => {
      if (wanted) listener(exit);
    });
    return { dispose: () => (wanted = false) };
  };

  async initialize(
    options: InitializeOptions,
    request?: RequestOptions,
  ): Promise<InitializeResult> {
    const answer = await this.#channel.request('initialize', options, request);
    const { pending_permission_requests: calls, pending_elicitation_requests: forms } = answer;
    for (const pending of [...(calls ?? []), ...(forms ?? [])]) this.#recover(pending);
    return {
      ...read(initializeResultSchema, answer.response, 'initialize'),
      pending_permission_requests: answer.pending_permission_requests ?? [],
      pending_user_dialog_requests: answer.pending_user_dialog_requests ?? [],
    };
  }

  sendPrompt({ uuid, content, priority, clientComposed }: Prompt): Promise<void> {
    return this.#write({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: '',
      uuid,
      ...(priority === undefined ? {} : { priority }),
      ...(clientComposed === true ? { client_composed: true } : {}),
    });
  }

  async interrupt({ cancelQueued }: { cancelQueued: boolean }): Promise<InterruptResult> {
    const body = cancelQueued ? { cancel_queued: true } : {};
    return read(interruptResultSchema, await this.request('interrupt', body), 'interrupt');
  }

  async setPermissionMode(mode: PermissionMode) {
    const body = await this.request('set_permission_mode', { mode });
    return read(setPermissionModeResultSchema, body, 'set_permission_mode');
  }

  async setModel(model: string | null) {
    return read(setModelResultSchema, await this.request('set_model', { model }), 'set_model');
  }

  async request<S extends OutboundSubtype>(
    subtype: S,
    body: OutboundRequests[S],
    options?: RequestOptions,
  ): Promise<Record<string, unknown>> {
    const { response } = await this.#channel.request(subtype, body, options);
    return isJsonObject(response) ? response : {};
  }

  strays(): Promise<number> {
    return this.#transport.strays();
  }

  async dispose(): Promise<CliExit> {
    this.#interruptLast();
    // First the wire: an answer that a handler gives while it ends still reaches nobody.
    const exit = this.#transport.close();
    this.#channel.close('The conversation was closed');
    return await exit;
  }

  /**
   * Else the CLI would play its turn to the end although its input is closed, or wait for its
   * background tasks. It ends its shell commands and writes down how far it came. Idle it ignores it.
   */
  #interruptLast(): void {
    this.#write({
      type: 'control_request',
      request_id: 'host-end',
      request: { subtype: 'interrupt', cancel_queued: true },
    }).catch(() => undefined);
  }

  #recover(pending: unknown): void {
    const parsed = interpretMessage(pending);
    if (parsed.ok && parsed.message.type === 'control_request') {
      this.#channel.recover(parsed.message);
    }
  }

  #write(message: OutboundMessage): Promise<void> {
    traceFrame(this.#log, 'out', message);
    this.#wire.tap?.sent(message);
    return this.#transport.write(message);
  }

  #receive(line: string): void {
    this.#wire.tap?.received(line);
    const parsed = this.#reader.read(line);
    traceFrame(this.#log, 'in', parsed.ok ? parsed.message : undefined, line);
    if (parsed.ok) {
      this.#dispatch(parsed.message);
      return;
    }
    if (parsed.kind === 'corrupt') {
      this.#corruptLines += 1;
      if (!isWorthALine(this.#corruptLines)) return;
      const place = shortName(parsed.place);
      this.#log.error(
        `A ${parsed.type} message does not fit, line ${this.#corruptLines} of this kind: ${place}`,
      );
      return;
    }
    this.#noiseLines += 1;
    if (!isWorthALine(this.#noiseLines)) return;
    this.#log.info(
      `Not a message (${parsed.reason}), line ${this.#noiseLines} of this kind: ${this.#noise(line)}`,
    );
  }

  #noise(line: string): string {
    // Such as half a message, whose end a kill has cut off: what was said stands in it.
    if (/^\s*\{/.test(line)) return `${line.length} characters`;
    // Debug output of whatever prints there: it may name a key.
    const start = maskSecrets(line.slice(0, MAX_LOOKED_AT), [...this.#wire.secrets]);
    return start.slice(0, MAX_NOISE);
  }

  #dispatch(message: CliMessage): void {
    if (
      message.type === 'control_request' ||
      message.type === 'control_response' ||
      message.type === 'control_cancel_request'
    ) {
      this.#channel.receive(message);
      return;
    }
    if (message.type === 'unknown') {
      this.#logUnknownOnce(`type ${isJsonObject(message.raw) ? shortName(message.raw.type) : '?'}`);
    } else if (message.type === 'system' && message.subtype === 'unknown') {
      this.#logUnknownOnce(`system subtype ${shortName(message.name)}`);
    }
    if (this.#wasHeard) this.#messages.fire(message);
    else this.#held.push(message);
  }

  #logUnknownOnce(kind: string): void {
    if (this.#seenUnknown.has(kind) || this.#seenUnknown.size >= MAX_UNKNOWN_KINDS) return;
    this.#seenUnknown.add(kind);
    this.#log.info(`The CLI sends messages of an unknown ${kind}`);
  }
}

/** The first fifty, then every hundredth: a CLI that says nothing else must not fill the disk. */
function isWorthALine(count: number): boolean {
  return count <= 50 || count % 100 === 0;
}

/** Parses an answer at the edge; an answer that does not fit is an error of its own kind. */
function read<T extends $ZodType>(
  schema: LazySchema<T>,
  body: unknown,
  subtype: string,
): output<T> {
  const result = fit(schema(), body);
  if (result.ok) return result.value;
  throw new ControlRequestError(
    'unreadable',
    `The answer to ${subtype} does not fit: ${result.place}`,
  );
}
