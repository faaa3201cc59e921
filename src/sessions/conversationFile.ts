import { stat } from 'node:fs/promises';
import { belongsTo, readOutline } from './conversationOutline';
import { type ConversationKey, findConversationFile } from './conversationPath';
import { type JsonRecord, readJsonLines } from './jsonLines';
import { LastRecords, messageSize } from './lastRecords';
import { readRecord, type RecordContent, type StoredMessage } from './recordMessage';
import { insertSubagents } from './subagentFiles';

/**
 * So much of a conversation's drawn records is given back, in bytes as on disk, and so much of those of
 * its subagents: the last ones.
 */
const MAX_DRAWN_BYTES = 32 * 1024 * 1024;

/** A conversation as it stands on the disk. */
export interface StoredConversation {
  readonly file: string;
  /** Bytes of the file when it was read: when it has more later, somebody went on with it. */
  readonly size: number;
  /**
   * In order, as the CLI would have sent them, with `timestamp`. A `user` message whose content is a
   * text is a prompt (its `uuid` is the one that was sent) or the CLI's mark of an interruption.
   */
  readonly messages: readonly StoredMessage[];
  /** The title that the person or the CLI gave; undefined where none did. */
  readonly title: string | undefined;
  /** The process ended before the last turn did. */
  readonly isInterrupted: boolean;
  /** Lines that could not be read, such as one torn by a kill. */
  readonly brokenLines: number;
  /** Earlier messages are left out, because the conversation is very long. */
  readonly isCut: boolean;
}

/**
 * Finds and reads one conversation of the CLI, as protocol-chat's section on sessions describes its
 * files. Undefined where there is none, or where it belongs to another folder.
 * Streams in two passes, so that its memory is bound by what is drawn and not by the file, most of
 * which is what the CLI recorded for itself.
 * @throws what reading the file throws
 */
export async function readConversationFile(
  key: ConversationKey,
  maxDrawnBytes = MAX_DRAWN_BYTES,
): Promise<StoredConversation | undefined> {
  const file = await findConversationFile(key);
  if (file === undefined) return undefined;
  const { size } = await stat(file);
  const outline = await readOutline(file);
  if (!(await belongsTo(outline.cwds, key.cwd))) return undefined;
  const lines = new Set(outline.tree.conversation(outline.leaf).map(({ line }) => line));
  const { contents, isCut } = await readContents(file, lines, maxDrawnBytes);
  const { messages, isInterrupted } = arrange(contents);
  const whole = await insertSubagents(file, messages, maxDrawnBytes);
  return {
    ...{ file, size, isInterrupted },
    messages: whole.messages,
    title: outline.title,
    brokenLines: outline.brokenLines,
    isCut: isCut || whole.isCut,
  };
}

/** The records that are drawn; of a very long conversation the last ones. */
async function readContents(
  file: string,
  lines: ReadonlySet<number>,
  maxBytes: number,
): Promise<{ contents: readonly RecordContent[]; isCut: boolean }> {
  const last = new LastRecords<RecordContent>(maxBytes);
  const onRecord = (record: JsonRecord): void => {
    const content = readRecord(record);
    if (content) last.add(content, roughSize(content));
  };
  await readJsonLines(file, { onRecord, wants: (line) => lines.has(line) });
  return { contents: last.records, isCut: last.isCut };
}

function roughSize(content: RecordContent): number {
  if (content.kind === 'filler') return 0;
  const pictures = content.kind === 'prompt' ? (content.pictures ?? []) : [];
  return pictures.reduce((sum, { data }) => sum + data.length, messageSize(content.message));
}

/** Puts the contents into the order of the view and tells how the last turn stands. */
function arrange(
  contents: readonly RecordContent[],
): Pick<StoredConversation, 'messages' | 'isInterrupted'> {
  const messages: StoredMessage[] = [];
  let isOpen = false;
  for (const content of contents) {
    if (content.kind === 'filler') {
      // Behind a prompt that goes on after a kill it stands for the answer that never came.
      if (isOpen) messages.push({ type: 'interrupted' });
      isOpen = false;
      continue;
    }
    const last = messages.at(-1);
    const isBoundary = last?.type === 'system' && last.subtype === 'compact_boundary';
    if (isBoundary && content.kind === 'prompt' && content.command === 'compact') {
      // The CLI writes the command behind what it did.
      messages.splice(-1, 0, content.message);
      continue;
    }
    const { message } = content;
    const { pictures, selection } = content.kind === 'prompt' ? content : {};
    const isPlain = (pictures ?? selection) === undefined || message.type !== 'user';
    messages.push(isPlain ? message : { ...message, pictures: pictures ?? [], selection });
    isOpen = content.kind === 'prompt' ? content.command === undefined : !content.ends;
  }
  return { messages, isInterrupted: isOpen };
}
