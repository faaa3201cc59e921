import type { ExtensionContext } from 'vscode';
import type { Logger } from '../base/logger';
import type { EditorContext } from '../editor/editorContext';
import type { ReadGuard } from '../editor/readGuard';
import { configFolderIn } from './configFolderIn';
import { windowServers } from './editorServers';
import { MentionSources } from './mentionSources';

/** What may be mentioned in this window. @param guard undefined where conversations could not be loaded */
export function createMentions(
  context: ExtensionContext,
  log: Logger,
  editor: EditorContext,
  guard: ReadGuard | undefined,
): MentionSources {
  const env = () => windowServers(context, log).env;
  const list = async (cwd: string) => {
    const { listConversations } = await import('../sessions/conversationList');
    return listConversations({ configFolder: configFolderIn(env()), cwd });
  };
  return new MentionSources({ editor, env, guard, past: { log, now: Date.now, list } });
}
