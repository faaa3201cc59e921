import { DefinitionError } from './definitionError';

/** The longest whole name that the CLI offers; one more and the tool is dropped without a word. */
export const MAX_WIRE_NAME = 128;
const LEGAL = /^[A-Za-z0-9_-]+$/;

/** A name as the CLI writes it inside `mcp__server__tool`: every other character becomes `_`. */
export function cleanName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** The name that the model and permission rules use. Never split it: `a__b` is a legal part. */
export function wireName(server: string, tool: string): string {
  return `mcp__${cleanName(server)}__${cleanName(tool)}`;
}

/** @throws DefinitionError when the name holds anything but letters, digits, `_` and `-` */
export function checkName(what: 'server' | 'tool', name: unknown): asserts name is string {
  if (typeof name !== 'string') throw new DefinitionError(`A ${what}'s name must be a text`);
  if (!LEGAL.test(name)) {
    throw new DefinitionError(
      `The ${what} name ${JSON.stringify(name)} may only have letters, digits, _ and -, and at least one`,
    );
  }
}

/** @throws DefinitionError when the whole name is longer than the CLI offers */
export function checkWireName(server: string, tool: string): void {
  const name = wireName(server, tool);
  if (name.length > MAX_WIRE_NAME) {
    throw new DefinitionError(
      `Tool '${tool}' of server '${server}': the whole name has ${name.length} characters, at most ${MAX_WIRE_NAME} are offered`,
    );
  }
}
