import { isJsonObject } from '../protocol/lazySchema';
import type { UserMessage } from '../protocol/conversationMessages';
import { interpretMessage, type CliMessage } from '../protocol/messages';
import type { JsonRecord } from './jsonLines';

/** What a record says, for the view. */
export type RecordContent =
  /** As the CLI would have sent it; `ends` tells whether its turn needs nothing more. */
  | { readonly kind: 'message'; readonly message: CliMessage; readonly ends: boolean }
  /** Of the person: a `user` message whose content is the text. */
  | {
      readonly kind: 'prompt';
      readonly message: CliMessage;
      readonly command: string | undefined;
      /** In base64; what the person did not attach is not among them. */
      readonly pictures?: readonly StoredPicture[];
      readonly selection?: StoredSelection;
    }
  /** The CLI's own `No response requested.`: the turn before it never got its answer. */
  | { readonly kind: 'filler' };

/** `interrupted` stands where a process was killed in a turn and the next one went on. */
export type StoredMessage = CliMessage | StoredPrompt | { readonly type: 'interrupted' };

/** A prompt with what went with it. */
export type StoredPrompt = UserMessage & {
  readonly pictures: readonly StoredPicture[];
  readonly selection?: StoredSelection | undefined;
};

/** What was selected in the editor, as the model was told it. Lines from 1. */
export interface StoredSelection {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Base64. */
export interface StoredPicture {
  readonly data: string;
}

const SYNTHETIC_MODEL = '<synthetic>';
const FILLER = 'No response requested.';
const INTERRUPTED = '[Request interrupted by user';
/** What the CLI writes for a call that was running when its process was killed. */
const LOST_CALL = '[Tool call interrupted: the session ended before';
/** Fact: of a command from a file, which the model runs, the message comes before the name. */
const RUN_COMMAND = /^\s*<command-message>[^<]*<\/command-message>\s*(?=<command-name>)/;
const COMMAND = /^\s*<command-name>\s*\/?([^<]*?)\s*<\/command-name>/;
const COMMAND_ARGUMENTS = /<command-args>([^]*?)<\/command-args>/;
const COMMAND_OUTPUT =
  /^\s*<local-command-(?:stdout|stderr)>([^]*?)<\/local-command-(?:stdout|stderr)>\s*$/;
const ATTACHED = /^<attached(?: [^>]*)?>\n[^]*\n<\/attached>$/;
const SELECTION =
  /^<attached selection_in="([^"]*)" lines="(\d{1,9})(?:-(\d{1,9}))?">\n([^]*)\n<\/attached>$/;
/** Text that the CLI or the editor wrote into the person's place. */
const NOT_A_PROMPT = /^\s*<(?:task-notification|local-command-caveat|system-reminder)\b/;

/**
 * Turns a record of the file into the message that it was on the wire. Undefined for what is not
 * drawn: attachments, records of unknown kinds, rows that the CLI wrote for the model only.
 * Fact: on disk the keys are written in camel case, `tool_use_result` as `toolUseResult`.
 */
export function readRecord(record: JsonRecord): RecordContent | undefined {
  switch (record.type) {
    case 'assistant':
      return readAssistant(record);
    case 'user':
      return readUser(record);
    case 'system':
      return readSystem(record);
    case 'attachment':
      return readSteering(record);
    default:
      return undefined;
  }
}

function readAssistant(record: JsonRecord): RecordContent | undefined {
  const message = isJsonObject(record.message) ? record.message : {};
  if (message.model === SYNTHETIC_MODEL && record.isApiErrorMessage !== true) {
    // Commands of the CLI itself have records of their own kind; the rest is not for the person.
    return textOf(message.content).trim() === FILLER ? { kind: 'filler' } : undefined;
  }
  return drawn(
    {
      ...common(record),
      type: 'assistant',
      message,
      thinking_duration_ms: record.thinkingDurationMs,
      error: record.error,
      is_api_error_message: record.isApiErrorMessage,
      api_error_status: record.apiErrorStatus,
    },
    record.isApiErrorMessage === true ||
      (typeof message.stop_reason === 'string' && message.stop_reason !== 'tool_use'),
  );
}

