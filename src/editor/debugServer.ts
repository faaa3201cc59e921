import { createServer, type McpServerDefinition } from '../mcp/mcpServer';
import { createBreakpointsTool } from './breakpointsTool';
import { createDebugEvaluateTool } from './debugEvaluateTool';
import { createDebugStartTool } from './debugStartTool';
import { createDebugStateTool } from './debugStateTool';
import { createDebugStepTool } from './debugStepTool';
import { createDebugStopTool } from './debugStopTool';
import type { DebugDeps } from './debugThreads';

/** The server `debug`: the editor's debugger. */
export function createDebugServer(deps: DebugDeps): McpServerDefinition {
  const server = createServer({
    name: 'debug',
    instructions:
      "The editor's debugger: set breakpoints, start, then state, step, evaluate, stop.",
  });
  for (const create of [
    createBreakpointsTool,
    createDebugStartTool,
    createDebugStateTool,
    createDebugStepTool,
    createDebugEvaluateTool,
    createDebugStopTool,
  ]) {
    server.registerTool(create(deps));
  }
  return server;
}
