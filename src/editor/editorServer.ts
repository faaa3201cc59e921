import { createServer, type McpServerDefinition } from '../mcp/mcpServer';
import type { EditorContext } from './editorContext';
import { createOpenEditorsTool } from './openEditorsTool';
import { createReadBufferTool } from './readBufferTool';
import type { ReadGuard } from './readGuard';
import type { UserChanges } from './userChanges';
import { createUserChangesTool } from './userChangesTool';

/** The server `editor`: what the person has open. */
export function createEditorServer(deps: {
  readonly context: EditorContext;
  readonly readGuard?: ReadGuard;
  readonly userChanges: Pick<UserChanges, 'since'>;
}): McpServerDefinition {
  const server = createServer({
    name: 'editor',
    instructions:
      'What the person has open. Where open_editors says unsaved, read with read_buffer.',
  });
  server.registerTool(createOpenEditorsTool(deps));
  server.registerTool(createReadBufferTool(deps));
  server.registerTool(createUserChangesTool(deps));
  return server;
}
