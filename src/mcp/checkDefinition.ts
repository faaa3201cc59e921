import { DefinitionError } from './definitionError';
import type { ToolDefinition } from './defineTool';
import { checkName, checkWireName } from './names';
import { isRecord } from './wire';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/**
 * Refuses a tool that the CLI would lose, and with it all other tools of its server: the CLI parses
 * the list as a whole and reports nothing.
 * Types are checked although the compiler knows them: definitions also come from plain JavaScript.
 * @throws DefinitionError that names the tool and the reason
 */
export function checkDefinition(server: string, tool: ToolDefinition): void {
  checkName('tool', tool.name);
  checkWireName(server, tool.name);
  try {
    const reason = faultOf(tool);
    if (reason !== undefined) throw new DefinitionError(reason);
    // Reading it makes and checks it; it is kept, so nothing is done twice.
    if (!isRecord(tool.inputSchema)) throw new DefinitionError('input is missing');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new DefinitionError(`Tool '${tool.name}' of server '${server}': ${reason}`, { cause });
  }
}

function faultOf(tool: ToolDefinition): string | undefined {
  const given: Readonly<Record<string, unknown>> = {
    description: tool.description,
    title: tool.title ?? '',
    searchHint: tool.searchHint ?? '',
  };
  const text = Object.keys(given).find((key) => typeof given[key] !== 'string');
  if (text !== undefined) return `${text} must be a text`;
  const timeout: unknown = tool.timeoutMs;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) {
    return 'timeoutMs must be a number above 0';
  }
  const annotations: unknown = tool.annotations;
  if (annotations !== undefined && !isRecord(annotations)) return 'annotations must be an object';
  const hint = HINTS.find(
    (key) => annotations?.[key] !== undefined && typeof annotations[key] !== 'boolean',
  );
  if (hint !== undefined) return `annotations.${hint} must be true or false`;
  return typeof tool.run === 'function' ? undefined : 'run must be a function';
}
