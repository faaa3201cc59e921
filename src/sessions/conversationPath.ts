import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** Session ids become file names, so nothing else may pass. */
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Which conversation. */
export interface ConversationKey {
  /** The CLI's own folder: `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. */
  readonly configFolder: string;
  /** The folder in which the CLI worked, absolute. */
  readonly cwd: string;
  readonly sessionId: string;
}

export function isSessionId(value: string): boolean {
  return SESSION_ID.test(value);
}

/** The folder's name under `projects/`. Fact: different folders may share it. */
export function projectFolderName(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9]/g, '-');
}

/**
 * Where the CLI keeps the conversation; undefined where there is none. Falls back to a search by
 * the id, which is unique, since the CLI shortens the names of deep folders by a rule of its own.
 */
export async function findConversationFile(key: ConversationKey): Promise<string | undefined> {
  if (!isSessionId(key.sessionId)) return undefined;
  const projects = path.join(key.configFolder, 'projects');
  const name = `${key.sessionId}.jsonl`;
  const cwds = new Set([await realPath(key.cwd), key.cwd]);
  const likely = [...cwds].map((cwd) => path.join(projects, projectFolderName(cwd), name));
  for (const file of likely) if (await isFile(file)) return file;
  const folders = await readdir(projects).catch(() => []);
  for (const folder of folders) {
    const file = path.join(projects, folder, name);
    if (await isFile(file)) return file;
  }
  return undefined;
}

/** What belongs to a conversation beside its file: transcripts of subagents, long results, its title. */
export function conversationFolder(file: string): string {
  return file.replace(/\.jsonl$/, '');
}

/** The path without links; as it is where it cannot be followed. */
export function realPath(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
