import type { DisposableStore } from '../base/disposable';
import { createCodeServer } from '../editor/codeServer';
import { createDiagnosticsFreshness } from '../editor/diagnosticsFreshness';
import type { EditorContext } from '../editor/editorContext';
import { createEditorServer } from '../editor/editorServer';
import { ServerRegistry } from '../mcp/registry';

/** The built-in tool servers, the same for all conversations of the window. */
export function createToolServers(context: EditorContext, store: DisposableStore): ServerRegistry {
  const freshness = store.add(createDiagnosticsFreshness());
  const registry = new ServerRegistry();
  registry.add(createCodeServer({ freshness, context }));
  registry.add(createEditorServer({ context }));
  return registry;
}
