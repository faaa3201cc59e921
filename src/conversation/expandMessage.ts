import * as l10n from '@vscode/l10n';
import { errorMessage, UserFacingError } from '../base/errors';
import { parseArguments, tryParseCommandLine, typedArgument } from '../chat/commandLine';
import { hasMention, mentionsLeft, parseMentions } from '../chat/mentions';
import type { PromptExpansion } from '../chat/promptExpansion';
import type { PromptBlock } from '../protocol/outboundRequests';
import { ownField } from '../mcp/wire';
import type { ExpandedMention } from './expandedMention';
import { expandMention, type MentionPorts, wouldAttach } from './expandMention';
import { findPrompt, promptOfCommand } from './commandNames';
import { attachedText, pieceOfContent, shownPart } from './promptBlocks';
import type { ServerOffers } from './serverOffers';

export interface ExpandPorts extends MentionPorts {
  readonly offers: ServerOffers;
  /** Whether the CLI has a command of this name: then it is the CLI's. */
  readonly isCliCommand: (name: string) => boolean;
  /** What the person has changed since the last message; absent where that is not wanted. */
  readonly changes?: (() => Promise<string | undefined>) | undefined;
}

/** Above this no model takes it; see `MAX_PROMPT_CHARACTERS` for what is typed. */
const MAX_CHARACTERS = 2_000_000;
/** Bytes of base64 in one message. */
const MAX_IMAGES = 20 * 1024 * 1024;

/** False where a message surely goes as it is: then nothing has to be waited for. */
export function mayExpand(
  text: string,
  ports: Pick<ExpandPorts, 'offers' | 'isCliCommand' | 'changes'>,
): boolean {
  return promptCall(text, ports) !== undefined || hasMention(text) || bringsChanges(text, ports);
}

/** A command of the CLI would be no command any more with something before it. */
function bringsChanges(text: string, { changes }: Pick<ExpandPorts, 'changes'>): boolean {
  return changes !== undefined && !text.trimStart().startsWith('/');
}

/**
 * What the model gets for a message. A prompt of a server of ours is run; resources, lines and
 * problems that it mentions are read and go before it. Files that it mentions the CLI reads itself.
 * @throws UserFacingError with what could not be had; the message itself is with whoever sent it
 */
export async function expandMessage(
  text: string,
  ports: ExpandPorts,
  signal: AbortSignal,
): Promise<PromptExpansion> {
  const call = promptCall(text, ports);
  const expansion =
    call === undefined
      ? await expandMentions(text, ports, signal)
      : await runPrompt(text, call, ports, signal);
  checkSize(expansion.content);
  return expansion;
}

interface PromptCall {
  readonly server: string;
  readonly name: string;
  readonly rest: string;
  /** As it is typed, without the slash. */
  readonly command: string;
}

function promptCall(
  text: string,
  { offers, isCliCommand }: Pick<ExpandPorts, 'offers' | 'isCliCommand'>,
): PromptCall | undefined {
  const line = tryParseCommandLine(text);
  if (line === undefined) return undefined;
  const found = promptOfCommand(line.name, (name) => offers.has(name), isCliCommand);
  return found && { ...found, rest: line.rest, command: line.name };
}