function readUser(record: JsonRecord): RecordContent | undefined {
  const message = isJsonObject(record.message) ? record.message : {};
  const { content } = message;
  if (hasToolResult(content)) return readResults(record, message);
  if (record.isMeta === true || record.isCompactSummary === true) return undefined;
  if (record.isVisibleInTranscriptOnly === true) return undefined;
  const text = textOf(withoutAttached(content));
  if (isNotOfThePerson(record)) return backgroundReport(text);
  if (text.startsWith(INTERRUPTED)) return drawn(userRow(record, text), true);
  const output = COMMAND_OUTPUT.exec(text)?.[1];
  if (output !== undefined) return commandOutput(record, output);
  const command = COMMAND.exec(text.replace(RUN_COMMAND, ''))?.[1];
  // One with more than its marks is a prompt of a server, which the model answers as any other.
  const isRun = RUN_COMMAND.test(text) || (Array.isArray(content) && content.length > 1);
  if (command !== undefined) return prompt(record, typedOf(text), isRun ? undefined : command);
  const pictures = picturesOf(content, record.imagePasteIds);
  const isNothing = text.trim() === '' && pictures.length === 0;
  if (isNothing || NOT_A_PROMPT.test(text)) return undefined;
  return prompt(record, text, undefined, { pictures, selection: selectionOf(content) });
}

/** A turn that nobody asked for begins with a row of its own, such as after a background task. */
function isNotOfThePerson({ origin, promptSource }: JsonRecord): boolean {
  if (promptSource === 'system') return true;
  return isJsonObject(origin) && typeof origin.kind === 'string' && origin.kind !== 'human';
}

/**
 * The report of a background task, which opens the turn that the model has with it. Fact: it is text
 * with tags such as `<tool-use-id>`, in the place of a prompt.
 */
function backgroundReport(text: string): RecordContent | undefined {
  if (!/^\s*<task-notification>/.test(text)) return undefined;
  const tag = (name: string): string | undefined =>
    new RegExp(`<${name}>([^]*?)</${name}>`).exec(text)?.[1]?.trim();
  const row = { type: 'system', subtype: 'task_notification', task_id: tag('task-id') ?? '' };
  return drawn(
    { ...row, tool_use_id: tag('tool-use-id'), status: tag('status'), summary: tag('summary') },
    false,
  );
}

function readResults(record: JsonRecord, message: JsonRecord): RecordContent | undefined {
  const blocks = Array.isArray(message.content) ? message.content.filter(isJsonObject) : [];
  const decision = isJsonObject(record.permissionDecision) ? record.permissionDecision : undefined;
  const meta = blocks.flatMap((block) => {
    const lost = block.is_error === true && textOf(block.content).startsWith(LOST_CALL);
    const kind = lost ? 'user-rejected' : record.toolDenialKind;
    if (kind === undefined && !decision) return [];
    const decided = decision && { ...decision, reason_type: decision.reasonType };
    return { id: block.tool_use_id, non_execution_kind: kind, permission_decision: decided };
  });
  const row = { ...common(record), type: 'user', message, tool_result_meta: meta };
  return drawn({ ...row, tool_use_result: withoutWholeFiles(record.toolUseResult) }, false);
}

/** An edit's record holds the whole file; its diff stands beside it. */
function withoutWholeFiles(result: unknown): unknown {
  if (!isJsonObject(result) || !('originalFile' in result)) return result;
  return Object.fromEntries(Object.entries(result).filter(([key]) => key !== 'originalFile'));
}

function readSystem(record: JsonRecord): RecordContent | undefined {
  if (record.subtype === 'local_command') {
    const output = COMMAND_OUTPUT.exec(textOf(record.content))?.[1];
    return output === undefined ? undefined : commandOutput(record, output);
  }
  if (record.subtype !== 'compact_boundary') return undefined;
  const metadata = isJsonObject(record.compactMetadata) ? record.compactMetadata : {};
  const { preTokens, postTokens, trigger } = metadata;
  return drawn(
    {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: record.uuid,
      compact_metadata: { trigger, pre_tokens: preTokens, post_tokens: postTokens },
    },
    trigger === 'manual',
  );
}

