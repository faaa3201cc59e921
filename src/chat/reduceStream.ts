import type { ContentBlock } from '../protocol/contentBlocks';
import type { StreamEventMessage } from '../protocol/streamEvents';
import type { MessageTrack } from './messageTracks';
import type { ModelContext } from './modelContext';
import type { BlockRef } from './transcriptStore';
import type { TextBlock, ThinkingBlock } from './viewStateProtocol';

type StreamedKind = 'text' | 'thinking';
type StreamedRef = BlockRef<TextBlock | ThinkingBlock>;

/** Applies one streamed part. What the whole `assistant` row has confirmed is not changed again. */
export function reduceStream(context: ModelContext, message: StreamEventMessage): void {
  const { event } = message;
  const parent = message.parent_tool_use_id ?? undefined;
  if (event.type === 'message_start') {
    context.tracks.start(message.api_message_id ?? event.message.id, parent);
    enterWorking(context, parent);
    return;
  }
  if (event.type === 'unknown' || event.type === 'message_delta') return;
  const track = trackOf(context, message.api_message_id ?? undefined, parent);
  switch (event.type) {
    case 'content_block_start':
      track.lastStreamed = Math.max(track.lastStreamed, event.index);
      startBlock(context, track, event.index, event.content_block, parent);
      break;
    case 'content_block_delta':
      track.lastStreamed = Math.max(track.lastStreamed, event.index);
      switch (event.delta.type) {
        case 'text_delta':
          append(context, track, event.index, 'text', event.delta.text, parent);
          break;
        case 'thinking_delta':
          append(context, track, event.index, 'thinking', event.delta.thinking, parent);
          break;
        case 'input_json_delta':
        case 'signature_delta':
        case 'unknown':
          break;
      }
      break;
    case 'content_block_stop': {
      const ref = track.streamed.get(event.index);
      if (ref && isStreamed(ref)) finishStreamed(context, ref);
      break;
    }
    case 'message_stop':
      track.ended = true;
      break;
  }
  if (event.type !== 'message_stop') enterWorking(context, parent);
}

/**
 * The stream was cut and is tried again: what it left, and no whole row confirmed, will come again
 * under another message id.
 */
export function discardUnconfirmed(context: ModelContext): void {
  for (const track of context.tracks.unsettled()) {
    for (const ref of track.unconfirmed()) {
      track.forget(ref);
      if (ref.block.kind === 'tool' && !context.tools.forget(ref.block.id)) continue;
      context.store.removeBlock(ref);
    }
  }
}

/** The turn is over: what still counts as streaming has got all that it will get. */
export function finishUnconfirmed(context: ModelContext): void {
  for (const track of context.tracks.unsettled()) {
    for (const ref of track.streamed.values()) if (isStreamed(ref)) finishStreamed(context, ref);
  }
  context.tracks.settle();
}

/** Adds a text or thinking block to the right item. */
export function addStreamedBlock(
  context: ModelContext,
  kind: StreamedKind,
  text: string,
  streaming: boolean,
  parent: string | undefined,
): StreamedRef {
  const item = context.tools.itemFor(parent);
  const id = context.items.nextId('b');
  const owner = parent === undefined ? {} : { parentToolUseId: parent };
  const block: TextBlock | ThinkingBlock = { kind, id, text, streaming, ...owner };
  context.store.addBlock(item, block);
  const ref = { item, block };
  if (parent !== undefined) context.tools.noteChild(parent, ref);
  return ref;
}

export function isStreamed(ref: BlockRef): ref is StreamedRef {
  return ref.block.kind !== 'tool';
}

/** Only the main thread's output is the turn's; a subagent may work while no turn runs. */
export function enterWorking(context: ModelContext, parent: string | undefined): void {
  if (parent === undefined) context.status.enter('working');
}

function trackOf(
  context: ModelContext,
  id: string | undefined,
  parent: string | undefined,
): MessageTrack {
  if (id !== undefined) {
    // Found without moving it to the front: this is the hot path.
    return context.tracks.find(id) ?? context.tracks.start(id, parent);
  }
  return (
    context.tracks.current(parent) ?? context.tracks.start(context.items.nextId('stream'), parent)
  );
}

function startBlock(
  context: ModelContext,
  track: MessageTrack,
  index: number,
  block: ContentBlock,
  parent: string | undefined,
): void {
  if (index < track.nextIndex || track.streamed.has(index)) return;
  switch (block.type) {
    case 'text':
      // Drawn with its first text: many blocks begin empty, and some stay so.
      if (block.text !== '') append(context, track, index, 'text', block.text, parent);
      break;
    case 'thinking': {
      const ref = addStreamedBlock(context, 'thinking', block.thinking, true, parent);
      context.tools.noteStart(ref.block.id, context.now());
      context.tracks.addStreamed(track, index, ref);
      break;
    }
    case 'tool_use':
      context.tracks.addStreamed(track, index, context.tools.begin(block.id, block.name, parent));
      break;
    case 'redacted_thinking':
    case 'tool_result':
    case 'image':
    case 'document':
    case 'unknown':
      break;
  }
}

function append(
  context: ModelContext,
  track: MessageTrack,
  index: number,
  kind: StreamedKind,
  text: string,
  parent: string | undefined,
): void {
  if (text === '' || index < track.nextIndex) return;
  const ref = track.streamed.get(index);
  if (!ref) {
    const made = addStreamedBlock(context, kind, text, true, parent);
    if (kind === 'thinking') context.tools.noteStart(made.block.id, context.now());
    context.tracks.addStreamed(track, index, made);
  } else if (isStreamed(ref) && ref.block.kind === kind) {
    context.store.appendText(ref, text);
  }
}

function finishStreamed(context: ModelContext, ref: StreamedRef): void {
  if (!ref.block.streaming) return;
  const began = ref.block.kind === 'thinking' ? context.tools.takeStart(ref.block.id) : undefined;
  context.store.finishBlock(ref, began === undefined ? undefined : context.now() - began);
}
