import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../protocol/lazySchema';
import { conversationFolder, isSessionId } from './conversationPath';

/** How long a deleted conversation can be brought back, in milliseconds. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/** In the CLI's own folder, since a file can be moved within one disk only. The CLI does not look there. */
const ASIDE = 'patchbay-deleted';
const FILE = 'conversation.jsonl';
const FOLDER = 'files';
const ORIGIN = 'origin.json';

/**
 * Moves a conversation aside, with all that lies beside it, such as the transcripts of its
 * subagents. No CLI may be working on it.
 * @throws what moving the files throws; then it is where it was
 */
export async function deleteConversation(
  configFolder: string,
  file: string,
  now: number,
): Promise<void> {
  const sessionId = path.basename(file, '.jsonl');
  const aside = path.join(configFolder, ASIDE, sessionId);
  // One of the same id from before would be mixed with it.
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: 0o700 });
  await writeFile(path.join(aside, ORIGIN), JSON.stringify({ file, at: now }), { mode: 0o600 });
  await rename(file, path.join(aside, FILE));
  try {
    await moveIfThere(conversationFolder(file), path.join(aside, FOLDER));
  } catch (error) {
    await rename(path.join(aside, FILE), file);
    throw error;
  }
}

/**
 * Brings a deleted conversation back to where it was.
 * @returns false where it is not kept any more
 * @throws what moving the files throws, also where there is one of its name by now
 */
export async function undeleteConversation(
  configFolder: string,
  sessionId: string,
): Promise<boolean> {
  if (!isSessionId(sessionId)) return false;
  const aside = path.join(configFolder, ASIDE, sessionId);
  const origin = await originOf(aside);
  if (origin === undefined || !isWithin(path.join(configFolder, 'projects'), origin.file)) {
    return false;
  }
  const { file } = origin;
  if (await isThere(file)) throw new Error(`${file} is there already`);
  await mkdir(path.dirname(file), { recursive: true });
  await moveIfThere(path.join(aside, FOLDER), conversationFolder(file));
  await rename(path.join(aside, FILE), file);
  await rm(aside, { recursive: true, force: true });
  return true;
}

/** Removes for good what was deleted long enough ago. Never rejects. */
export async function purgeDeleted(configFolder: string, now: number): Promise<void> {
  const root = path.join(configFolder, ASIDE);
  for (const name of await readdir(root).catch(() => [])) {
    const aside = path.join(root, name);
    // Nothing but what was put there by these hands.
    const origin = isSessionId(name) ? await originOf(aside) : undefined;
    if (origin === undefined || now - origin.at < KEPT_MS) continue;
    await rm(aside, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function originOf(aside: string): Promise<{ file: string; at: number } | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path.join(aside, ORIGIN), 'utf8'));
    if (!isJsonObject(value)) return undefined;
    const { file, at } = value;
    return typeof file === 'string' && typeof at === 'number' ? { file, at } : undefined;
  } catch {
    return undefined;
  }
}

/** The place stands in a file that others could have written. */
function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

async function moveIfThere(from: string, to: string): Promise<void> {
  if (await isThere(from)) await rename(from, to);
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
