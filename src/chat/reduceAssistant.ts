import * as l10n from '@vscode/l10n';
import type { ContentBlock } from '../protocol/contentBlocks';
import type { AssistantMessage } from '../protocol/conversationMessages';
import { MessageTrack } from './messageTracks';
import type { ModelContext } from './modelContext';
import { addStreamedBlock, enterWorking, isStreamed } from './reduceStream';
import type { BlockRef } from './transcriptStore';
import type { TextBlock, ThinkingBlock } from './viewStateProtocol';

/** Rows that the CLI writes itself, without a model. */
const SYNTHETIC_MODEL = '<synthetic>';
/** Put into a conversation that is taken up again after a crash. */
const FILLER = 'No response requested.';
/** Longer output of a local command is drawn as an answer, not as a quiet line. */
const NOTICE_LIMIT = 200;

/**
 * Applies a whole `assistant` row. It brings the next block (or blocks) of its message; a block
 * that was streamed already is confirmed, not drawn again (facts, section 1).
 */
export function reduceAssistant(context: ModelContext, message: AssistantMessage): void {
  const parent = message.parent_tool_use_id ?? undefined;
  if (message.is_api_error_message === true) {
    // The `result` that follows has the same text and draws the alert.
    if (parent === undefined) {
      context.turn.apiFailure = {
        error: message.error,
        status: message.api_error_status ?? undefined,
      };
    }
    return;
  }
  if (message.message.model === SYNTHETIC_MODEL) {
    reduceSynthetic(context, message, parent);
    return;
  }
  enterWorking(context, parent);
  retractRows(context, message.supersedes ?? []);
  if (parent === undefined) noteContext(context, message);
  const blocks = contentOf(message);
  const track = trackFor(context, message.message.id, blocks, parent);
  if (isRepeat(track, message.uuid, blocks)) return;
  const refs = blocks.flatMap((block) => confirmBlock(context, track, block, message, parent));
  track.rows.set(message.uuid ?? `row${track.rows.size}`, refs);
}

/** Takes back what rows brought that the CLI replaced or withdrew. */
export function retractRows(context: ModelContext, uuids: readonly string[]): void {
  if (uuids.length === 0) return;
  for (const track of context.tracks.all()) {
    for (const uuid of uuids) {
      for (const ref of track.rows.get(uuid) ?? []) {
        if (ref.block.kind !== 'tool') context.store.removeBlock(ref);
      }
    }
  }
}

