import type { ExtensionContext } from 'vscode';
import type { Logger } from '../base/logger';
import type { MentionSourcesPort } from '../conversation/conversationPorts';
import type { ReadGuard } from '../editor/readGuard';
import { configFolderIn } from './configFolderIn';
import { windowServers } from './editorServers';
import { problemMentions } from './problemMentions';

/** For the conversations: what the names stand for that a message may mention. Each loads on first use. */
export function mentionsPort(
  guard: ReadGuard,
  context: ExtensionContext,
  log: Logger,
): MentionSourcesPort {
  return {
    ...problemMentions,
    changes: async (folder) => (await import('./gitChanges')).gitChanges(folder, guard),
    terminal: async () => (await import('./terminalSelection')).terminalSelection(),
    conversation: async (cwd, start) => {
      const { readDigest } = await import('../sessions/conversationDigest');
      return readDigest(
        { configFolder: configFolderIn(windowServers(context, log).env), cwd },
        start,
      );
    },
  };
}
