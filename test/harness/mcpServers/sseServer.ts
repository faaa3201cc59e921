import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
// The transport that older servers speak: the SDK still has it for them.
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server over SSE on loopback, made with the official SDK. Its tool `ping` answers `pong sse`. */
export async function startSseServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = new McpServer({ name: 'sse', version: '1.0.0' });
  server.registerTool('ping', { description: 'Answers.' }, () => ({
    content: [{ type: 'text', text: 'pong sse' }],
  }));
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  let transport: SSEServerTransport | undefined;
  const http = createServer((request, response) => {
    if (request.method === 'GET') {
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      transport = new SSEServerTransport('/messages', response);
      void server.connect(transport);
    } else void transport?.handlePostMessage(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/sse`,
    close: async () => {
      await server.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
