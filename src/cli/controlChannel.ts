import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { InboundRequest, KnownInboundRequest } from '../protocol/controlRequests';
import type { ControlResponseBody } from '../protocol/controlResults';
import type {
  ControlCancelRequestMessage,
  ControlRequestMessage,
  ControlResponseMessage,
  RequestId,
} from '../protocol/messages';
import type {
  OutboundControlResponse,
  OutboundMessage,
  OutboundRequests,
  OutboundSubtype,
} from '../protocol/outboundRequests';
import { shortName } from './frameTrace';
import { TransportClosedError, WRITTEN } from './lineTransport';
import { ControlRequestError, OutboundCalls, type RequestOptions } from './outboundCalls';

/** Beside a request: whose answer is awaited, and a signal that fires when it no longer is. */
export interface ControlContext {
  readonly requestId: string;
  /** Made on first use: thousands of calls a second never look at it. */
  readonly signal: AbortSignal;
}

type Answer = Readonly<Record<string, unknown>>;
type Handler<R> = (request: R, context: ControlContext) => Promise<Answer> | Answer;

/** A handler by subtype. One that is left out makes its requests be answered with an error. */
export type ControlHandlers = {
  readonly [S in KnownInboundRequest['subtype']]?: Handler<
    Extract<KnownInboundRequest, { subtype: S }>
  >;
};

export interface ControlChannelOptions {
  send(message: OutboundMessage): Promise<void>;
  readonly handlers: ControlHandlers;
  readonly log: Logger;
}

export type ControlMessage =
  ControlRequestMessage | ControlResponseMessage | ControlCancelRequestMessage;

/**
 * Requests in both directions. Every inbound one is answered exactly once by its own id, in
 * whatever order handlers finish; every outbound one is settled, at the latest by {@link close}.
 */
export interface ControlChannel {
  receive(message: ControlMessage): void;
  /** Takes a request that the CLI lists as open; one that is known is left alone. */
  recover(request: ControlRequestMessage): void;
  /** Resolves with the body of the success; rejects with {@link ControlRequestError}. */
  request<S extends OutboundSubtype>(
    subtype: S,
    body: OutboundRequests[S],
    options?: RequestOptions,
  ): Promise<Extract<ControlResponseBody, { subtype: 'success' }>>;
  /** Fails what waits outward, aborts what runs inward; later answers are dropped. */
  close(reason: string): void;
}

/** Creates a {@link ControlChannel}. */
export function createControlChannel(options: ControlChannelOptions): ControlChannel {
  return new Channel(options);
}

class InboundCall implements ControlContext {
  /** As it came, for the answer. */
  readonly id: RequestId;
  #controller: AbortController | undefined;
  #cancelled: ControlRequestError | undefined;

  constructor(id: RequestId) {
    this.id = id;
  }

  get requestId(): string {
    return String(this.id);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cancelled) this.#controller.abort(this.#cancelled);
    return this.#controller.signal;
  }

  /** @param reason `closed` where the CLI has ended, `aborted` where it took the request back */
  cancel(reason: ControlRequestError): void {
    this.#cancelled = reason;
    this.#controller?.abort(reason);
  }
}

class Channel implements ControlChannel {
  readonly #options: ControlChannelOptions;
  readonly #open = new Map<RequestId, InboundCall>();
  readonly #outbound: OutboundCalls;
  /** Questions that came, answered ones too: the CLI may list one whose answer is under way. */
  readonly #asked = new Set<RequestId>();
  #ended: ControlRequestError | undefined;
  /** The write that answers wait for, since the CLI reads slowly. */
  #waited: Promise<void> | undefined;

  constructor(options: ControlChannelOptions) {
    this.#options = options;
    this.#outbound = new OutboundCalls((message) => options.send(message));
  }

  receive(message: ControlMessage): void {
    switch (message.type) {
      case 'control_request':
        this.#accept(message);
        return;
      case 'control_response':
        if (!this.#outbound.settle(message.response)) {
          const { request_id: id } = message.response;
          this.#options.log.debug(`Answer to an unknown request ${shortName(id)}`);
        }
        return;
      case 'control_cancel_request':
        this.#cancel(message.request_id);
        return;
    }
  }

  recover(request: ControlRequestMessage): void {
    if (this.#asked.has(request.request_id)) return;
    this.#options.log.warn(
      `A request that had been lost is taken up: ${shortName(request.request_id)}`,
    );
    this.#accept(request);
  }

  request<S extends OutboundSubtype>(
    subtype: S,
    body: OutboundRequests[S],
    options?: RequestOptions,
  ) {
    return this.#outbound.request(subtype, body, options);
  }

