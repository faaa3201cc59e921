import { wireName } from './names';
import type { WireTool } from './wire';

/** A tool above this costs more of each conversation than most are worth. */
export const MANY_TOKENS_OF_TOOL = 500;
/** All tools of a workspace's server together. */
export const MANY_TOKENS_OF_SERVER = 3_000;

/**
 * Tokens of a text, estimated: four characters each, as English, code and JSON have it; of other
 * scripts, whose characters seldom share a token, one each.
 */
export function estimateTokens(text: string): number {
  let others = 0;
  for (const char of text) if (char.charCodeAt(0) > 0x2ff) others += 1;
  const plain = Array.from(text).length - others;
  return Math.ceil(plain / 4) + others;
}

/** What a tool costs of each conversation in which it is loaded: name, description and schema. */
export function tokensOfTool(server: string, tool: WireTool): number {
  const known = estimates.get(tool);
  if (known !== undefined) return known;
  const { description, inputSchema } = tool;
  const name = wireName(server, tool.name);
  const made = estimateTokens(`${name}${description}${JSON.stringify(inputSchema)}`);
  estimates.set(tool, made);
  return made;
}

const estimates = new WeakMap<WireTool, number>();
