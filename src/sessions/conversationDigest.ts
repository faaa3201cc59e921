import { cutText } from '../base/cutText';
import type { ContentBlock } from '../protocol/contentBlocks';
import { readConversationFile } from './conversationFile';
import { listConversations, type ListQuestion } from './conversationList';
import type { StoredMessage } from './recordMessage';

/** What another conversation is told of this one: where it is, how it began and how it stands. */
export interface ConversationDigest {
  /** Absolute. */
  readonly file: string;
  readonly title: string | undefined;
  readonly firstPrompt: string | undefined;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
  /** What the person said last, in their order. */
  readonly lastPrompts: readonly string[];
  /** What the agent said last. */
  readonly lastAnswer: string | undefined;
}

/** Only the end of it is drawn: this much of its records, in bytes. */
const DRAWN_BYTES = 512 * 1024;
const LAST_PROMPTS = 5;
const PROMPT_CHARS = 600;
const ANSWER_CHARS = 4_000;

/**
 * @param start the beginning of the session's id; of several the one that was used last
 * @throws what reading the file throws
 */
export async function readDigest(
  question: ListQuestion,
  start: string,
): Promise<ConversationDigest | undefined> {
  const listed = (await listConversations(question)).find(({ sessionId }) =>
    sessionId.startsWith(start),
  );
  if (listed === undefined) return undefined;
  const { sessionId, file, title, firstPrompt, changedAt } = listed;
  const stored = await readConversationFile({ ...question, sessionId }, DRAWN_BYTES);
  const messages = stored?.messages ?? [];
  const prompts = messages.flatMap(promptOf);
  return {
    ...{ file, title, firstPrompt, changedAt },
    lastPrompts: prompts.slice(-LAST_PROMPTS).map((text) => cut(text, PROMPT_CHARS)),
    lastAnswer: lastAnswer(messages),
  };
}

function promptOf(message: StoredMessage): readonly string[] {
  if (message.type !== 'user' || isOfSubagent(message)) return [];
  const { content } = message.message;
  return typeof content === 'string' && content.trim() !== '' ? [content.trim()] : [];
}

function lastAnswer(messages: readonly StoredMessage[]): string | undefined {
  for (const message of [...messages].reverse()) {
    if (message.type !== 'assistant' || isOfSubagent(message)) continue;
    const { content } = message.message;
    const text = (typeof content === 'string' ? [content] : content.flatMap(textOf))
      .join('\n')
      .trim();
    if (text !== '') return cut(text, ANSWER_CHARS);
  }
  return undefined;
}

function textOf(block: ContentBlock): readonly string[] {
  return block.type === 'text' ? [block.text] : [];
}

function isOfSubagent(message: {
  readonly parent_tool_use_id?: string | null | undefined;
}): boolean {
  return typeof message.parent_tool_use_id === 'string';
}

function cut(text: string, most: number): string {
  const short = cutText(text, most);
  return short === text ? text : `${short}…`;
}