  close(reason: string): void {
    if (this.#ended !== undefined) return;
    const ended = new ControlRequestError('closed', reason);
    this.#ended = ended;
    this.#outbound.failAll(ended);
    const calls = [...this.#open.values()];
    this.#open.clear();
    for (const call of calls) call.cancel(ended);
  }

  #accept({ request_id: id, request }: ControlRequestMessage): void {
    if (this.#ended !== undefined) return;
    if (this.#open.has(id)) {
      this.#options.log.warn(`A second request with the id ${shortName(id)} was ignored`);
      return;
    }
    const call = new InboundCall(id);
    const { subtype } = request;
    if (subtype === 'can_use_tool' || subtype === 'elicitation') this.#asked.add(id);
    try {
      const answer = this.#handle(request, call);
      if (answer instanceof Promise) this.#await(call, answer);
      else this.#send(success(call, answer));
    } catch (error) {
      this.#send(this.#failure(call, error));
    }
  }

  /** Only what takes time is open: thousands of calls a second have their answer at once. */
  #await(call: InboundCall, answer: Promise<Answer>): void {
    if (this.#ended === undefined) this.#open.set(call.id, call);
    else call.cancel(this.#ended);
    answer.then(
      (value) => this.#answer(call, success(call, value)),
      (error: unknown) => this.#answer(call, this.#failure(call, error)),
    );
  }

  #handle(request: InboundRequest, call: InboundCall): Promise<Answer> | Answer {
    const { handlers, log } = this.#options;
    switch (request.subtype) {
      case 'mcp_message':
        return runHandler(handlers.mcp_message, request, call);
      case 'can_use_tool':
        return runHandler(handlers.can_use_tool, request, call);
      case 'hook_callback':
        return runHandler(handlers.hook_callback, request, call);
      case 'elicitation':
        return runHandler(handlers.elicitation, request, call);
      case 'request_user_dialog':
        return runHandler(handlers.request_user_dialog, request, call);
      case 'malformed':
        log.warn(`Control request ${request.name} does not fit: ${request.place}`);
        throw new Error(`Invalid control request ${request.name}: ${request.place}`);
      case 'unknown':
        log.warn(`Control request of an unknown subtype: ${shortName(request.name)}`);
        throw new UnsupportedError(request.name);
    }
  }

  #cancel(id: RequestId): void {
    const call = this.#open.get(id);
    if (call === undefined) {
      // The list that still has it may be read after this: then nobody would wait for its answer.
      this.#asked.add(id);
      this.#options.log.debug(`Cancel of an unknown request ${shortName(id)}`);
      return;
    }
    this.#open.delete(id);
    call.cancel(new ControlRequestError('aborted', 'The CLI took the request back'));
  }

  #failure(call: InboundCall, error: unknown): OutboundControlResponse['response'] {
    const text = errorMessage(error);
    if (!(error instanceof UnsupportedError)) {
      this.#options.log.warn(`Control request ${shortName(call.id)} failed: ${text}`);
    }
    return { subtype: 'error', request_id: call.id, error: text };
  }

  #answer(call: InboundCall, response: OutboundControlResponse['response']): void {
    // Cancelled meanwhile, or the channel was closed: nobody waits any more.
    if (this.#open.get(call.id) !== call) return;
    this.#open.delete(call.id);
    this.#send(response);
  }

  #send(response: OutboundControlResponse['response']): void {
    if (this.#ended !== undefined) return;
    try {
      const sent = this.#options.send({ type: 'control_response', response });
      // Those that wait for a full pipe have one promise, and what becomes of it is told once.
      if (sent === WRITTEN || sent === this.#waited) return;
      this.#waited = sent;
      sent.catch((error: unknown) => this.#unsent(response, error));
    } catch (error) {
      this.#unsent(response, error);
    }
  }

  /** Where the answer itself was the fault the CLI is told so, since it waits. */
  #unsent(response: OutboundControlResponse['response'], error: unknown): void {
    const { request_id } = response;
    this.#options.log.debug(`Answer ${shortName(request_id)} was not sent: ${errorMessage(error)}`);
    if (response.subtype === 'error' || error instanceof TransportClosedError) return;
    this.#send({ subtype: 'error', request_id, error: errorMessage(error) });
  }
}

function success({ id }: InboundCall, response: Answer): OutboundControlResponse['response'] {
  return { subtype: 'success', request_id: id, response };
}

class UnsupportedError extends Error {
  constructor(subtype: string | undefined) {
    super(`Unsupported control request subtype: ${shortName(subtype)}`);
  }
}

function runHandler<R extends KnownInboundRequest>(
  handler: Handler<R> | undefined,
  request: R,
  call: InboundCall,
): Promise<Answer> | Answer {
  if (handler === undefined) throw new UnsupportedError(request.subtype);
  return handler(request, call);
}
