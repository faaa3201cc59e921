import { silentLogger } from '../../src/base/logger';
import { createDebugServer } from '../../src/editor/debugServer';
import { createRunServer } from '../../src/editor/runServer';
import type { SymbolsDeps } from '../../src/editor/symbolsTool';
import { type EditorWatch, watchEditor } from '../../src/host/editorWatch';
import type { McpServerDefinition } from '../../src/mcp/mcpServer';

/** The servers over what runs in the window, for a room of the editor's tools. */
export async function runningServers(): Promise<{
  readonly watch: EditorWatch;
  readonly more: (known: SymbolsDeps) => readonly McpServerDefinition[];
}> {
  const watch = watchEditor(silentLogger);
  const { debugSessions, ...runs } = await watch.load();
  return {
    watch,
    more: (known) => [
      createRunServer({ ...known, ...runs }),
      createDebugServer({ sessions: debugSessions, readGuard: known.readGuard }),
    ],
  };
}
