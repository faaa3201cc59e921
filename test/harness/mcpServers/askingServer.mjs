// An MCP server over stdio that asks the person. Its tools `form` and `page` elicit, with the schema
// or the address of their arguments, and tell the answer as JSON. With `takeBack` they take back what
// was asked last.
// Usage: node askingServer.mjs NAME
// @ts-check
import process from 'node:process';
import { createInterface } from 'node:readline';

const [name = 'asking'] = process.argv.slice(2);
/** @type {Map<unknown, (answer: unknown) => void>} */
const waiting = new Map();
let asked = 0;

/** @param {object} message */
const send = (message) => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
};

/** @param {object} params @returns {Promise<unknown>} */
const elicit = (params) =>
  new Promise((resolve) => {
    const id = `ask-${String((asked += 1))}`;
    waiting.set(id, resolve);
    send({ id, method: 'elicitation/create', params });
  });

/** @param {string} tool @param {string} description */
const definition = (tool, description) => ({
  name: tool,
  description,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  _meta: { 'anthropic/alwaysLoad': true },
});

/** @param {any} message */
async function resultOf({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name, version: '1.0.0' },
      };
    case 'tools/list':
      return {
        tools: [definition('form', 'Asks by a form.'), definition('page', 'Opens a page.')],
      };
    case 'tools/call': {
      const { message = 'Please answer', schema, url, takeBack = false } = params.arguments ?? {};
      if (takeBack) {
        send({ method: 'notifications/cancelled', params: { requestId: `ask-${String(asked)}` } });
        return { content: [] };
      }
      const answer = await elicit(
        params.name === 'page'
          ? { mode: 'url', message, url, elicitationId: 'e1' }
          : { mode: 'form', message, requestedSchema: schema },
      );
      return { content: [{ type: 'text', text: `answer ${JSON.stringify(answer)}` }] };
    }
    default:
      return {};
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    waiting.get(message.id)?.(message.result ?? { error: message.error });
    waiting.delete(message.id);
  } else if (message.id !== undefined) {
    void resultOf(message).then((result) => send({ id: message.id, result }));
  }
});
