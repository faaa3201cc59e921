import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../protocol/lazySchema';
import type { CliMessage } from '../protocol/messages';
import { conversationFolder } from './conversationPath';
import { readJsonLines } from './jsonLines';
import { LastRecords, messageSize } from './lastRecords';
import { readRecord, type StoredMessage } from './recordMessage';

const DESCRIPTION = /^(agent-[\w-]+)\.meta\.json$/;

/**
 * Puts the calls of subagents behind the calls that started them, as they came on the wire: without
 * the subagent's own text, and without `tool_use_result`. Fact: each subagent has a file of its own
 * in `<session>/subagents/`, and one beside it that names the call.
 * @param maxBytes of all of them together, as on disk: of more the last ones are given
 */
export async function insertSubagents(
  file: string,
  messages: readonly StoredMessage[],
  maxBytes: number,
): Promise<{ readonly messages: readonly StoredMessage[]; readonly isCut: boolean }> {
  const folder = path.join(conversationFolder(file), 'subagents');
  const byCall = await subagentsOf(folder);
  const rows = new Map<string, readonly CliMessage[]>();
  const calls = messages.flatMap(callsOf);
  let left = maxBytes;
  let isCut = false;
  // From the last one back, and within it those that a subagent has started itself.
  for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
    if (rows.has(call)) continue;
    const own: CliMessage[] = [];
    for (const agent of [...(byCall.get(call) ?? [])].reverse()) {
      const read = new LastRecords<CliMessage>(left);
      // One that cannot be read leaves its call as it is.
      await readAgent(path.join(folder, `${agent}.jsonl`), call, read).catch(() => undefined);
      own.unshift(...read.records);
      left -= read.bytes;
      isCut ||= read.isCut;
    }
    rows.set(call, own);
    calls.push(...own.flatMap(callsOf));
  }
  const withCalls = (message: StoredMessage): readonly StoredMessage[] => [
    message,
    ...callsOf(message).flatMap((call) => {
      const own = rows.get(call) ?? [];
      // Once: a damaged file could name itself.
      rows.delete(call);
      return own.flatMap(withCalls);
    }),
  ];
  return { messages: messages.flatMap(withCalls), isCut };
}

/** The names of the subagents in this folder, without an ending, by the call that started them. */
export async function subagentsOf(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = await readdir(folder).catch(() => []);
  const byCall = new Map<string, string[]>();
  for (const name of names.sort()) {
    const agent = DESCRIPTION.exec(name)?.[1];
    if (agent === undefined) continue;
    const call = await callOf(path.join(folder, name));
    if (call !== undefined) byCall.set(call, [...(byCall.get(call) ?? []), agent]);
  }
  return byCall;
}

async function callOf(description: string): Promise<string | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(description, 'utf8'));
    return isJsonObject(value) && typeof value.toolUseId === 'string' ? value.toolUseId : undefined;
  } catch {
    return undefined;
  }
}

function callsOf(message: StoredMessage): readonly string[] {
  if (message.type !== 'assistant' || typeof message.message.content === 'string') return [];
  return message.message.content.flatMap((block) => (block.type === 'tool_use' ? block.id : []));
}

async function readAgent(file: string, call: string, into: LastRecords<CliMessage>): Promise<void> {
  await readJsonLines(file, {
    onRecord: (record) => {
      const content = readRecord({ ...record, toolUseResult: undefined });
      if (content?.kind !== 'message') return;
      const { message } = content;
      if (message.type !== 'assistant' && message.type !== 'user') return;
      if (typeof message.message.content === 'string') return;
      const blocks = message.message.content.filter(
        ({ type }) => type === 'tool_use' || type === 'tool_result',
      );
      if (blocks.length === 0) return;
      const row = { ...message, parent_tool_use_id: call };
      // The two have their own message types, which the spread of a union would lose.
      const own =
        row.type === 'assistant'
          ? { ...row, message: { ...row.message, content: blocks } }
          : { ...row, message: { ...row.message, content: blocks } };
      into.add(own, messageSize(own));
    },
  });
}
