import { createDeferred, type Deferred } from '../base/deferred';
import type { ControlResponseBody } from '../protocol/controlResults';
import type {
  OutboundControlRequest,
  OutboundMessage,
  OutboundRequests,
  OutboundSubtype,
} from '../protocol/outboundRequests';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Without one only the end of the CLI ends the wait. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Why a request to the CLI has no answer. `refused`: the CLI answered with an error, `code` is its
 * `error_code` (`unsupported_request` tells an old CLI). `closed`: it ended first.
 */
export class ControlRequestError extends Error {
  constructor(
    readonly kind: 'refused' | 'closed' | 'timedOut' | 'aborted' | 'unreadable',
    message: string,
    options: { cause?: unknown; code?: string | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ControlRequestError';
    this.code = options.code;
  }

  readonly code: string | undefined;
}

type Success = Extract<ControlResponseBody, { subtype: 'success' }>;

interface Waiting {
  readonly subtype: string;
  readonly answer: Deferred<Success>;
  /** Lets go of the timer and of the signal. */
  readonly release: () => void;
}

/** Requests to the CLI that wait for their answers; each is settled once, whatever happens. */
export class OutboundCalls {
  readonly #send: (message: OutboundMessage) => Promise<void>;
  readonly #waiting = new Map<string, Waiting>();
  #count = 0;
  #failure: ControlRequestError | undefined;

  constructor(send: (message: OutboundMessage) => Promise<void>) {
    this.#send = send;
  }

  request<S extends OutboundSubtype>(
    subtype: S,
    body: OutboundRequests[S],
    { signal, timeoutMs }: RequestOptions = {},
  ): Promise<Success> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (signal?.aborted === true) return Promise.reject(aborted(subtype, signal));
    const id = `host-${(this.#count += 1)}`;
    const answer = createDeferred<Success>();
    const onAbort = (): void => {
      if (signal !== undefined) this.#giveUp(id, aborted(subtype, signal));
    };
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => this.#giveUp(id, timedOut(subtype, timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    this.#waiting.set(id, { subtype, answer, release });
    // Subtype and body belong together by the signature; the union cannot be built generically.
    const message = {
      type: 'control_request',
      request_id: id,
      request: { ...body, subtype },
    } as unknown as OutboundControlRequest;
    this.#send(message).catch((cause: unknown) => {
      const reason = `The request ${subtype} could not be sent`;
      this.#fail(id, new ControlRequestError('closed', reason, { cause }));
    });
    return answer.promise;
  }

  /** False when nobody waits for this answer. */
  settle(response: ControlResponseBody): boolean {
    const waiting = this.#take(response.request_id);
    if (waiting === undefined) return false;
    if (response.subtype === 'success') waiting.answer.resolve(response);
    else if (response.subtype === 'malformed') {
      const reason = `The answer to ${waiting.subtype} cannot be read: ${response.place}`;
      waiting.answer.reject(new ControlRequestError('unreadable', reason));
    } else {
      const message = response.error ?? `The CLI refused ${waiting.subtype}`;
      waiting.answer.reject(
        new ControlRequestError('refused', message, { code: response.error_code }),
      );
    }
    return true;
  }

  /** Fails all that wait, and all that come. */
  failAll(error: ControlRequestError): void {
    this.#failure = error;
    for (const id of [...this.#waiting.keys()]) this.#fail(id, error);
  }

  #giveUp(id: string, error: ControlRequestError): void {
    if (!this.#waiting.has(id)) return;
    this.#fail(id, error);
    this.#send({ type: 'control_cancel_request', request_id: id }).catch(() => undefined);
  }

  #fail(id: string, error: ControlRequestError): void {
    this.#take(id)?.answer.reject(error);
  }

  #take(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.release();
    return waiting;
  }
}

function aborted(subtype: string, signal: AbortSignal): ControlRequestError {
  return new ControlRequestError('aborted', `The request ${subtype} was given up`, {
    cause: signal.reason,
  });
}

function timedOut(subtype: string, timeoutMs: number): ControlRequestError {
  return new ControlRequestError('timedOut', `No answer to ${subtype} within ${timeoutMs} ms`);
}
