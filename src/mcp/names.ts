import { DefinitionError } from './definitionError';

/** The longest whole name that the CLI offers; one more and the tool is dropped without a word. */
export const MAX_WIRE_NAME = 128;
/** Some other clients of a server offer no more than this. */
const MANY_TAKE = 64;
/** Of a server of this name the CLI offers two tools of its own making only. */
const RESERVED = new Set(['ide']);
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
export function checkName(
  what: 'server' | 'tool' | 'prompt',
  name: unknown,
): asserts name is string {
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

/** @throws DefinitionError when the name is not legal, or the CLI has its own use for it */
export function checkServerName(name: unknown): asserts name is string {
  checkName('server', name);
  if (RESERVED.has(name)) {
    throw new DefinitionError(`The server name '${name}' is taken by the CLI for its own tools`);
  }
}

/** A warning for a name that the CLI offers, but not every client does. */
export function longName(server: string, tool: string): string | undefined {
  const { length } = wireName(server, tool);
  return length <= MANY_TAKE
    ? undefined
    : `Tool '${tool}' of server '${server}': the whole name has ${length} characters; some clients take ${MANY_TAKE}`;
}
