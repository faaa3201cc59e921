import { createServer, type McpServerDefinition } from '../mcp/mcpServer';
import type { DiagnosticsFreshness } from './diagnosticsFreshness';
import type { EditorContext } from './editorContext';
import { createEditTool } from './editTool';
import { createOpenEditorsTool } from './openEditorsTool';
import { createReadBufferTool } from './readBufferTool';
import type { ReadGuard } from './readGuard';
import { createSaveTool } from './saveTool';
import { createShowTool } from './showTool';
import type { UserChanges } from './userChanges';
import { createUserChangesTool } from './userChangesTool';

/** The server `editor`: what the person has open. */
export function createEditorServer(deps: {
  readonly context: EditorContext;
  readonly freshness: DiagnosticsFreshness;
  readonly readGuard?: ReadGuard;
  readonly userChanges: Pick<UserChanges, 'since'>;
}): McpServerDefinition {
  const server = createServer({
    name: 'editor',
    instructions:
      'What the person has open. Where open_editors says unsaved, read with read_buffer and change with edit.',
  });
  server.registerTool(createOpenEditorsTool(deps));
  server.registerTool(createReadBufferTool(deps));
  server.registerTool(createEditTool(deps));
  server.registerTool(createSaveTool(deps));
  server.registerTool(createShowTool(deps));
  server.registerTool(createUserChangesTool(deps));
  return server;
}
