import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../protocol/lazySchema';
import type { CliMessage } from '../protocol/messages';
import { readJsonLines } from './jsonLines';
import { readRecord, type StoredMessage } from './recordMessage';

const DESCRIPTION = /^(agent-[\w-]+)\.meta\.json$/;

/**
 * Puts the calls of subagents behind the calls that started them, as they came on the wire: without
 * the subagent's own text, and without `tool_use_result`. Fact: each subagent has a file of its own
 * in `<session>/subagents/`, and one beside it that names the call.
 */
export async function insertSubagents(
  file: string,
  messages: readonly StoredMessage[],
): Promise<readonly StoredMessage[]> {
  const folder = path.join(file.replace(/\.jsonl$/, ''), 'subagents');
  const byCall = await subagentsOf(folder);
  if (byCall.size === 0) return messages;
  const all: StoredMessage[] = [];
  for (const message of messages) {
    all.push(message);
    for (const call of callsOf(message)) {
      for (const agent of byCall.get(call) ?? []) {
        // One that cannot be read leaves its call as it is.
        all.push(...(await readAgent(path.join(folder, `${agent}.jsonl`), call).catch(() => [])));
      }
    }
  }
  return all;
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

async function readAgent(file: string, call: string): Promise<readonly CliMessage[]> {
  const messages: CliMessage[] = [];
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
      messages.push(
        row.type === 'assistant'
          ? { ...row, message: { ...row.message, content: blocks } }
          : { ...row, message: { ...row.message, content: blocks } },
      );
    },
  });
  return messages;
}
