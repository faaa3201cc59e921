import type { HeadlessMessage } from '../../../src/conversation/headlessConversation';

/** One prompt, and what must be seen of its answer. */
export interface LiveScene {
  readonly name: string;
  readonly prompt: string;
  /** What is missing; empty when all of it was seen. */
  readonly faults: (seen: SeenTurn) => readonly string[];
}

/** All messages from a prompt to its result. */
export type SeenTurn = readonly HeadlessMessage[];

export const liveScenes: readonly LiveScene[] = [
  {
    name: 'list',
    prompt: 'Which tools does the MCP server "lab" have? Do not call any, answer with their names.',
    faults: (seen) => [
      ...missingTool(seen, 'mcp__lab__execute_me'),
      ...missingTool(seen, 'mcp__lab__will_fail'),
      ...missingTool(seen, 'mcp__outside__ping'),
      ...missingWords(seen, 'execute_me'),
      ...missingWords(seen, 'will_fail'),
    ],
  },
  {
    name: 'execute',
    prompt:
      'Call the tool execute_me of the MCP server "lab" with the input "test123", and repeat what it answers.',
    faults: (seen) => [
      ...missingCall(seen, 'mcp__lab__execute_me', { input: 'test123' }, false),
      ...missingWords(seen, 'Result: test123'),
    ],
  },
  {
    name: 'mixed',
    prompt:
      'Add 15 and 27 with the tool add of the MCP server "calculator", call the tool ping of the MCP server "outside", and repeat both answers.',
    faults: (seen) => [
      ...missingCall(seen, 'mcp__calculator__add', { a: 15, b: 27 }, false),
      ...missingCall(seen, 'mcp__outside__ping', {}, false),
      ...missingWords(seen, '42'),
      ...missingWords(seen, 'pong outside'),
    ],
  },
  {
    name: 'error',
    prompt:
      'Call the tool will_fail of the MCP server "lab" once, and repeat the words of its error.',
    faults: (seen) => [
      ...missingCall(seen, 'mcp__lab__will_fail', {}, true),
      ...missingWords(seen, 'Intentional error'),
    ],
  },
];

function missingTool(seen: SeenTurn, tool: string): string[] {
  const isOffered = seen.some((one) => one.type === 'started' && one.tools.includes(tool));
  return isOffered ? [] : [`${tool} is not among the tools`];
}

function missingCall(seen: SeenTurn, tool: string, input: object, isError: boolean): string[] {
  const wanted = `a call of ${tool} with ${JSON.stringify(input)} that ${isError ? 'fails' : 'succeeds'}`;
  for (const call of seen) {
    if (call.type !== 'toolCall' || call.tool !== tool) continue;
    if (JSON.stringify(call.input) !== JSON.stringify(input)) continue;
    const { toolUseId } = call;
    const result = seen.find((one) => one.type === 'toolResult' && one.toolUseId === toolUseId);
    if (result?.type === 'toolResult' && result.isError === isError) return [];
  }
  return [`there is no ${wanted.slice(2)}`];
}

function missingWords(seen: SeenTurn, words: string): string[] {
  const said = seen.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  return said.includes(words) ? [] : [`the answer has no "${words}": ${said.slice(0, 300)}`];
}
