// A small MCP server over HTTP on loopback, a process of its own: see served.mjs.
// Usage: node httpProgram.mjs NAME; its address is the one line on stdout. It ends with its stdin.
// @ts-check
import { createServer } from 'node:http';
import process from 'node:process';
import { answerTo } from './served.mjs';

const [name = 'http'] = process.argv.slice(2);

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  let text = '';
  request.setEncoding('utf8').on('data', (part) => (text += part));
  request.on('end', () => {
    const message = JSON.parse(text);
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    void answerTo(name, message).then((result) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  console.log(`http://127.0.0.1:${String(port)}/mcp`);
});
process.stdin.resume().on('end', () => process.exit());
