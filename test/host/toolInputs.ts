import type { ToolDefinition } from '../../src/mcp/defineTool';
import { isRecord } from '../../src/mcp/wire';
import type { EditorRoom } from './editorRoom';

export interface ListedTool {
  readonly server: string;
  readonly tool: ToolDefinition;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

/** All built-in tools, with what their schemas ask for. */
export function allTools(room: Pick<EditorRoom, 'servers'>): readonly ListedTool[] {
  return room.servers.flatMap((server) =>
    server.tools().map((tool) => {
      const { properties, required } = tool.inputSchema;
      return {
        server: server.name,
        tool,
        properties: isRecord(properties) ? properties : {},
        required: Array.isArray(required) ? required.map(String) : [],
      };
    }),
  );
}

/** What a schema does not say by itself. */
const GIVEN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  symbols: { query: 'zqKept' },
};

/** The same for a call that names a file: what would tell of it, not only list. */
const WITH_PATH: typeof GIVEN = {
  breakpoints: { action: 'set', line: 1 },
};

/**
 * Arguments that fit a tool: the path where one is given, what is required made up from the schema.
 * Texts are `zqKept`, numbers 1.
 */
export function exampleInput(tool: ToolDefinition, path: string | undefined): object {
  const made = madeUp(tool.inputSchema, path);
  const given = (path === undefined ? GIVEN : WITH_PATH)[tool.name];
  return { ...(isRecord(made) ? made : {}), ...given };
}

function madeUp(schema: unknown, path: string | undefined, name = ''): unknown {
  if (!isRecord(schema)) return undefined;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case 'object': {
      const properties = isRecord(schema.properties) ? schema.properties : {};
      const required = Array.isArray(schema.required) ? schema.required : [];
      const wanted = Object.entries(properties).filter(
        ([key]) => required.includes(key) || (key === 'path' && path !== undefined),
      );
      return Object.fromEntries(wanted.map(([key, part]) => [key, madeUp(part, path, key)]));
    }
    case 'array':
      return [madeUp(schema.items, path)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    default:
      return name === 'path' && path !== undefined ? path : 'zqKept';
  }
}
