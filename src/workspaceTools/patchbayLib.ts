import { createServer } from '../mcp/mcpServer';
import { createToolContext, type ToolContext } from '../mcp/toolContext';
import type { CallToolResult, GetPromptResult, ReadResourceResult } from '../mcp/wire';
import { Exported } from './patchbayModule';
import { readExports } from './readExports';

// What `.patchbay/lib/patchbay.mjs` gives to tool files and their tests outside of the editor.

export * from './patchbayModule';
export type { CallToolResult, GetPromptResult, ReadResourceResult };

/** What a test gives its tool: the fields that it looks at; the others are there and do nothing. */
export type TestContext = Partial<ToolContext> & {
  /** The part of the editor's API that the tool uses, made by the test. */
  readonly vscode?: unknown;
  readonly workspaceFolder?: unknown;
};

/**
 * Calls an exported tool as the agent does, and gives the result as it goes over the wire. Input
 * that does not fit rejects with what the agent reads: one line a field. What the tool throws is a
 * result with `isError`.
 */
export async function callTool(
  tool: Exported,
  input: unknown,
  ctx: TestContext = {},
): Promise<CallToolResult> {
  return serverOf(tool, ctx).execute(NAME, input, createToolContext(ctx));
}

/** Renders an exported prompt as it is sent. */
export async function getPrompt(
  prompt: Exported,
  args: unknown,
  ctx: TestContext = {},
): Promise<GetPromptResult> {
  return serverOf(prompt, ctx).renderPrompt(NAME, args, createToolContext(ctx));
}

/** Reads an exported resource. Rejects where nothing of it has this URI. */
export async function readResource(
  resource: Exported,
  uri: string,
  ctx: TestContext = {},
): Promise<ReadResourceResult> {
  return serverOf(resource, ctx).readResource(uri, createToolContext(ctx));
}

/** The tool as it is listed for the agent: name, description, schemas. */
export function listedTool(tool: Exported): object {
  const [listed] = serverOf(tool, {}).listTools();
  if (listed === undefined) throw new Error('This is no tool');
  return listed;
}

/** Of one that has none of its own; a file's name is not known here. */
const NAME = 'tool';

function serverOf(exported: Exported, given: TestContext): ReturnType<typeof createServer> {
  const named = new Exported(exported.kind, { ...exported.options, name: NAME });
  // What the loader does with a file.
  const { definitions, faults } = readExports(
    { default: named },
    {
      file: '.patchbay/tools/tool.tool.ts',
      path: '',
      lines: new Map(),
      isolation: 'worker',
      context: (ctx) => Object.assign(Object.create(ctx) as ToolContext, editorOf(given)),
    },
  );
  const [fault] = faults;
  if (fault !== undefined) throw new Error(fault.message);
  const server = createServer({ name: 'workspace' });
  for (const { definition } of definitions) {
    if (definition.kind === 'tool') server.registerTool(definition);
    else if (definition.kind === 'prompt') server.registerPrompt(definition);
    else server.registerResource(definition);
  }
  return server;
}

function editorOf({ vscode, workspaceFolder }: TestContext): object {
  return { vscode, workspaceFolder };
}
