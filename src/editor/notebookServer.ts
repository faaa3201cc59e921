import { createServer, type McpServerDefinition } from '../mcp/mcpServer';
import { CellRuns } from './cellRuns';
import { createCellsTool } from './cellsTool';
import { createEditCellTool } from './editCellTool';
import { createRunCellTool, type RunCellDeps } from './runCellTool';

/** The server `notebook`: cells of Jupyter and other notebooks. */
export function createNotebookServer(given: Omit<RunCellDeps, 'runs'>): McpServerDefinition {
  const deps = { ...given, runs: new CellRuns() };
  const server = createServer({
    name: 'notebook',
    instructions: 'Cells of notebooks, with their outputs.',
  });
  server.registerTool(createCellsTool(deps));
  server.registerTool(createEditCellTool(deps));
  server.registerTool(createRunCellTool(deps));
  return server;
}
