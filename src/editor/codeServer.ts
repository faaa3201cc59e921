import { createServer, type McpServerDefinition } from '../mcp/mcpServer';
import { createActionsTool } from './actionsTool';
import { createDefinitionTool } from './definitionTool';
import { createDiagnosticsTool } from './diagnosticsTool';
import { createHierarchyTool } from './hierarchyTool';
import type { MoveDeps } from './moveFile';
import { createMoveTool } from './moveTool';
import { createReferencesTool } from './referencesTool';
import { createRenameTool } from './renameTool';
import { createSymbolsTool } from './symbolsTool';
import type { LanguageDeps } from './toolDeps';

/** The server `code`: what the language servers know. */
export function createCodeServer(deps: LanguageDeps & MoveDeps): McpServerDefinition {
  const server = createServer({
    name: 'code',
    instructions:
      "The editor's language servers. Check diagnostics after edits; find declarations with symbols and uses with references before searching text.",
  });
  server.registerTool(createDiagnosticsTool(deps));
  server.registerTool(createSymbolsTool(deps));
  server.registerTool(createRenameTool(deps));
  server.registerTool(createMoveTool(deps));
  server.registerTool(createActionsTool(deps));
  server.registerTool(createReferencesTool(deps));
  server.registerTool(createDefinitionTool(deps));
  server.registerTool(createHierarchyTool(deps));
  return server;
}