async function runPrompt(
  text: string,
  { server, name, rest, command }: PromptCall,
  { offers }: ExpandPorts,
  signal: AbortSignal,
): Promise<PromptExpansion> {
  const failed = (reason: string): UserFacingError =>
    new UserFacingError(
      l10n.t('The prompt {0} of {1} could not be run: {2}', name, server, reason),
    );
  let messages: readonly unknown[];
  try {
    const known = findPrompt(await offers.prompts(server, signal), name);
    const args = parseArguments(rest, known?.arguments ?? []);
    const missing = (known?.arguments ?? []).filter(
      (one) => one.required && !Object.hasOwn(args, one.name),
    );
    if (missing.length > 0) {
      const names = missing.map((one) => `${typedArgument(one.name)}=`).join(' ');
      throw failed(l10n.t('it needs {0} behind the command.', names));
    }
    messages = await offers.getPrompt(server, known?.name ?? name, args, signal);
  } catch (error) {
    if (signal.aborted || error instanceof UserFacingError) throw error;
    throw failed(errorMessage(error));
  }
  const what = l10n.t('The prompt {0} of {1}', name, server);
  const pieces = messages.map((message) => pieceOfContent(ownField(message, 'content'), what));
  if (pieces.length === 0) throw failed(l10n.t('it gave no message.'));
  const isDialogue = messages.some((message) => ownField(message, 'role') === 'assistant');
  const blocks = pieces.flatMap(({ block }, index): PromptBlock[] =>
    isDialogue ? [{ type: 'text', text: `${roleOf(messages[index])}:` }, block] : [block],
  );
  const shown = pieces.map((piece, index) =>
    isDialogue ? `${roleOf(messages[index])}:\n${piece.shown}` : piece.shown,
  );
  return {
    // The CLI's own marks of a command: so the model, and a later reading of the file, see what was typed.
    content: [{ type: 'text', text: commandMark(command, text) }, ...blocks],
    isComposed: true,
    parts: [shownPart(l10n.t('Prompt {0} of {1}', name, server), shown.join('\n\n'))],
  };
}

function commandMark(command: string, text: string): string {
  const args = text
    .trim()
    .slice(command.length + 1)
    .trim();
  const safe = (part: string): string => part.replaceAll('<', '‹');
  return [
    `<command-name>/${safe(command)}</command-name>`,
    `<command-message>${safe(command)}</command-message>`,
    ...(args === '' ? [] : [`<command-args>${safe(args)}</command-args>`]),
  ].join('\n');
}

async function expandMentions(
  text: string,
  ports: ExpandPorts,
  signal: AbortSignal,
): Promise<PromptExpansion> {
  const found = [];
  // One after the other: which fault is told must not hang on which server is faster.
  for (const mention of parseMentions(text)) {
    signal.throwIfAborted();
    found.push(await expandMention(mention, ports, signal));
  }
  found.push(await tellLeft(text, ports));
  if (bringsChanges(text, ports)) found.push(await tellChanges(ports));
  const blocks = found.flatMap((one) => one?.blocks ?? []);
  const parts = found.flatMap((one) => one?.parts ?? []);
  if (blocks.length === 0) return { content: text, isComposed: false, parts };
  // What is typed comes last: there the CLI looks for commands and mentions.
  const words: readonly PromptBlock[] = text.trim() === '' ? [] : [{ type: 'text', text }];
  return { content: [...blocks, ...words], isComposed: false, parts };
}

/** More mentions than are looked at: what is not attached is told, to the person and to the model. */
async function tellLeft(text: string, ports: ExpandPorts): Promise<ExpandedMention | undefined> {
  const left: string[] = [];
  for (const mention of mentionsLeft(text)) {
    if (await wouldAttach(mention, ports)) left.push(mention.raw);
  }
  if (left.length === 0) return undefined;
  const names = left.join('\n');
  return {
    blocks: [
      attachedText({ left_out: `${left.length} mentions` }, `Not attached, too many:\n${names}`),
    ],
    parts: [
      shownPart(l10n.t('Not attached, since too much is mentioned: {0}', left.length), names),
    ],
  };
}

async function tellChanges({ changes }: ExpandPorts): Promise<ExpandedMention | undefined> {
  const text = await changes?.();
  if (text === undefined) return undefined;
  return {
    blocks: [attachedText({ edits: 'of the person' }, text)],
    parts: [shownPart(l10n.t('Your edits since the last turn'), text)],
  };
}

function roleOf(message: unknown): string {
  return ownField(message, 'role') === 'assistant' ? 'Assistant' : 'User';
}

function checkSize(content: PromptExpansion['content']): void {
  const blocks = typeof content === 'string' ? [] : content;
  let characters = 0;
  let images = 0;
  for (const block of blocks) {
    if (block.type === 'text') characters += block.text.length;
    else if (block.type === 'image') images += block.source.data.length;
  }
  if (characters <= MAX_CHARACTERS && images <= MAX_IMAGES) return;
  throw new UserFacingError(
    l10n.t('What the message names is too long to be sent: {0} characters.', characters + images),
  );
}
