import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  InitializeRequestSchema,
  type Notification,
  type Request,
  type Result,
} from '@modelcontextprotocol/sdk/types.js';
import { RpcError } from './jsonRpc';
import type { McpServerDefinition } from './mcpServer';
import type { Router } from './router';
import { isRecord } from './wire';

export interface SdkServerOptions {
  readonly server: McpServerDefinition;
  /** Of one client: its `notify` option hands messages to {@link SdkServer.send}. */
  readonly router: Pick<Router, 'route'>;
}

/**
 * What the SDK lets through: of all kinds something may come later. What the client is told is the
 * router's own answer to `initialize`.
 */
const MAY_SEND = {
  logging: {},
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
};

/** A server of ours behind the MCP SDK's low-level server, for a transport of the SDK's. */
export interface SdkServer {
  /** Connected by its owner to a transport. */
  // The SDK deprecates it in favour of its own registries; ours is what shall answer.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  readonly sdk: Server;
  /** Sends a notification of the router's. */
  send(message: object): void;
}

/**
 * The same table of methods for a client that speaks through a transport of the SDK's. The SDK keeps
 * ids and cancellations on its side; each request goes to the router as the CLI's would.
 */
export function createSdkServer({ server, router }: SdkServerOptions): SdkServer {
  const { name, version } = server;
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const sdk = new Server({ name, version }, { capabilities: { ...MAY_SEND } });
  let count = 0;
  const route = (message: object): ReturnType<Router['route']> =>
    router.route(name, message, { requestId: `sdk-${(count += 1)}` });
  const answer = async (
    { method, params }: Request,
    { requestId: id, signal }: RequestHandlerExtra<Request, Notification>,
  ): Promise<Result> => {
    const cancel = (): void => {
      void route(notification('notifications/cancelled', { requestId: id }));
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const reply = await route({ jsonrpc: '2.0', id, method, params });
      if ('error' in reply) throw new RpcError(reply.error.code, reply.error.message);
      return { ...reply.result };
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
  sdk.setRequestHandler(InitializeRequestSchema, answer);
  // What the SDK would answer by itself.
  for (const method of ['ping', 'logging/setLevel']) sdk.removeRequestHandler(method);
  sdk.fallbackRequestHandler = answer;
  sdk.fallbackNotificationHandler = async ({ method, params }) => {
    await route(notification(method, params));
  };
  return {
    sdk,
    send: (message) => {
      if (!isRecord(message) || typeof message.method !== 'string') return;
      const params = isRecord(message.params) ? message.params : undefined;
      // A client that has gone, or never said that it wants such, misses it.
      sdk.notification({ method: message.method, params }).catch(() => undefined);
    },
  };
}

function notification(method: string, params: unknown): object {
  return { jsonrpc: '2.0', method, params };
}
