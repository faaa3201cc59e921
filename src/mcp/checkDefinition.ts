import { DefinitionError } from './definitionError';
import type { PromptDefinition } from './definePrompt';
import type { ResourceDefinition } from './defineResource';
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
  within(`Tool '${tool.name}' of server '${server}'`, () => {
    const reason = faultOf(tool);
    if (reason !== undefined) throw new DefinitionError(reason);
    // Reading them makes and checks them; they are kept, so nothing is done twice.
    const { inputSchema, outputSchema } = tool;
    if (!isRecord(inputSchema)) throw new DefinitionError('input is missing');
    if (outputSchema !== undefined && !isRecord(outputSchema)) {
      throw new DefinitionError('output must be a schema');
    }
  });
}

/**
 * Refuses what the CLI does not take in the handshake: for one such server it shakes hands with all
 * others anew before each turn.
 * @throws DefinitionError that names the server and the field
 */
export function checkServerTexts(
  server: string,
  { version, title = '', instructions = '' }: Readonly<Record<string, unknown>>,
): void {
  const reason = textFault({ version, title, instructions });
  if (reason !== undefined) throw new DefinitionError(`Server '${server}': ${reason}`);
}

/** @throws DefinitionError that names the resource and the reason */
export function checkResource(server: string, resource: ResourceDefinition): void {
  within(`Resource ${JSON.stringify(resource.uri)} of server '${server}'`, () => {
    const uri: unknown = resource.uri;
    if (typeof uri !== 'string' || !/^[a-z][a-z0-9+.-]*:/iu.test(uri)) {
      throw new DefinitionError('uri must begin with a scheme, such as note:');
    }
    const { name, title, description, mimeType, _meta } = resource.wire;
    const reason =
      textFault({
        name,
        title: title ?? '',
        description: description ?? '',
        mimeType: mimeType ?? '',
      }) ??
      timeoutFault(resource.timeout) ??
      metaFault(_meta);
    if (reason !== undefined) throw new DefinitionError(reason);
  });
}

/** @throws DefinitionError that names the prompt and the reason */
export function checkPrompt(server: string, prompt: PromptDefinition): void {
  checkName('prompt', prompt.name);
  within(`Prompt '${prompt.name}' of server '${server}'`, () => {
    const { title, description, _meta } = prompt.wire;
    const reason =
      textFault({ title: title ?? '', description: description ?? '' }) ??
      timeoutFault(prompt.timeout) ??
      metaFault(_meta);
    if (reason !== undefined) throw new DefinitionError(reason);
  });
}

function within(what: string, check: () => void): void {
  try {
    check();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new DefinitionError(`${what}: ${reason}`, { cause });
  }
}

function textFault(given: Readonly<Record<string, unknown>>): string | undefined {
  const text = Object.keys(given).find((key) => typeof given[key] !== 'string');
  return text === undefined ? undefined : `${text} must be a text`;
}

function timeoutFault(timeout: unknown): string | undefined {
  const fits = timeout === undefined || (typeof timeout === 'number' && timeout > 0);
  return fits ? undefined : 'timeout must be a number above 0';
}

function metaFault(meta: unknown): string | undefined {
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return 'meta must be an object';
  try {
    // What writes itself as something else, such as a text, would take the whole list with it.
    const isObject = (one: object): boolean => {
      // Typed as a text always by the library.
      const written = JSON.stringify(one) as string | undefined;
      return isRecord(JSON.parse(written ?? 'null') as unknown);
    };
    return isObject(meta) && isObject({ ...meta }) ? undefined : 'meta must be an object';
  } catch {
    return 'meta must be JSON';
  }
}

function faultOf(tool: ToolDefinition): string | undefined {
  const { description, title = '', searchHint = '', maxResultChars } = tool;
  const reason =
    textFault({ description, title, searchHint }) ??
    timeoutFault(tool.timeout) ??
    metaFault(tool.meta);
  if (reason !== undefined) return reason;
  if (maxResultChars !== undefined && !(Number.isInteger(maxResultChars) && maxResultChars > 0)) {
    return 'maxResultChars must be a whole number above 0';
  }
  const annotations: unknown = tool.annotations;
  if (annotations !== undefined && !isRecord(annotations)) return 'annotations must be an object';
  if (annotations?.title !== undefined && typeof annotations.title !== 'string') {
    return 'annotations.title must be a text';
  }
  const hint = HINTS.find(
    (key) => annotations?.[key] !== undefined && typeof annotations[key] !== 'boolean',
  );
  if (hint !== undefined) return `annotations.${hint} must be true or false`;
  if (tool.edits !== undefined && annotations?.readOnlyHint === true) {
    return 'a tool that has edits cannot be readOnlyHint';
  }
  return typeof tool.run === 'function' ? undefined : 'run must be a function';
}
