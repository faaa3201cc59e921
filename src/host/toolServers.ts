import { createCodeServer } from '../editor/codeServer';
import { createDebugServer } from '../editor/debugServer';
import type { DebugSessions } from '../editor/debugSessions';
import type { DiagnosticsFreshness } from '../editor/diagnosticsFreshness';
import type { EditorContext } from '../editor/editorContext';
import { createEditorServer } from '../editor/editorServer';
import { createNotebookServer } from '../editor/notebookServer';
import type { ReadGuard } from '../editor/readGuard';
import type { UserChanges } from '../editor/userChanges';
import { ServerRegistry } from '../mcp/registry';

/** What the tools need to know of the editor, gathered by listening. */
export interface EditorKnowledge {
  readonly context: EditorContext;
  /** Listens since activation. */
  readonly freshness: DiagnosticsFreshness;
  /** Listens since the first conversation. */
  readonly userChanges: UserChanges;
  /** Tracked since activation. */
  readonly debugSessions: DebugSessions;
}

/** The built-in tool servers, the same for all conversations of the window. */
export function createToolServers(
  { context, freshness, userChanges, debugSessions }: EditorKnowledge,
  readGuard?: ReadGuard,
): ServerRegistry {
  const registry = new ServerRegistry();
  registry.add(createCodeServer({ freshness, context, readGuard }));
  registry.add(createEditorServer({ context, freshness, readGuard, userChanges }));
  registry.add(createDebugServer({ sessions: debugSessions, readGuard }));
  registry.add(createNotebookServer({ readGuard }));
  return registry;
}
