import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpMcpServer {
  readonly url: string;
  /** The headers of each request, in order. */
  readonly headers: readonly IncomingMessage['headers'][];
  close(): Promise<void>;
}

/**
 * A small MCP server over HTTP on loopback, without sessions: each POST is answered with JSON. Its
 * tool `ping` answers `pong NAME`. With `token`, requests without it are refused.
 */
export async function startHttpServer(name: string, token?: string): Promise<HttpMcpServer> {
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    const isAllowed = token === undefined || request.headers.authorization === `Bearer ${token}`;
    if (request.method !== 'POST' || !isAllowed) {
      end(response, request.method === 'POST' ? 401 : 405);
      return;
    }
    void readBody(request).then((text) => {
      // A JSON-RPC frame of the CLI.
      const message = JSON.parse(text) as Frame;
      const answer = { jsonrpc: '2.0', id: message.id, result: resultOf(message, name) };
      if (message.id === undefined) end(response, 202);
      else end(response, 200, JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

interface Frame {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

function resultOf({ method, params }: Frame, name: string): object {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name, version: '1.0.0' },
      };
    case 'tools/list':
      return {
        tools: [
          {
            name: 'ping',
            description: 'Answers.',
            inputSchema: { type: 'object' },
            _meta: { 'anthropic/alwaysLoad': true },
          },
        ],
      };
    case 'tools/call':
      return { content: [{ type: 'text', text: `pong ${name}` }] };
    default:
      return {};
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function end(response: ServerResponse, status: number, body = ''): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body);
}
