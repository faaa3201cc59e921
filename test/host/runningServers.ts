import { silentLogger } from '../../src/base/logger';
import { createDebugServer } from '../../src/editor/debugServer';
import { createRunServer } from '../../src/editor/runServer';
import { type EditorWatch, watchEditor } from '../../src/host/editorWatch';
import type { McpServerDefinition } from '../../src/mcp/mcpServer';
import type { LanguageDeps } from '../../src/editor/toolDeps';

/** The servers over what runs in the window, for a room of the editor's tools. */
export async function runningServers(): Promise<{
  readonly watch: EditorWatch;
  readonly more: (known: LanguageDeps) => readonly McpServerDefinition[];
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
