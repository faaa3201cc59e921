// What the small servers of the tests offer, whatever they speak over.
// @ts-check
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** @param {string} tool @param {string} description @param {Record<string, string>} fields Name to type. */
const definition = (tool, description, fields = {}) => ({
  name: tool,
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([field, type]) => [field, { type }]),
    ),
  },
  annotations: { readOnlyHint: true },
  _meta: { 'anthropic/alwaysLoad': true },
});

const TOOLS = [
  definition('ping', 'Answers.'),
  definition('env', 'Tells a variable.', { name: 'string' }),
  definition('large', 'Gives so many characters.', { characters: 'number' }),
  definition('meet', 'Answers once so many calls are there.', {
    folder: 'string',
    count: 'number',
  }),
];

/** @param {string} name @param {{ method: string, params?: any }} message @returns {Promise<object>} */
export async function answerTo(name, { method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name, version: '1.0.0' },
      };
    case 'tools/list':
      return { tools: TOOLS };
    case 'tools/call':
      return {
        content: [{ type: 'text', text: await called(name, params.name, params.arguments) }],
      };
    default:
      return {};
  }
}

/** @param {string} name @param {string} tool @param {any} input @returns {Promise<string>} */
async function called(name, tool, input) {
  switch (tool) {
    case 'env':
      return `=${process.env[input.name] ?? ''}`;
    case 'large':
      return linesOf(input.characters);
    case 'meet':
      return meet(input.folder, name, input.count);
    default:
      return `pong ${name}`;
  }
}

/** Text in lines, as a real result has it. @param {number} characters */
export function linesOf(characters) {
  return 'A line of sixty-four characters, as the output of a tool has it\n'
    .repeat(Math.ceil(characters / 64))
    .slice(0, characters);
}

/**
 * Puts a file into the folder and waits for those of the others: calls that overlap, in whatever
 * processes, meet there.
 *
 * @param {string} folder @param {string} name @param {number} count
 */
export async function meet(folder, name, count) {
  writeFileSync(path.join(folder, name), '');
  for (;;) {
    const there = readdirSync(folder).sort();
    if (there.length >= count) return `met ${there.join(' ')}`;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