/** A prompt that was sent into a running turn is kept as an attachment. */
function readSteering(record: JsonRecord): RecordContent | undefined {
  const { attachment } = record;
  if (!isJsonObject(attachment) || attachment.type !== 'queued_command') return undefined;
  if (attachment.commandMode !== undefined && attachment.commandMode !== 'prompt') return undefined;
  if (isNotOfThePerson(attachment)) return undefined;
  const text = typedOf(textOf(withoutAttached(attachment.prompt)));
  const pictures = picturesOf(attachment.prompt, attachment.imagePasteIds);
  const isNothing = text.trim() === '' && pictures.length === 0;
  if (isNothing || NOT_A_PROMPT.test(text)) return undefined;
  const row = { ...record, uuid: attachment.source_uuid ?? record.uuid };
  const selection = selectionOf(attachment.prompt);
  return prompt(row, text, undefined, { pictures, selection });
}

function commandOutput(record: JsonRecord, output: string): RecordContent | undefined {
  return drawn(
    {
      ...common(record),
      type: 'assistant',
      message: { model: SYNTHETIC_MODEL, content: output },
      local_command_source: 'restored',
    },
    true,
  );
}

function prompt(
  record: JsonRecord,
  text: string,
  command?: string,
  { pictures = [], selection }: WentWith = {},
): RecordContent | undefined {
  const content = drawn(userRow(record, text), false);
  if (content?.kind !== 'message') return undefined;
  const { message } = content;
  return {
    ...{ kind: 'prompt', message, command },
    ...(pictures.length > 0 ? { pictures } : {}),
    ...(selection === undefined ? {} : { selection }),
  };
}

interface WentWith {
  readonly pictures?: readonly StoredPicture[];
  readonly selection?: StoredSelection | undefined;
}

function selectionOf(content: unknown): StoredSelection | undefined {
  if (!Array.isArray(content)) return undefined;
  for (const block of content as readonly unknown[]) {
    if (!isJsonObject(block) || typeof block.text !== 'string') continue;
    const [, path, from, to = from, text] = SELECTION.exec(block.text) ?? [];
    if (path === undefined || text === undefined) continue;
    return { path, from: Number(from), to: Number(to), text };
  }
  return undefined;
}

/**
 * Those of the person stand at the front; one behind text is of a resource that is mentioned. Fact:
 * what was pasted in a terminal stands behind the words, and is counted by `imagePasteIds`.
 */
function picturesOf(content: unknown, pasteIds: unknown): readonly StoredPicture[] {
  if (!Array.isArray(content)) return [];
  const isImage = (block: unknown): boolean => isJsonObject(block) && block.type === 'image';
  const end = content.findIndex((block: unknown) => !isImage(block));
  const pasted = Array.isArray(pasteIds) ? pasteIds.length : 0;
  const blocks: readonly unknown[] =
    end === 0
      ? content.filter(isImage).slice(0, pasted)
      : content.slice(0, end === -1 ? undefined : end);
  return blocks.flatMap((block) => {
    const source = isJsonObject(block) && isJsonObject(block.source) ? block.source : {};
    return typeof source.data === 'string' ? [{ data: source.data }] : [];
  });
}

function userRow(record: JsonRecord, text: string): JsonRecord {
  return { ...common(record), type: 'user', message: { role: 'user', content: text } };
}

function drawn(row: JsonRecord, ends: boolean): RecordContent | undefined {
  const parsed = interpretMessage(row);
  return parsed.ok ? { kind: 'message', message: parsed.message, ends } : undefined;
}

function common({ uuid, timestamp }: JsonRecord): JsonRecord {
  return { uuid, timestamp };
}

function hasToolResult(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.some((block) => isJsonObject(block) && block.type === 'tool_result')
  );
}

/** A command as it was typed, where its marks begin the text. */
function typedOf(text: string): string {
  const command = COMMAND.exec(text.replace(RUN_COMMAND, ''))?.[1];
  if (command === undefined) return text;
  const rest = COMMAND_ARGUMENTS.exec(text)?.[1]?.trim() ?? '';
  return `/${command}${rest === '' ? '' : ` ${rest}`}`;
}

/** What Patchbay put before the person's own words: resources and lines that these mention. */
function withoutAttached(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter(
    (block: unknown) =>
      !isJsonObject(block) || typeof block.text !== 'string' || !ATTACHED.test(block.text),
  );
}

/** The text of a content: a string, or the text blocks of a list. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block: unknown) =>
      isJsonObject(block) && block.type === 'text' && typeof block.text === 'string'
        ? block.text
        : [],
    )
    .join('\n');
}
