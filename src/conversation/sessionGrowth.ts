import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import type { ConversationPorts } from './conversationPorts';
import { resolveRealPath } from '../workFiles/realPath';
import { configFolderOf } from './planFolder';

type Where = Pick<ConversationPorts, 'folder' | 'hostEnvironment' | 'settings'>;

/** The file in which the CLI keeps a session; undefined where there is none that can be seen here. */
export async function findSessionFile(
  ports: Where,
  sessionId: string,
): Promise<string | undefined> {
  if (!ports.folder) return undefined;
  const { findConversationFile } = await import('../sessions/conversationPath');
  const key = { configFolder: configFolderOf(ports), cwd: ports.folder.path, sessionId };
  return findConversationFile(key).catch(() => undefined);
}

/**
 * Whether the agent's shell has left the folder of the conversation, as by `cd`. Fact: only the process
 * knows that, and a resumed one begins in the folder again.
 */
export async function isShellElsewhere({ folder }: Where, file: string): Promise<boolean> {
  const { lastFolder } = await import('../sessions/conversationList');
  const last = await lastFolder(file).catch(() => undefined);
  if (last === undefined || folder === undefined) return false;
  return (await resolveRealPath(last)) !== (await resolveRealPath(folder.path));
}

/** Bytes; undefined where the file is gone. */
export async function fileSize(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}

/** Tells, when it is asked, whether somebody else has written into the file since it had this size. */
export function growthSince(file: string, size: number): () => Promise<boolean> {
  return async () => {
    const now = (await fileSize(file)) ?? 0;
    if (now <= size) return false;
    const { isNotesOnly } = await import('../sessions/notesOnly');
    return !(await isNotesOnly(file, size, now).catch(() => false));
  };
}

/** Whether another process has the session open: of ours there is none when one is started. */
export async function isOpenElsewhere(
  ports: Where,
  sessionId: string | undefined,
): Promise<boolean> {
  if (sessionId === undefined) return false;
  const { isHeldElsewhere } = await import('../cli/sessionHolders');
  return isHeldElsewhere(configFolderOf(ports), sessionId);
}

export function openElsewhere(): string {
  return l10n.t(
    'This conversation is open in another window or terminal as well. What is said there is not heard here: go on in one of them.',
  );
}

/** What is said where somebody else has. */
export function wentOnElsewhere(): string {
  return l10n.t(
    'This conversation went on elsewhere after it was drawn here. Reload the window to see all of it.',
  );
}
