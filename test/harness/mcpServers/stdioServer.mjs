// A small MCP server over stdio. Its tool `ping` answers `pong NAME`, `env` tells a variable.
// Usage: node stdioServer.mjs NAME [START_LOG]; to START_LOG it appends a line with its pid.
// @ts-check
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

const [name = 'stdio', startLog] = process.argv.slice(2);
if (startLog !== undefined) appendFileSync(startLog, `${String(process.pid)}\n`);

/** @param {string} tool @param {string} description @param {object} properties */
const definition = (tool, description, properties = {}) => ({
  name: tool,
  description,
  inputSchema: { type: 'object', properties },
  annotations: { readOnlyHint: true },
  _meta: { 'anthropic/alwaysLoad': true },
});

/** @param {any} message */
function resultOf({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name, version: '1.0.0' },
      };
    case 'tools/list':
      return {
        tools: [
          definition('ping', 'Answers.'),
          definition('env', 'Tells a variable.', { name: { type: 'string' } }),
        ],
      };
    case 'tools/call': {
      const text =
        params.name === 'ping' ? `pong ${name}` : `=${process.env[params.arguments.name] ?? ''}`;
      return { content: [{ type: 'text', text }] };
    }
    default:
      return {};
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  const answer = { jsonrpc: '2.0', id: message.id, result: resultOf(message) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
