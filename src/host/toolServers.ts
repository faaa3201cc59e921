import { createCodeServer } from '../editor/codeServer';
import { createDebugServer } from '../editor/debugServer';
import type { DiagnosticsFreshness } from '../editor/diagnosticsFreshness';
import type { EditorContext } from '../editor/editorContext';
import { createEditorServer } from '../editor/editorServer';
import type { ReadGuard } from '../editor/readGuard';
import { createRunServer } from '../editor/runServer';
import { ServerRegistry } from '../mcp/registry';
import type { WatchedRuns } from './editorWatch';

/** What the tools need to know of the editor, gathered by listening. */
export interface EditorKnowledge extends WatchedRuns {
  readonly context: EditorContext;
  /** Listens since activation. */
  readonly freshness: DiagnosticsFreshness;
}

/** The built-in tool servers, the same for all conversations of the window. */
export function createToolServers(
  { context, freshness, debugSessions, ...runs }: EditorKnowledge,
  readGuard?: ReadGuard,
): ServerRegistry {
  const registry = new ServerRegistry();
  registry.add(createCodeServer({ freshness, context, readGuard }));
  registry.add(createEditorServer({ context, readGuard }));
  registry.add(createRunServer({ freshness, context, readGuard, ...runs }));
  registry.add(createDebugServer({ sessions: debugSessions, readGuard }));
  return registry;
}
