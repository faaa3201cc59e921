import type { ExtensionContext } from 'vscode';
import type { Logger } from '../base/logger';
import type { EditorContext } from '../editor/editorContext';
import type { ReadGuard } from '../editor/readGuard';
import type { ListedConversation } from '../sessions/conversationList';
import { configFolderIn } from './configFolderIn';
import { windowServers } from './editorServers';
import { MentionSources } from './mentionSources';

/** What a message may mention, from the editor and the disk of this window. */
export function createMentionSources(
  context: ExtensionContext,
  log: Logger,
  editor: EditorContext,
  guard: ReadGuard | undefined,
): MentionSources {
  const env = (): Readonly<Record<string, string>> => windowServers(context, log).env;
  const list = async (cwd: string): Promise<readonly ListedConversation[]> => {
    const { listConversations } = await import('../sessions/conversationList');
    return listConversations({ configFolder: configFolderIn(env(), cwd), cwd });
  };
  return new MentionSources({ editor, env, guard, past: { log, now: Date.now, list } });
}
