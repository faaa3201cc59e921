import path from 'node:path';
import type { ExtensionContext } from 'vscode';
import type { Logger } from '../base/logger';
import type { ServerRegistry } from '../mcp/registry';
import type { ApprovalCards } from './approvalCards';
import { ToolFiles } from './toolFiles';
import { ruleFilesOf } from './windowRules';

/** The tool files of this window. What reads and runs them is loaded where there are any. */
export function createToolFiles(
  context: ExtensionContext,
  log: Logger,
  registry: ServerRegistry,
  cards: ApprovalCards,
): ToolFiles {
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  return new ToolFiles({
    ...{ log, registry, cards },
    storageFolder: path.join(storage, 'toolFiles'),
    where: () => ruleFilesOf(context, log),
    create: async (ports) =>
      (await import('../workspaceTools/workspaceTools')).createWorkspaceTools(ports),
  });
}
