import { randomUUID } from 'node:crypto';
import { copyFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ignoreMissing } from '../base/errors';
import { isJsonObject } from '../protocol/lazySchema';
import { belongsTo, readOutline } from './conversationOutline';
import { conversationFolder, type ConversationKey, findConversationFile } from './conversationPath';
import { readJsonLines } from './jsonLines';
import { subagentsOf } from './subagentFiles';
import { titleRecords } from './titleRecords';

/** Where a conversation is cut. */
export interface ForkCut {
  /**
   * Prompts by the uuids that they were sent with: the copy ends before the first of them that is on
   * the disk, and holds all that was said where none is.
   */
  readonly before: readonly string[];
  /** Of the copy; empty for none. */
  readonly title: string;
}

/** The copy that was made; `none` where nothing was said before the cut. */
export type ForkedConversation =
  | { readonly kind: 'copy'; readonly sessionId: string; readonly file: string }
  | { readonly kind: 'none' };

/**
 * Copies the beginning of a conversation into a file of its own, under a new id: the CLI goes on
 * with it as with any other (`--resume`). The records keep their uuids, as with the CLI's own forks.
 *
 * Fact: the CLI's own `--resume-session-at` with `--fork-session` finds nothing that was said before
 * a compaction, and its copy leaves out the transcripts of subagents; so the file is cut here. What
 * is not part of the talk, such as its record of requests, stays behind: the CLI does without.
 *
 * @returns undefined where there is no such conversation of this folder
 * @throws what reading and writing the files throws; nothing is left behind then
 */
export async function forkConversation(
  key: ConversationKey,
  cut: ForkCut,
): Promise<ForkedConversation | undefined> {
  const origin = await findConversationFile(key);
  if (origin === undefined) return undefined;
  const { tree, leaf, cwds } = await readOutline(origin);
  if (!(await belongsTo(cwds, key.cwd))) return undefined;
  const records = tree.before(cut.before) ?? tree.conversation(leaf);
  if (records.length === 0) return { kind: 'none' };
  const sessionId = randomUUID();
  const file = path.join(path.dirname(origin), `${sessionId}.jsonl`);
  // No conversation of any list until it is whole.
  const unfinished = `${file}.part`;
  try {
    const calls = await writeCopy(origin, unfinished, {
      ...{ sessionId, title: cut.title },
      lines: new Set(records.map(({ line }) => line)),
    });
    await copySubagents(origin, file, calls);
    await rename(unfinished, file);
  } catch (error) {
    const folder = conversationFolder(file);
    await Promise.all([unfinished, folder].map((one) => rm(one, { force: true, recursive: true })));
    throw error;
  }
  return { kind: 'copy', sessionId, file };
}

interface Copy {
  readonly sessionId: string;
  readonly title: string;
  /** Those of the origin that are copied. */
  readonly lines: ReadonlySet<number>;
}

/** @returns the ids of the tool calls in it */
async function writeCopy(
  origin: string,
  target: string,
  { sessionId, title, lines }: Copy,
): Promise<ReadonlySet<string>> {
  const calls = new Set<string>();
  // As the CLI's own files: for nobody else on the machine.
  const handle = await open(target, 'wx', 0o600);
  try {
    const writer = new LineWriter(handle);
    await readJsonLines(origin, {
      wants: (line) => lines.has(line),
      onRecord: (record) => {
        for (const id of callIds(record.message)) calls.add(id);
        writer.add({ ...record, sessionId });
      },
      onChunk: () => writer.flush(),
    });
    for (const record of title === '' ? [] : titleRecords(sessionId, title)) writer.add(record);
    await writer.flush();
    await handle.sync();
  } finally {
    await handle.close();
  }
  return calls;
}

class LineWriter {
  readonly #handle: FileHandle;
  #lines: string[] = [];

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  add(record: object): void {
    this.#lines.push(`${JSON.stringify(record)}\n`);
  }

  async flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    await this.#handle.writeFile(text);
  }
}

/** The transcripts of those subagents that the copied calls started. */
async function copySubagents(
  origin: string,
  file: string,
  calls: ReadonlySet<string>,
): Promise<void> {
  const from = path.join(conversationFolder(origin), 'subagents');
  const to = path.join(conversationFolder(file), 'subagents');
  for (const [call, agents] of await subagentsOf(from)) {
    if (!calls.has(call)) continue;
    await mkdir(to, { recursive: true });
    for (const agent of agents) {
      for (const name of [`${agent}.jsonl`, `${agent}.meta.json`]) {
        await copyFile(path.join(from, name), path.join(to, name)).catch(ignoreMissing);
      }
    }
  }
}

function callIds(message: unknown): readonly string[] {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return [];
  return message.content.flatMap((block: unknown) =>
    isJsonObject(block) && block.type === 'tool_use' && typeof block.id === 'string'
      ? block.id
      : [],
  );
}
