import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SessionServer {
  readonly url: string;
  /** How many sessions were begun. */
  readonly begun: number;
  /** Forgets all sessions, as a restart does, and offers these tools from now on. */
  restart(tools: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * A server over HTTP on loopback, made with the official SDK, that keeps sessions. Its tools answer
 * with their names. A request of a session that it does not know is refused with `refusal`.
 */
export async function startSessionServer(
  refusal: number,
  first: readonly string[],
): Promise<SessionServer> {
  let tools = first;
  let begun = 0;
  let sessions = new Map<string, StreamableHTTPServerTransport>();
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    begun += 1;
    const server = new McpServer({ name: 'sessions', version: '1.0.0' });
    for (const name of tools) {
      server.registerTool(name, {}, () => ({ content: [{ type: 'text', text: name }] }));
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await server.connect(transport);
    return transport;
  };
  const http = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const id = request.headers['mcp-session-id'];
      const transport = id === undefined ? await begin() : sessions.get(String(id));
      if (transport) await transport.handleRequest(request, response, body);
      else response.writeHead(refusal).end('No such session');
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  // It listens on a port.
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    get begun() {
      return begun;
    },
    restart: (now) => {
      tools = now;
      sessions = new Map();
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}
