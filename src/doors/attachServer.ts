import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { errorCode } from '../base/errors';
import { Emitter } from '../base/event';
import { changedLogger } from '../base/logger';
import { untilAborted } from '../base/untilAborted';
import { foreignFailure } from '../mcp/foreignFailure';
import type { ForeignCall } from '../mcp/foreignServer';
import { RPC_NOT_FOUND, RpcError } from '../mcp/jsonRpc';
import {
  createPeerServer,
  type ForeignNotice,
  type ForeignPeer,
  type PeerServer,
} from '../mcp/peerServer';
import { type InitializeResult, isRecord, type JsonObject, ownField } from '../mcp/wire';
import { withoutPatterns } from '../mcp/withoutPatterns';
import type { AttachedEntry } from './attachedEntry';
import { createTransport, type TransportOptions } from './createTransport';
import { lenientHandshake } from './lenientHandshake';

export interface AttachOptions extends TransportOptions {
  readonly source?: string;
  /** Milliseconds that the start may take, 30,000 by default. */
  readonly readyWithinMs?: number;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
}

const READY_WITHIN_MS = 30_000;
/** The longest time of a timer: the router keeps the clock of each call. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Connects to an external server from this process and offers it as one of ours: for servers that
 * only this machine reaches. Disposing of it ends a server that was started for it.
 * @throws what went wrong; nothing of it is left then
 */
export async function attachServer(given: AttachOptions): Promise<PeerServer> {
  const { name, source, readyWithinMs = READY_WITHIN_MS, signal, mask = asItIs } = given;
  // What it says, and why something of it failed, may hold what it was given.
  const log = changedLogger(given.log, mask);
  const options = { ...given, log };
  const client = await connect(options);
  try {
    const initialized = handshakeOf(client);
    const isRemote = options.entry.type !== 'stdio';
    const peer = new ClientPeer(client, { connect: () => connect(options), isRemote, mask });
    const timeout = timeoutOf(options.entry);
    const ready = createPeerServer(peer, {
      ...{ name, source, log, timeout },
      initialized,
      readyWithinMs,
    });
    return await untilAborted(ready, signal);
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Of one call, as the CLI takes it from the entry. */
function timeoutOf({ timeout }: AttachedEntry): number | undefined {
  return typeof timeout === 'number' && timeout > 0 ? timeout : undefined;
}

/** @throws what went wrong, or the reason of the signal; nothing of it is left then */
async function connect(options: AttachOptions): Promise<Client> {
  const { readyWithinMs: timeout = READY_WITHIN_MS, signal } = options;
  const client = new Client(
    { name: 'patchbay', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  );
  try {
    const transport = await createTransport(options);
    const mended = lenientHandshake(transport, options.name, options.log);
    const connecting = client.connect(mended, { timeout });
    await untilAborted(connecting, signal);
    return client;
  } catch (error) {
    await client.close();
    throw error instanceof McpError ? withoutPrefix(foreignFailure(error)) : withCause(error);
  }
}

function handshakeOf(client: Client): InitializeResult {
  const { name = '', version = '', title } = client.getServerVersion() ?? {};
  const instructions = client.getInstructions();
  return {
    protocolVersion: '2025-11-25',
    capabilities: { ...client.getServerCapabilities() },
    serverInfo: { name, version, ...(title === undefined ? {} : { title }) },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

interface PeerOptions {
  /** Makes another connection to the same server. */
  readonly connect: () => Promise<Client>;
  /** It may go on where a connection to it is lost. */
  readonly isRemote: boolean;
  /** Takes secrets out of what it says of a failure. */
  readonly mask: (text: string) => string;
}

class ClientPeer implements ForeignPeer {
  readonly #options: PeerOptions;
  readonly #noticed = new Emitter<ForeignNotice>();
  readonly #closed = new Emitter<void>();
  readonly #calls = new Set<ForeignCall>();
  #client: Client;
  #renewing: Promise<void> | undefined;
  #isOver = false;

  readonly onDidNotify = this.#noticed.event;
  readonly onDidClose = this.#closed.event;

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
      const { mask } = this.#options;
      throw withoutPrefix(foreignFailure(withCause(error)), mask);
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
    this.#closed.dispose();
    this.#noticed.dispose();
    this.#client.close().catch(() => undefined);
  }

  #listenTo(client: Client): void {
    client.fallbackNotificationHandler = ({ method, params }) => {
      this.#noticed.fire({ method, params });
      return Promise.resolve();
    };
    client.onclose = () => {
      // A remote one is connected to anew by the next request: one that cuts each connection would be so all the time.
      if (this.#client === client && !this.#options.isRemote) this.#closed.fire();
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
    for (const list of ['tools', 'resources', 'prompts']) {
      this.#noticed.fire({ method: `notifications/${list}/list_changed`, params: undefined });
    }
  }

  /** Over these transports a server does not say for which call it asks. */
  async #serve(method: string, params: unknown, withdrawn: AbortSignal) {
    const schema = ownField(params, 'requestedSchema');
    if (method !== 'elicitation/create' || !isRecord(schema)) {
      throw new RpcError(RPC_NOT_FOUND, `Method '${method}' not supported`);
    }
    const [call, ...others] = this.#calls;
    if (call === undefined || others.length > 0) {
      throw new RpcError(RPC_NOT_FOUND, 'It is not clear for which call this is asked');
    }
    // Came as JSON.
    const form = { ...withoutPatterns(schema as JsonObject), type: 'object' as const };
    const text = ownField(params, 'message');
    return { ...(await call.ask(form, typeof text === 'string' ? text : '', withdrawn)) };
  }
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
  if (transport?.sessionId === undefined || error instanceof McpError) return false;
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 404 || (error.code === 400 && /session|initiali[sz]/i.test(error.message));
}

function isClosed({ transport }: Client): boolean {
  return transport === undefined;
}

/** `fetch` says why it failed in its cause only. */
function withCause(error: unknown): unknown {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  const why = error.cause.message || errorCode(error.cause);
  return why === undefined ? error : new Error(`${error.message}: ${why}`, { cause: error });
}

const asItIs = (text: string): string => text;

/** The SDK puts the code into the text, where the model would read it. */
function withoutPrefix(error: RpcError, mask = asItIs): RpcError {
  const text = mask(error.message.replace(/^MCP error -?\d+: /, ''));
  return new RpcError(error.code, text, { cause: error });
}
