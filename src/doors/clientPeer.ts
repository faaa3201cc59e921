import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Emitter } from '../base/event';
import { askForCalls } from '../mcp/foreignQuestion';
import type { ForeignCall } from '../mcp/foreignServer';
import { LIST_KINDS, listChanged } from '../mcp/listKind';
import type { ForeignNotice, ForeignPeer } from '../mcp/peerServer';
import type { InitializeResult } from '../mcp/wire';
import { LostSession } from './lostSession';
import { toldFailure } from './toldFailure';

/** The longest time of a timer: the router keeps the clock of each call. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** From the loss of a connection to the next one; twice as long each time, up to the other. */
const AGAIN_MS = 1_000;
const AGAIN_AT_MOST_MS = 60_000;
/** A connection that has lasted so long was no failure. */
const LASTING_MS = 120_000;

export interface PeerOptions {
  /** Makes another connection to the same server. */
  readonly connect: () => Promise<Client>;
  /** It may go on where a connection to it is lost. */
  readonly isRemote: boolean;
  /** Takes secrets out of what it says of a failure. */
  readonly mask: (text: string) => string;
}

/** A server that this process is connected to, for all conversations. */
export class ClientPeer implements ForeignPeer {
  readonly #options: PeerOptions;
  readonly #noticed = new Emitter<ForeignNotice>();
  readonly #closed = new Emitter<void>();
  readonly #renewed = new Emitter<InitializeResult>();
  readonly #calls = new Set<ForeignCall>();
  #client: Client;
  #renewing: Promise<void> | undefined;
  #isOver = false;
  /** Connections that were lost soon one after the other. */
  #losses = 0;
  #lostAt = 0;
  #again: ReturnType<typeof setTimeout> | undefined;

  readonly onDidNotify = this.#noticed.event;
  readonly onDidClose = this.#closed.event;
  readonly onDidRenew = this.#renewed.event;

  constructor(client: Client, options: PeerOptions) {
    this.#options = options;
    this.#client = client;
    this.#listenTo(client);
  }

  async request(method: string, params: unknown, call?: ForeignCall): Promise<object> {
    if (call !== undefined) this.#calls.add(call);
    try {
      if (this.#options.isRemote && isClosed(this.#client) && !this.#isOver)
        await this.#renew(this.#client);
      const client = this.#client;
      try {
        return await send(client, method, params, call);
      } catch (error) {
        if (this.#isOver || !hasLostSession(client, error)) throw error;
        // It did nothing with what it does not know the session of.
        await this.#renew(client);
        return await send(this.#client, method, params, call);
      }
    } catch (error) {
      throw toldFailure(error, this.#options.mask);
    } finally {
      if (call !== undefined) this.#calls.delete(call);
    }
  }

  notify(method: string, params?: unknown): void {
    // As it came from the CLI.
    const notification = { method, params: params as Record<string, unknown> | undefined };
    this.#client.notification(notification).catch(() => undefined);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#again);
    this.#closed.dispose();
    this.#noticed.dispose();
    this.#renewed.dispose();
    this.#client.close().catch(() => undefined);
  }

  #listenTo(client: Client): void {
    client.fallbackNotificationHandler = ({ method, params }) => {
      this.#noticed.fire({ method, params });
      return Promise.resolve();
    };
    client.onclose = () => {
      if (this.#client !== client || this.#isOver) return;
      if (this.#options.isRemote) this.#comeBack(client);
      else this.#closed.fire();
    };
    // Not by the SDK's own way, which refuses a form for a field that it does not know.
    client.fallbackRequestHandler = ({ method, params }, { signal }) =>
      this.#serve(method, params, signal);
  }

  /** Once for all requests that failed with this connection. @throws what the server answers */
  async #renew(lost: Client): Promise<void> {
    if (this.#client === lost) {
      this.#renewing ??= this.#connectAnew().finally(() => (this.#renewing = undefined));
    }
    await this.#renewing;
  }

  async #connectAnew(): Promise<void> {
    const lost = this.#client;
    const client = await this.#options.connect();
    this.#client = client;
    this.#listenTo(client);
    lost.close().catch(() => undefined);
    if (this.#isOver) await client.close();
    // It may be another version of the server by now.
    this.#renewed.fire(handshakeOf(client));
    for (const kind of LIST_KINDS) {
      this.#noticed.fire({ method: listChanged(kind).method, params: undefined });
    }
  }

  /** Not waited for until something is asked: what it offers may be another by then, and is to be told. */
  #comeBack(client: Client): void {
    const now = Date.now();
    this.#losses = now - this.#lostAt > LASTING_MS ? 1 : this.#losses + 1;
    this.#lostAt = now;
    const delay = Math.min(AGAIN_MS * 2 ** (this.#losses - 1), AGAIN_AT_MOST_MS);
    clearTimeout(this.#again);
    this.#again = setTimeout(() => {
      if (this.#isOver || this.#client !== client) return;
      this.#renew(client).catch(() => {
        if (!this.#isOver && this.#client === client) this.#comeBack(client);
      });
    }, delay);
  }

  /** Over these transports a server does not say for which call it asks. */
  async #serve(method: string, params: unknown, withdrawn: AbortSignal): Promise<object> {
    const asked = await askForCalls(() => [...this.#calls], { method, params, withdrawn });
    return { ...asked };
  }
}

/** What the server said to `initialize`. */
export function handshakeOf(client: Client): InitializeResult {
  const { name = '', version = '', title } = client.getServerVersion() ?? {};
  const instructions = client.getInstructions();
  return {
    protocolVersion: '2025-11-25',
    capabilities: { ...client.getServerCapabilities() },
    serverInfo: { name, version, ...(title === undefined ? {} : { title }) },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function send(
  client: Client,
  method: string,
  params: unknown,
  call: ForeignCall | undefined,
): Promise<object> {
  // Checked by the server; what it does not like comes back as its own error.
  const request = { method, params: params as Record<string, unknown> | undefined };
  return client.request(request, ResultSchema, {
    timeout: NO_LIMIT_MS,
    ...(call === undefined
      ? {}
      : {
          signal: call.signal,
          onprogress: ({ progress, total, message }) => {
            call.progress(progress, total, message);
          },
        }),
  });
}

/**
 * Whether the server does not know the session any more, as after its own restart: by the protocol
 * it says 404 then, and servers made after the SDK's example say 400, which may also be the answer
 * to a call that has run in part: only one that speaks of the session means that.
 */
function hasLostSession({ transport }: Client, error: unknown): boolean {
  if (error instanceof LostSession) return true;
  if (transport?.sessionId === undefined || error instanceof McpError) return false;
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 404 || (error.code === 400 && /session|initiali[sz]/i.test(error.message));
}

function isClosed({ transport }: Client): boolean {
  return transport === undefined;
}