function contentOf(message: AssistantMessage): readonly ContentBlock[] {
  const { content } = message.message;
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function trackFor(
  context: ModelContext,
  id: string | undefined,
  blocks: readonly ContentBlock[],
  parent: string | undefined,
): MessageTrack {
  const known = id === undefined ? context.tracks.current(parent) : context.tracks.find(id);
  if (known) return known;
  // A stream whose whole message has another id: the same text must not stand twice.
  const streaming = context.tracks.current(parent);
  const first = blocks[0];
  if (streaming && first && continues(streaming, first)) {
    if (id !== undefined) context.tracks.alias(id, streaming);
    return streaming;
  }
  return id === undefined ? new MessageTrack() : context.tracks.open(id);
}

function continues(track: MessageTrack, block: ContentBlock): boolean {
  const ref = track.streamed.get(track.nextIndex);
  if (!ref || track.confirmed.has(ref)) return false;
  if (block.type === 'text' && ref.block.kind === 'text') {
    return block.text.startsWith(ref.block.text);
  }
  if (block.type === 'thinking' && ref.block.kind === 'thinking') {
    return ref.block.text !== '' && block.thinking.startsWith(ref.block.text);
  }
  return false;
}

/** The same row again, or again the whole of a message that is complete. */
function isRepeat(
  track: MessageTrack,
  uuid: string | undefined,
  blocks: readonly ContentBlock[],
): boolean {
  if (uuid !== undefined && track.rows.has(uuid)) return true;
  const complete = track.ended && track.nextIndex > track.lastStreamed && track.nextIndex > 0;
  if (uuid !== undefined && !(complete && track.lastStreamed >= 0)) return false;
  if (blocks.length === 0 || track.nextIndex < blocks.length) return false;
  const drawn = [...track.confirmed].map(({ block }) => block);
  return blocks.every(
    (block) =>
      (block.type === 'text' &&
        drawn.some((other) => other.kind === 'text' && other.text === block.text)) ||
      (block.type === 'thinking' &&
        drawn.some((other) => other.kind === 'thinking' && other.text === block.thinking)) ||
      (block.type === 'tool_use' && drawn.some((other) => other.id === block.id)),
  );
}

/**
 * The index of the block that this row brings: the next one, unless that is of another kind and a
 * later streamed one fits (a block that the CLI streamed but sent no row for).
 */
function matchingIndex(track: MessageTrack, block: ContentBlock): number {
  const next = track.nextIndex;
  if (track.streamed.size === 0 || fits(track.streamed.get(next), block)) return next;
  // By the blocks that there are, not by counting: the wire can name any number as an index.
  const later = [...track.streamed.keys()].filter((index) => index > next).sort((a, b) => a - b);
  for (const index of later) {
    const ref = track.streamed.get(index);
    if (ref && !track.confirmed.has(ref) && fits(ref, block)) return index;
  }
  return next;
}

function fits(ref: BlockRef | undefined, block: ContentBlock): boolean {
  if (!ref) return false;
  if (block.type === 'tool_use') return ref.block.id === block.id;
  if (block.type === 'text') {
    return ref.block.kind === 'text' && block.text.startsWith(ref.block.text);
  }
  return block.type === 'thinking' && ref.block.kind === 'thinking';
}

function confirmBlock(
  context: ModelContext,
  track: MessageTrack,
  block: ContentBlock,
  message: AssistantMessage,
  parent: string | undefined,
): BlockRef[] {
  const index = matchingIndex(track, block);
  const streamed = track.streamed.get(index);
  track.nextIndex = index + 1;
  let ref: BlockRef | undefined;
  switch (block.type) {
    case 'text':
      ref = settleText(context, streamed, 'text', block.text, parent);
      break;
    case 'thinking': {
      const length = message.thinking_duration_ms;
      ref = settleText(context, streamed, 'thinking', block.thinking, parent, length);
      break;
    }
    case 'tool_use':
      ref = context.tools.setInput(block.id, block.name, block.input, parent);
      break;
    case 'redacted_thinking':
    case 'tool_result':
    case 'image':
    case 'document':
    case 'unknown':
      return [];
  }
  if (!ref) return [];
  track.confirmed.add(ref);
  return [ref];
}

/** The whole text wins over the streamed one; an empty one never takes away what was shown. */
function settleText(
  context: ModelContext,
  streamed: BlockRef | undefined,
  kind: 'text' | 'thinking',
  text: string,
  parent: string | undefined,
  durationMs?: number,
): BlockRef | undefined {
  if (!streamed || !isStreamed(streamed) || streamed.block.kind !== kind) {
    if (text === '') return undefined;
    const ref = addStreamedBlock(context, kind, text, false, parent);
    if (durationMs !== undefined && ref.block.kind === 'thinking')
      ref.block.durationMs = durationMs;
    return ref;
  }
  const { block } = streamed;
  if (text !== '' && text !== block.text)
    replaceText(context, { item: streamed.item, block }, text);
  const began = kind === 'thinking' ? context.tools.takeStart(block.id) : undefined;
  const measured = began === undefined ? undefined : context.now() - began;
  context.store.finishBlock(streamed, durationMs ?? measured);
  return streamed;
}

function replaceText(
  context: ModelContext,
  ref: BlockRef<TextBlock | ThinkingBlock>,
  text: string,
): void {
  if (text.startsWith(ref.block.text)) {
    context.store.appendText(ref, text.slice(ref.block.text.length));
    return;
  }
  ref.block.text = text;
  context.store.touchBlock(ref);
}

function reduceSynthetic(
  context: ModelContext,
  message: AssistantMessage,
  parent: string | undefined,
): void {
  const text = contentOf(message)
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
  const isLocal = message.local_command_source !== undefined;
  if (text === '' || text === FILLER || (isLocal && context.turn.replaysOldRows)) return;
  if (message.local_command_outcome?.kind === 'unavailable_headless') {
    const command = /^\/\S+/.exec(text)?.[0];
    context.items.notice(
      command === undefined ? text : l10n.t('{0} is not available in this panel.', command),
      'warning',
    );
  } else if (parent === undefined && text.length <= NOTICE_LIMIT && !text.includes('\n')) {
    context.items.notice(text);
  } else {
    addStreamedBlock(context, 'text', text, false, parent);
  }
}

/** Tokens now in the context: what the last message read and wrote. */
function noteContext(context: ModelContext, message: AssistantMessage): void {
  const { usage, model } = message.message;
  if (usage?.input_tokens === undefined) return;
  context.usage.contextTokens =
    usage.input_tokens +
    (usage.cache_read_input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0) +
    (usage.output_tokens ?? 0);
  context.usage.contextModel = model;
}
