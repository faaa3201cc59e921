import type { ExtensionContext } from 'vscode';
import type { Logger } from '../base/logger';
import type { MentionSourcesPort } from '../conversation/conversationPorts';
import { configFolderIn } from './configFolderIn';
import { windowServers } from './editorServers';
import { problemMentions } from './problemMentions';
import type { WindowRules } from './windowRules';

/** For the conversations: what the names stand for that a message may mention. Each loads on first use. */
export function mentionsPort(
  { guard, ignored }: Pick<WindowRules, 'guard' | 'ignored'>,
  context: ExtensionContext,
  log: Logger,
): MentionSourcesPort {
  return {
    ...problemMentions,
    ignored,
    changes: async (folder) => (await import('./gitChanges')).gitChanges(folder, guard),
    terminal: async () => (await import('./terminalSelection')).terminalSelection(),
    conversation: async (cwd, start) => {
      const { readDigest } = await import('../sessions/conversationDigest');
      return readDigest(
        { configFolder: configFolderIn(windowServers(context, log).env, cwd), cwd },
        start,
      );
    },
  };
}
