import type { ToolDefinition } from './defineTool';
import type { ParsedInput } from './toolInput';
import { RPC_INVALID_PARAMS, RPC_NOT_FOUND, RpcError } from './jsonRpc';
import { runHandler } from './runHandler';
import type { ToolContext } from './toolContext';
import type { CallToolResult } from './wire';

/** The exact text is fixed: the model reads it without the code. */
export function toolNotFound(name: string): RpcError {
  return new RpcError(RPC_NOT_FOUND, `Tool '${name}' not found`);
}

/** The input of a call. @throws RpcError −32602 with one readable line a field that does not fit */
export function inputOf(tool: ToolDefinition, parsed: ParsedInput<unknown>): unknown {
  if (parsed.ok) return parsed.value;
  throw new RpcError(
    RPC_INVALID_PARAMS,
    `Invalid arguments for tool '${tool.name}':\n${parsed.problems.join('\n')}`,
  );
}

/** Checks and runs a tool. @throws RpcError for an unknown tool or bad arguments */
export async function callTool(
  tool: ToolDefinition | undefined,
  name: string,
  args: unknown,
  ctx: ToolContext,
): Promise<CallToolResult> {
  if (tool === undefined) throw toolNotFound(name);
  return runHandler(tool, inputOf(tool, await tool.parseInput(args)), ctx);
}
