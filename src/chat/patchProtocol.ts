import { assertNever } from '../base/assertNever';
import type {
  AssistantItem,
  Block,
  TextBlock,
  ThinkingBlock,
  TranscriptItem,
  ViewFields,
  ViewState,
} from './viewStateProtocol';

/**
 * A change of the view state. Host and webview apply the same patches with the same function, so
 * that both hold the same state after each batch.
 */
export type Patch =
  /** `unset` names fields that become undefined, which JSON could not say in `fields`. */
  | {
      readonly op: 'set';
      readonly fields: Partial<ViewFields>;
      readonly unset?: readonly UnsettableField[];
    }
  /** Adds the item, or replaces the one with its id. */
  | { readonly op: 'item'; readonly item: TranscriptItem }
  | { readonly op: 'removeItem'; readonly id: string }
  /** Adds the block to the assistant item, or replaces the one with its id. */
  | { readonly op: 'block'; readonly itemId: string; readonly block: Block }
  | { readonly op: 'removeBlock'; readonly itemId: string; readonly blockId: string }
  /** Appends to a text or thinking block: the hot one. */
  | {
      readonly op: 'append';
      readonly itemId: string;
      readonly blockId: string;
      readonly text: string;
    }
  /**
   * A text or thinking block is complete. An op of its own, so that the end of a long answer does
   * not send its whole text again.
   */
  | {
      readonly op: 'finish';
      readonly itemId: string;
      readonly blockId: string;
      readonly durationMs?: number;
    }
  /** Marks the assistant item as stopped by the person. */
  | { readonly op: 'stopped'; readonly itemId: string }
  /** Empties the transcript: a new conversation. */
  | { readonly op: 'clear' };

const UNSETTABLE = {
  ...{ folder: true, usage: true, notice: true, selection: true },
  ...{ setUp: true, folders: true, side: true, pins: true, changes: true },
} as const satisfies Partial<Record<keyof ViewFields, true>>;

/** Fields that may be undefined. */
export type UnsettableField = keyof typeof UNSETTABLE;

export function isUnsettable(key: keyof ViewFields): key is UnsettableField {
  return Object.hasOwn(UNSETTABLE, key);
}

/** Applies one patch in place. A patch for something that is not there changes nothing. */
export function applyPatch(state: ViewState, patch: Patch): void {
  switch (patch.op) {
    case 'set':
      Object.assign(state, patch.fields);
      for (const field of patch.unset ?? []) state[field] = undefined;
      return;
    case 'item':
      upsert(state.items, patch.item);
      return;
    case 'removeItem':
      remove(state.items, patch.id);
      return;
    case 'block': {
      const item = findAssistant(state, patch.itemId);
      if (item) upsert(item.blocks, patch.block);
      return;
    }
    case 'removeBlock': {
      const item = findAssistant(state, patch.itemId);
      if (item) remove(item.blocks, patch.blockId);
      return;
    }
    case 'append': {
      const block = findLast(findAssistant(state, patch.itemId)?.blocks ?? [], patch.blockId);
      if (block && block.kind !== 'tool') block.text += patch.text;
      return;
    }
    case 'finish': {
      const block = findLast(findAssistant(state, patch.itemId)?.blocks ?? [], patch.blockId);
      if (block && block.kind !== 'tool') finish(block, patch.durationMs);
      return;
    }
    case 'stopped': {
      const item = findAssistant(state, patch.itemId);
      if (item) item.stopped = true;
      return;
    }
    case 'clear':
      state.items = [];
      return;
    default:
      assertNever(patch, 'patch');
  }
}

function finish(block: TextBlock | ThinkingBlock, durationMs: number | undefined): void {
  block.streaming = false;
  if (block.kind === 'thinking' && durationMs !== undefined) block.durationMs = durationMs;
}

// From the end: what changes is nearly always the last one, so the cost does not grow with length.
function findLast<T extends { readonly id: string }>(
  list: readonly T[],
  id: string,
): T | undefined {
  for (let i = list.length - 1; i >= 0; i -= 1) if (list[i]?.id === id) return list[i];
  return undefined;
}

function findAssistant(state: ViewState, id: string): AssistantItem | undefined {
  const item = findLast(state.items, id);
  return item?.kind === 'assistant' ? item : undefined;
}

function upsert<T extends { readonly id: string }>(list: T[], value: T): void {
  for (let i = list.length - 1; i >= 0; i -= 1) {
    if (list[i]?.id === value.id) {
      list[i] = value;
      return;
    }
  }
  list.push(value);
}

function remove(list: { readonly id: string }[], id: string): void {
  const index = list.findIndex((entry) => entry.id === id);
  if (index !== -1) list.splice(index, 1);
}
