import { createCodeServer } from '../editor/codeServer';
import { createDebugServer } from '../editor/debugServer';
import type { DiagnosticsFreshness } from '../editor/diagnosticsFreshness';
import type { EditorContext } from '../editor/editorContext';
import { createEditorServer } from '../editor/editorServer';
import { createNotebookServer } from '../editor/notebookServer';
import type { ReadGuard } from '../editor/readGuard';
import { createRunServer } from '../editor/runServer';
import type { UserChanges } from '../editor/userChanges';
import { ServerRegistry } from '../mcp/registry';
import type { WatchedRuns } from './editorWatch';

/** What the tools need to know of the editor, gathered by listening. */
export interface EditorKnowledge extends WatchedRuns {
  readonly context: EditorContext;
  /** Listens since activation. */
  readonly freshness: DiagnosticsFreshness;
  /** Listens since the first conversation. */
  readonly userChanges: UserChanges;
}

/** The built-in tool servers, the same for all conversations of the window. */
export function createToolServers(
  { context, freshness, userChanges, debugSessions, ...runs }: EditorKnowledge,
  readGuard?: ReadGuard,
): ServerRegistry {
  const registry = new ServerRegistry();
  registry.add(createCodeServer({ freshness, context, readGuard }));
  registry.add(createEditorServer({ context, freshness, readGuard, userChanges }));
  registry.add(createRunServer({ freshness, context, readGuard, ...runs }));
  registry.add(createDebugServer({ sessions: debugSessions, readGuard }));
  registry.add(createNotebookServer({ readGuard }));
  return registry;
}
