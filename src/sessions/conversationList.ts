import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ellipsize } from '../base/cutText';
import { isJsonObject } from '../protocol/lazySchema';
import { conversationFolder, isSessionId, projectFolderName, realPath } from './conversationPath';
import type { JsonRecord } from './jsonLines';
import { readRecord } from './recordMessage';
import { TITLE_FILE } from './renameConversation';

/** A conversation of a folder, as far as the head and the tail of its file tell. */
export interface ListedConversation {
  readonly sessionId: string;
  readonly file: string;
  /** That the person or the CLI gave; undefined where none did, or where it stands in the middle. */
  readonly title: string | undefined;
  /** What the person said first; undefined where the beginning of the file cannot be read. */
  readonly firstPrompt: string | undefined;
  /** When its file was last written, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly bytes: number;
}

/** Which conversations. */
export interface ListQuestion {
  /** The CLI's own folder: `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. */
  readonly configFolder: string;
  /** The folder in which the CLI worked, absolute. */
  readonly cwd: string;
}

/** Fact: the first row of the person comes within the first KB, unless what was pasted is long. */
const HEAD_BYTES = 32 * 1024;
/** A longer beginning is not searched for a prompt: 1 MiB is a pasted file. */
const LONGEST_HEAD = 1024 * 1024;
/** Fact: title and last prompt are written anew at the end; a line there may have 60 KB. */
const TAIL_BYTES = 128 * 1024;
const PROMPT_CHARS = 300;
const AT_ONCE = 8;
/** Fact: the CLI shortens the names of deep folders; so much of them is certain. */
const CERTAIN_CHARS = 100;

/**
 * The conversations of a folder from the CLI's own files, those of the terminal too, newest first.
 * Reads heads and tails only. A file that is empty, broken or of another kind is left out and keeps
 * no other away: there is no index that could be stale.
 */
export async function listConversations(
  question: ListQuestion,
): Promise<readonly ListedConversation[]> {
  const cwds = new Set([question.cwd, await realPath(question.cwd)]);
  const files = await filesOf(question.configFolder, [...cwds]);
  const found: ListedConversation[] = [];
  const waiting = [...files];
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const listed = await look(file, cwds).catch(() => undefined);
      if (listed) found.push(listed);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found.sort((a, b) => b.changedAt - a.changedAt || (a.sessionId < b.sessionId ? -1 : 1));
}

/** The folder in which the CLI worked when it wrote last, absolute; undefined where the end of the file does not tell. */
export async function lastFolder(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    return (await readTail(handle, size)).cwd;
  } finally {
    await handle.close();
  }
}

async function filesOf(configFolder: string, cwds: readonly string[]): Promise<readonly string[]> {
  const projects = path.join(configFolder, 'projects');
  const starts = cwds.map((cwd) => projectFolderName(cwd));
  const folders = (await readdir(projects).catch(() => [])).filter((folder) =>
    starts.some(
      (name) =>
        folder === name ||
        (name.length > CERTAIN_CHARS && folder.startsWith(name.slice(0, CERTAIN_CHARS))),
    ),
  );
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(path.join(projects, folder)).catch(() => []);
      return names
        .filter((name) => name.endsWith('.jsonl') && isSessionId(name.slice(0, -'.jsonl'.length)))
        .map((name) => path.join(projects, folder, name));
    }),
  );
  return lists.flat();
}

/** Undefined where nothing was said in it, or it belongs to another folder of the same name. */
async function look(
  file: string,
  cwds: ReadonlySet<string>,
): Promise<ListedConversation | undefined> {
  const handle = await open(file, 'r');
  try {
    const { size, mtimeMs } = await handle.stat();
    const head = await readHead(handle, size);
    const tail = await readTail(handle, size);
    const cwd = head.cwd ?? tail.cwd;
    if (cwd !== undefined && !(await isOneOf(cwds, cwd))) return undefined;
    const firstPrompt = head.prompt ?? tail.lastPrompt;
    const isNothing = !head.isAnswered && !tail.isAnswered;
    if (firstPrompt === undefined && tail.title === undefined && isNothing) return undefined;
    // In a long one it may stand far before the tail.
    const title = tail.title ?? (await titleBeside(file));
    const sessionId = path.basename(file, '.jsonl');
    return { sessionId, file, title, firstPrompt, changedAt: mtimeMs, bytes: size };
  } finally {
    await handle.close();
  }
}

