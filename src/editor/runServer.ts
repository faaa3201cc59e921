import { createServer, type McpServerDefinition } from '../mcp/mcpServer';
import type { TasksDeps } from './taskReport';
import { createTasksTool } from './tasksTool';
import { createTerminalTool } from './terminalTool';
import { createTestsTool } from './testsTool';

/** The server `run`: tasks, tests and terminals of the editor. */
export function createRunServer(deps: TasksDeps): McpServerDefinition {
  const server = createServer({
    name: 'run',
    instructions: "The editor's tasks, its test view, and what ran in the person's terminals.",
  });
  server.registerTool(createTasksTool(deps));
  server.registerTool(createTestsTool(deps));
  server.registerTool(createTerminalTool(deps));
  return server;
}
