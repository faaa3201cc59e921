import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import {
  type StoredConversation,
  readConversationFile,
} from '../../../src/sessions/conversationFile';
import { projectFolderName } from '../../../src/sessions/conversationPath';
import type { StoredMessage } from '../../../src/sessions/recordMessage';

export const SESSION = '11111111-2222-3333-4444-555555555555';
export const CWD = '/tmp/ws.dot_x é-5X';

type Json = Record<string, unknown>;

/** A row of the person. */
export function prompt(
  uuid: string,
  parentUuid: string | null,
  text: string | readonly Json[],
  extra: Json = {},
): Json {
  return {
    type: 'user',
    uuid,
    parentUuid,
    cwd: CWD,
    message: { role: 'user', content: text },
    ...extra,
  };
}

/** A row of the model. */
export function answer(
  uuid: string,
  parentUuid: string | null,
  block: string | Json,
  extra: Json = {},
): Json {
  const content = [typeof block === 'string' ? { type: 'text', text: block } : block];
  const stop = typeof block === 'string' ? 'end_turn' : 'tool_use';
  return {
    type: 'assistant',
    uuid,
    parentUuid,
    message: { id: `m-${uuid}`, model: 'model', content, stop_reason: stop, ...extra },
  };
}

export const call = (id: string): Json => ({ type: 'tool_use', id, name: 'Bash', input: {} });

/** A row that brings a tool's result. */
export function result(
  uuid: string,
  parentUuid: string,
  id: string,
  text: string,
  extra: Json = {},
): Json {
  const content = [{ type: 'tool_result', tool_use_id: id, content: text }];
  return { type: 'user', uuid, parentUuid, message: { role: 'user', content }, ...extra };
}

export const attachment = (uuid: string, parentUuid: string, size = 10): Json => ({
  type: 'attachment',
  uuid,
  parentUuid,
  attachment: { type: 'prompt_snapshot', text: 'x'.repeat(size) },
});

/** A CLI's folder with one session in it; strings are lines as they are. */
export async function session(
  t: TestContext,
  lines: readonly (Json | string)[],
  options: { readonly cwd?: string; readonly end?: string } = {},
): Promise<{ readonly configFolder: string; readonly folder: string; readonly file: string }> {
  const configFolder = await mkdtemp(path.join(tmpdir(), 'patchbay session '));
  t.after(() => rm(configFolder, { recursive: true, force: true }));
  const folder = path.join(configFolder, 'projects', projectFolderName(options.cwd ?? CWD));
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${SESSION}.jsonl`);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, text.join('\n') + (options.end ?? '\n'));
  return { configFolder, folder, file };
}

export async function read(
  t: TestContext,
  lines: readonly (Json | string)[],
  end?: string,
): Promise<StoredConversation | undefined> {
  const { configFolder } = await session(t, lines, end === undefined ? {} : { end });
  return readConversationFile({ configFolder, cwd: CWD, sessionId: SESSION });
}

/** One short line for each message. */
export function outline(stored: StoredConversation | undefined): readonly string[] {
  return stored?.messages.map(line) ?? [];
}

function line(message: StoredMessage): string {
  if (message.type !== 'user' && message.type !== 'assistant') return message.type;
  const { content } = message.message;
  if (typeof content === 'string') return `${message.type}: ${content}`;
  const parts = content.map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'tool_use') return `call ${block.id}`;
    return block.type === 'tool_result' ? `result ${block.tool_use_id}` : block.type;
  });
  return `${message.type}: ${parts.join(', ')}`;
}
