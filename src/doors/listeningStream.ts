import type { Disposable } from '../base/disposable';

/** From the last try of the SDK to the next one of ours, in milliseconds; twice as long each time, up to the other. */
const AGAIN_MS = 2_000;
const AGAIN_AT_MOST_MS = 60_000;
/** The server has no such stream. */
const NOT_ALLOWED = 405;
const NOT_FOUND = 404;

interface ListeningPorts {
  /** How often the SDK tries to have a stream again that was cut. */
  readonly maxRetries: number;
  /** Opens it. It rejects where that fails, which is told here as well. */
  readonly listen: () => Promise<void>;
  /** What the server said meanwhile was not heard. */
  readonly changed: () => void;
  /** Nothing can be heard until it is open again. */
  readonly deaf: () => void;
}

/**
 * The stream over which a server says what nobody has asked, such as that its tools have changed.
 * The SDK gives it up after two tries: here it is tried on for as long as the connection is wanted.
 */
export class ListeningStream implements Disposable {
  readonly #ports: ListeningPorts;
  #state: 'none' | 'opening' | 'open' | 'cut' = 'none';
  #misses = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(ports: ListeningPorts) {
    this.#ports = ports;
  }

  /** One is enough. */
  get isWanted(): boolean {
    return !this.#isOver && this.#state !== 'open';
  }

  get isDeaf(): boolean {
    return this.#state === 'none' || (this.#state === 'cut' && this.#isGivenUp);
  }

  /** @param request what is to open it */
  async through(request: () => Promise<Response>): Promise<Response> {
    const wasOpen = this.#state === 'cut';
    if (!wasOpen) this.#state = 'opening';
    let response: Response | undefined;
    try {
      response = await request();
    } finally {
      if (response?.ok !== true) this.#missed(wasOpen, response?.status);
    }
    const { ok, body, status, statusText, headers } = response;
    if (!ok || body === null) return response;
    this.#state = 'open';
    this.#misses = 0;
    if (wasOpen) this.#ports.changed();
    const watched = untilEnd(body, () => {
      this.#state = 'cut';
    });
    return new Response(watched, { status, statusText, headers });
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#again);
  }

  get #isGivenUp(): boolean {
    return this.#misses >= this.#ports.maxRetries;
  }

  #missed(wasOpen: boolean, status: number | undefined): void {
    this.#misses += 1;
    if (!wasOpen || status === NOT_ALLOWED) this.#state = 'none';
    // Where the session is gone, whatever is asked next has it made anew.
    else if (status === NOT_FOUND) this.#ports.changed();
    if (this.isDeaf) this.#ports.deaf();
    if (this.#state !== 'cut' || !this.#isGivenUp || this.#isOver) return;
    const doubled = AGAIN_MS * 2 ** (this.#misses - this.#ports.maxRetries);
    clearTimeout(this.#again);
    this.#again = setTimeout(
      () => {
        this.#ports.listen().catch(() => undefined);
      },
      Math.min(doubled, AGAIN_AT_MOST_MS),
    );
  }
}

/** The same stream; calls back when it has ended, however that came. */
function untilEnd(
  stream: ReadableStream<Uint8Array>,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        ended();
        controller.close();
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    cancel: (reason) => {
      ended();
      return reader.cancel(reason);
    },
  });
}
