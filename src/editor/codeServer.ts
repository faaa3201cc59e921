import { createServer, type McpServerDefinition } from '../mcp/mcpServer';
import { createDefinitionTool } from './definitionTool';
import { createDiagnosticsTool } from './diagnosticsTool';
import { createHierarchyTool } from './hierarchyTool';
import { createReferencesTool } from './referencesTool';
import { createSymbolsTool, type SymbolsDeps } from './symbolsTool';

/** The server `code`: what the language servers know. */
export function createCodeServer(deps: SymbolsDeps): McpServerDefinition {
  const server = createServer({
    name: 'code',
    instructions:
      "The editor's language servers. Check diagnostics after edits; find declarations with symbols and uses with references before searching text.",
  });
  server.registerTool(createDiagnosticsTool(deps));
  server.registerTool(createSymbolsTool(deps));
  server.registerTool(createReferencesTool(deps));
  server.registerTool(createDefinitionTool(deps));
  server.registerTool(createHierarchyTool(deps));
  return server;
}
