import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../protocol/lazySchema';
import { type ConversationKey, findConversationFile, isSessionId } from './conversationPath';
import { type JsonRecord, readJsonLines } from './jsonLines';

/** Larger files of outputs are not read: no editor shows them either. */
const MAX_BYTES = 50 * 1024 * 1024;

/**
 * The whole text that a call gave back, as the CLI keeps it on disk: of a long output from the file
 * beside the conversation into which the CLI writes it. Undefined where there is none.
 * @throws what reading the conversation's file throws
 */
export async function readStoredResult(
  key: ConversationKey,
  toolUseId: string,
): Promise<string | undefined> {
  const file = await findConversationFile(key);
  if (file === undefined) return undefined;
  const folder = file.replace(/\.jsonl$/, '');
  for (const one of [file, ...(await subagentFiles(folder))]) {
    const found = await findResult(one, toolUseId);
    if (found) return (await persisted(found, folder)) ?? found.text;
  }
  return undefined;
}

interface FoundResult {
  readonly text: string;
  /** Where the CLI has put what was too long. */
  readonly file: string | undefined;
}

async function findResult(file: string, toolUseId: string): Promise<FoundResult | undefined> {
  let found: FoundResult | undefined;
  await readJsonLines(file, {
    mayBe: (line) => line.includes(toolUseId),
    onRecord: (record) => {
      found ??= resultIn(record, toolUseId);
    },
  });
  return found;
}

function resultIn(record: JsonRecord, toolUseId: string): FoundResult | undefined {
  const message = isJsonObject(record.message) ? record.message : {};
  const blocks = Array.isArray(message.content) ? message.content.filter(isJsonObject) : [];
  const block = blocks.find(
    ({ type, tool_use_id: id }) => type === 'tool_result' && id === toolUseId,
  );
  if (!block) return undefined;
  // With several in one record it cannot be told whose the account is.
  const account = blocks.length === 1 ? record.toolUseResult : undefined;
  const data = isJsonObject(account) ? account : {};
  const text = textOf(block.content);
  const stdout = typeof data.stdout === 'string' ? data.stdout : '';
  const written = data.persistedOutputPath;
  return {
    text: text.startsWith('<persisted-output>') && stdout.length > text.length ? stdout : text,
    file: typeof written === 'string' ? written : undefined,
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) =>
      isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [],
    )
    .join('\n');
}

/**
 * Only an output of this conversation, or of the one of this folder that it began as: the record
 * names a path, and what is in it is not ours.
 */
async function persisted({ file }: FoundResult, folder: string): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    const real = await realpath(file);
    if (!isOutput(real, folder, await realpath(path.dirname(folder)))) return undefined;
    return (await stat(real)).size > MAX_BYTES ? undefined : await readFile(real, 'utf8');
  } catch {
    return undefined;
  }
}

function isOutput(file: string, folder: string, project: string): boolean {
  const [session = '', kind, ...rest] = path.relative(project, file).split(path.sep);
  if (session === path.basename(folder)) return kind !== undefined;
  return isSessionId(session) && kind === 'tool-results' && rest.length > 0;
}

async function subagentFiles(folder: string): Promise<readonly string[]> {
  const inside = path.join(folder, 'subagents');
  const names = await readdir(inside).catch(() => []);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(inside, name));
}
