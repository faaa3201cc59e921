import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Emitter } from '../base/event';
import type { Logger } from '../base/logger';
import { foreignFailure } from '../mcp/foreignFailure';
import type { ForeignCall } from '../mcp/foreignServer';
import { RPC_NOT_FOUND, RpcError } from '../mcp/jsonRpc';
import {
  createPeerServer,
  type ForeignNotice,
  type ForeignPeer,
  type PeerServer,
} from '../mcp/peerServer';
import type { InitializeResult } from '../mcp/wire';
import { OutputLines } from './outputLines';

/** How to reach a server that runs elsewhere, as its configuration has it. */
export type AttachedEntry =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface AttachOptions {
  readonly name: string;
  readonly entry: AttachedEntry;
  /** Environment and folder of a server that is started. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly source?: string;
  /** Milliseconds that the start may take, 30,000 by default. */
  readonly readyWithinMs?: number;
  readonly log: Logger;
  /** Takes secrets out of a whole line of the server's error output, which goes to the log. */
  readonly mask?: (text: string) => string;
}

const READY_WITHIN_MS = 30_000;
/** The longest time of a timer: the router keeps the clock of each call. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Connects to an external server from this process and offers it as one of ours: for servers that
 * only this machine reaches. Disposing of it ends a server that was started for it.
 * @throws what went wrong; nothing of it is left then
 */
export async function attachServer(options: AttachOptions): Promise<PeerServer> {
  const { name, source, log, readyWithinMs = READY_WITHIN_MS } = options;
  const client = new Client(
    { name: 'patchbay', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  );
  try {
    await client.connect(await createTransport(options), { timeout: readyWithinMs });
    const initialized = handshakeOf(client);
    const peer = new ClientPeer(client);
    return await createPeerServer(peer, { name, source, log, initialized, readyWithinMs });
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Each transport is loaded where it is needed. */
async function createTransport(options: AttachOptions): Promise<Transport> {
  const { entry, env, cwd } = options;
  if (entry.type === 'stdio') {
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const { command, args } = entry;
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...env, ...entry.env },
      cwd,
      stderr: 'pipe',
    });
    const { name, log, mask = (text: string) => text } = options;
    const lines = new OutputLines(mask, (line) => {
      log.info(`[${name}] ${line}`);
    });
    transport.stderr?.on('data', (chunk: Buffer) => {
      lines.push(chunk);
    });
    transport.stderr?.on('end', () => {
      lines.end();
    });
    return transport;
  }
  const url = new URL(entry.url);
  const requestInit = { headers: { ...entry.headers } };
  if (entry.type === 'sse') {
    // Older servers speak nothing else.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    return new SSEClientTransport(url, { requestInit });
  }
  const { StreamableHTTPClientTransport } =
    await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  return new StreamableHTTPClientTransport(url, { requestInit });
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

class ClientPeer implements ForeignPeer {
  readonly #client: Client;
  readonly #noticed = new Emitter<ForeignNotice>();
  readonly #closed = new Emitter<void>();
  readonly #calls = new Set<ForeignCall>();

  readonly onDidNotify = this.#noticed.event;
  readonly onDidClose = this.#closed.event;

  constructor(client: Client) {
    this.#client = client;
    client.fallbackNotificationHandler = ({ method, params }) => {
      this.#noticed.fire({ method, params });
      return Promise.resolve();
    };
    client.onclose = () => {
      this.#closed.fire();
    };
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
      this.#ask(params, signal),
    );
  }

  async request(method: string, params: unknown, call?: ForeignCall): Promise<object> {
    if (call !== undefined) this.#calls.add(call);
    try {
      // Checked by the server; what it does not like comes back as its own error.
      const request = { method, params: params as Record<string, unknown> | undefined };
      return await this.#client.request(request, ResultSchema, {
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
    } catch (error) {
      throw withoutPrefix(foreignFailure(error));
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
    this.#closed.dispose();
    this.#noticed.dispose();
    this.#client.close().catch(() => undefined);
  }

  /** Over these transports a server does not say for which call it asks. */
  async #ask(
    params: { readonly message: string; readonly requestedSchema?: unknown },
    withdrawn: AbortSignal,
  ) {
    const [call, ...others] = this.#calls;
    if (call === undefined || others.length > 0 || params.requestedSchema === undefined) {
      throw new RpcError(RPC_NOT_FOUND, 'It is not clear for which call this is asked');
    }
    const form = { ...(params.requestedSchema as object), type: 'object' as const };
    const answer = await call.ask(form, params.message, withdrawn);
    return answer.action === 'accept'
      ? { action: answer.action, content: answer.content as Record<string, string> }
      : { action: answer.action };
  }
}

/** The SDK puts the code into the text, where the model would read it. */
function withoutPrefix(error: RpcError): RpcError {
  const text = error.message.replace(/^MCP error -?\d+: /, '');
  return new RpcError(error.code, text, { cause: error });
}
