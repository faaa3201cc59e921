import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { KEPT_MS } from '../sessions/deletedConversations';
import { isSessionId } from '../sessions/conversationPath';

/** What was before the agent's changes is kept for so long, in milliseconds, after the last of them. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const DELETED = '.deleted';

export interface ChangeFoldersOptions {
  /** The first is ours; what another host of this workspace has left is taken over. */
  readonly folders: readonly [string, ...string[]];
  readonly now: () => number;
}

/** Where what was before the changes of each conversation is kept, by its session. */
export class ChangeFolders {
  readonly #options: ChangeFoldersOptions;

  constructor(options: ChangeFoldersOptions) {
    this.#options = options;
  }

  /** Need not be there. Undefined for what is no session. Never rejects. */
  async folderOf(sessionId: string): Promise<string | undefined> {
    if (!isSessionId(sessionId)) return undefined;
    const [own, ...others] = this.#options.folders;
    const folder = path.join(own, sessionId);
    if (await changedAt(folder)) return folder;
    for (const other of others) {
      const left = path.join(other, sessionId);
      // On the way it may be taken by another host: then it is there.
      if (await changedAt(left)) await rename(left, folder).catch(() => undefined);
    }
    return folder;
  }

  /** With its conversation, which can be brought back for a while. Never rejects. */
  async setAside(sessionId: string): Promise<void> {
    const folder = await this.folderOf(sessionId);
    if (folder === undefined) return;
    await rm(`${folder}${DELETED}`, { recursive: true, force: true }).catch(() => undefined);
    try {
      const at = this.#options.now() / 1000;
      await utimes(folder, at, at);
      await rename(folder, `${folder}${DELETED}`);
    } catch {
      // Of a conversation that has changed nothing there is no folder.
    }
  }

  /** Never rejects. */
  async bringBack(sessionId: string): Promise<void> {
    const folder = await this.folderOf(sessionId);
    if (folder !== undefined) await rename(`${folder}${DELETED}`, folder).catch(() => undefined);
  }

  /** Removes what is kept long enough. Never rejects. */
  async sweep(): Promise<void> {
    const [own] = this.#options.folders;
    const now = this.#options.now();
    for (const name of await readdir(own).catch(() => [])) {
      const isDeleted = name.endsWith(DELETED);
      const folder = path.join(own, name);
      const at = await changedAt(folder);
      if (at === undefined || now - at < (isDeleted ? KEPT_MS : MAX_AGE_MS)) continue;
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** Milliseconds since 1970; undefined for what is not there. */
function changedAt(folder: string): Promise<number | undefined> {
  return stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}
