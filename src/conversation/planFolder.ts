import os from 'node:os';
import path from 'node:path';
import type { ConversationPorts } from './conversationPorts';

/** The CLI's own folder: `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. */
export function configFolderOf(
  ports: Pick<ConversationPorts, 'hostEnvironment' | 'settings'>,
): string {
  const own = ports.settings().cliEnvironment.CLAUDE_CONFIG_DIR;
  const inherited = ports.hostEnvironment.CLAUDE_CONFIG_DIR;
  return own ?? inherited ?? path.join(ports.hostEnvironment.HOME ?? os.homedir(), '.claude');
}

/** Where plan mode keeps its plan files; writing them is no write to the person's files. */
export function planFolderOf(
  ports: Pick<ConversationPorts, 'hostEnvironment' | 'settings'>,
): string {
  return path.join(configFolderOf(ports), 'plans');
}
