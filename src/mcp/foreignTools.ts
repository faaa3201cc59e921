import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import { DefinitionError } from './definitionError';
import type { ToolCheck } from './toolCheck';
import { cleanName, MAX_WIRE_NAME, wireName } from './names';
import { normalizeSchema } from './normalizeSchema';
import { isRecord, type JsonObject, type ToolAnnotations, type WireTool } from './wire';

/**
 * The tools of a server that is not ours, as they may be listed to the CLI. It takes a list as a
 * whole or not at all, and drops one of two equal names without a word: so each tool is looked at on
 * its own, and one that is left out, or offered with less than it has, is named in the log.
 */
export function offeredTools(
  server: string,
  listed: readonly unknown[],
  log: Logger,
): readonly WireTool[] {
  const offered = new Map<string, WireTool>();
  for (const [index, given] of listed.entries()) {
    try {
      const tool = readTool(server, given, log);
      const clean = cleanName(tool.name);
      const twin = offered.get(clean);
      if (twin !== undefined) {
        throw new DefinitionError(`'${twin.name}' is offered under the same name`);
      }
      offered.set(clean, tool);
    } catch (error) {
      const name = isRecord(given) && typeof given.name === 'string' ? given.name : `no. ${index}`;
      logLeftOut(server, name, error, log);
    }
  }
  return [...offered.values()];
}

/** Of these the tools to which nobody objects. */
export function uncontestedTools(
  server: string,
  tools: readonly WireTool[],
  checks: ReadonlySet<ToolCheck>,
  log: Logger,
): readonly WireTool[] {
  return tools.filter(({ name }) => {
    try {
      for (const check of checks) check(name);
      return true;
    } catch (error) {
      logLeftOut(server, name, error, log);
      return false;
    }
  });
}

function logLeftOut(server: string, tool: string, error: unknown, log: Logger): void {
  log.warn(`The tool '${tool}' of the server ${server} is left out: ${errorMessage(error)}`);
}

function readTool(server: string, given: unknown, log: Logger): WireTool {
  if (!isRecord(given)) throw new DefinitionError('it is not an object');
  const { name, title, description, inputSchema, outputSchema, _meta } = given;
  if (typeof name !== 'string' || name === '') throw new DefinitionError('it has no name');
  const { length } = wireName(server, name);
  if (length > MAX_WIRE_NAME) {
    throw new DefinitionError(`its whole name has ${length} characters, at most ${MAX_WIRE_NAME}`);
  }
  return {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    description: typeof description === 'string' ? description : '',
    inputSchema: normalizeSchema(inputSchema, 'input', { choicesAtRoot: true }),
    ...readOutput(outputSchema, (reason) => {
      log.warn(
        `The tool '${name}' of the server ${server} is offered without its output schema: ${reason}`,
      );
    }),
    ...annotationsOf(given.annotations),
    // Came as JSON or goes as JSON: what else may be in it is not sent.
    ...(isRecord(_meta) ? { _meta: JSON.parse(JSON.stringify(_meta)) as JsonObject } : {}),
  };
}

/** Nothing depends on it: a bad one must not take the tool with it. */
function readOutput(
  given: unknown,
  warn: (reason: string) => void,
): { readonly outputSchema?: JsonObject } {
  if (given === undefined) return {};
  try {
    return { outputSchema: normalizeSchema(given, 'output') };
  } catch (error) {
    warn(errorMessage(error));
    return {};
  }
}

const HINTS = ['destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/**
 * `readOnlyHint` is left out: it is the word of somebody else, and with it the CLI would refuse the
 * tool in plan mode instead of asking.
 */
function annotationsOf(given: unknown): { readonly annotations?: ToolAnnotations } {
  if (!isRecord(given)) return {};
  const hints = HINTS.flatMap((hint) =>
    typeof given[hint] === 'boolean' ? [[hint, given[hint]] as const] : [],
  );
  const title = typeof given.title === 'string' ? { title: given.title } : {};
  return { annotations: { ...title, ...Object.fromEntries(hints) } };
}
