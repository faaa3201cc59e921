import { createServer, type McpServerDefinition } from '../mcp/registry';
import { createDiagnosticsTool, type DiagnosticsDeps } from './diagnosticsTool';
import { createSymbolsTool } from './symbolsTool';

/** The server `code`: what the language servers know. */
export function createCodeServer(deps: DiagnosticsDeps): McpServerDefinition {
  const server = createServer({
    name: 'code',
    instructions:
      "The editor's language servers. Check diagnostics after edits; find declarations with symbols before searching text.",
  });
  server.registerTool(createDiagnosticsTool(deps));
  server.registerTool(createSymbolsTool(deps));
  return server;
}