async function titleBeside(file: string): Promise<string | undefined> {
  const text = await readFile(path.join(conversationFolder(file), TITLE_FILE), 'utf8').catch(
    () => '',
  );
  const title = recordOf(text)[0]?.customTitle;
  return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}

async function isOneOf(cwds: ReadonlySet<string>, cwd: string): Promise<boolean> {
  return cwds.has(cwd) || cwds.has(await realPath(cwd));
}

interface Head {
  readonly prompt: string | undefined;
  readonly cwd: string | undefined;
  /** A conversation may begin with pictures only. */
  readonly isAnswered: boolean;
}

async function readHead(handle: FileHandle, size: number): Promise<Head> {
  for (let bytes = HEAD_BYTES; ; bytes *= 8) {
    const isAll = bytes >= size;
    const text = await readAt(handle, 0, Math.min(bytes, size));
    const lines = text.split('\n');
    // The last one is torn where the file goes on.
    if (!isAll) lines.pop();
    const head = headOf(lines);
    if (head.prompt !== undefined || isAll || bytes >= LONGEST_HEAD) return head;
  }
}

function headOf(lines: readonly string[]): Head {
  let cwd: string | undefined;
  let isAnswered = false;
  for (const record of lines.flatMap(recordOf)) {
    if (cwd === undefined && typeof record.cwd === 'string') cwd = record.cwd;
    if (record.isSidechain === true) continue;
    isAnswered ||= isAnswer(record);
    const content = record.type === 'user' ? readRecord(record) : undefined;
    if (content?.kind !== 'prompt' || content.message.type !== 'user') continue;
    const { content: text } = content.message.message;
    if (typeof text !== 'string' || text.trim() === '') continue;
    // A command of the CLI's own says little of what the conversation is about.
    if (content.command === undefined) return { prompt: short(text), cwd, isAnswered };
  }
  return { prompt: undefined, cwd, isAnswered };
}

function isAnswer(record: JsonRecord): boolean {
  if (record.type !== 'assistant' || record.isSidechain === true) return false;
  return readRecord(record)?.kind === 'message';
}

interface Tail {
  readonly title: string | undefined;
  readonly lastPrompt: string | undefined;
  readonly cwd: string | undefined;
  readonly isAnswered: boolean;
}

async function readTail(handle: FileHandle, size: number): Promise<Tail> {
  const from = Math.max(0, size - TAIL_BYTES);
  const lines = (await readAt(handle, from, size - from)).split('\n');
  if (from > 0) lines.shift();
  let title: string | undefined;
  let lastPrompt: string | undefined;
  let cwd: string | undefined;
  let isAnswered = false;
  // Of several the last one counts.
  for (const record of lines.flatMap(recordOf)) {
    if (typeof record.cwd === 'string') cwd = record.cwd;
    isAnswered ||= isAnswer(record);
    if (record.type === 'custom-title' && typeof record.customTitle === 'string') {
      title = record.customTitle.trim() === '' ? undefined : record.customTitle;
    }
    if (record.type === 'last-prompt' && typeof record.lastPrompt === 'string') {
      lastPrompt = short(record.lastPrompt);
    }
  }
  return { title, lastPrompt, cwd, isAnswered };
}

function recordOf(line: string): readonly JsonRecord[] {
  if (line.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? [value] : [];
  } catch {
    // Torn by a kill.
    return [];
  }
}

async function readAt(handle: FileHandle, from: number, bytes: number): Promise<string> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await handle.read(buffer, 0, bytes, from);
  return buffer.toString('utf8', 0, bytesRead);
}

function short(text: string): string {
  return ellipsize(text.replace(/\s+/g, ' ').trim(), PROMPT_CHARS);
}
