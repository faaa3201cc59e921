import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { assertNever } from '../base/assertNever';
import { applyPatch, type Patch } from '../chat/patchProtocol';
import type { AssistantItem, Block, TranscriptItem, ViewState } from '../chat/viewStateProtocol';

/** What a part of the view listens to. `fields` is everything that is replaced as a whole. */
export type Topic = 'fields' | 'items' | `item:${string}` | `block:${string}` | `text:${string}`;

/**
 * The view's copy of the state.
 *
 * The data is changed by the same `applyPatch` that the host uses, so both hold the same after each
 * batch; what is drawn again is told by one counter per item and block, so that a streamed delta
 * wakes its own block and nothing else.
 */
export class ViewStore {
  #state: ViewState | undefined;
  readonly #versions = new Map<Topic, Signal<number>>();
  /** Grows with every snapshot; undefined state means that none has arrived yet. */
  readonly #epoch = signal(0);
  #talk = 0;
  #lastChange = Date.now();
  readonly #places = new Map<string, number>();
  /** Blocks and failures that the snapshot brought, or that were drawn: they are old, not to be announced. */
  #known = new Set<string>();
  /** By block: what was appended to its text since somebody took it. */
  readonly #growth = new Map<string, string>();

  /** When something last came from the host, in milliseconds since the epoch. */
  get lastChange(): number {
    return this.#lastChange;
  }

  get epoch(): ReadonlySignal<number> {
    return this.#epoch;
  }

  get state(): ViewState | undefined {
    return this.#state;
  }

  /** The state, for a component that only exists once there is one. */
  get current(): ViewState {
    if (!this.#state) throw new Error('The panel has no state yet');
    return this.#state;
  }

  /** How many topics something listens to. */
  get topicCount(): number {
    return this.#versions.size;
  }

  isKnown(id: string): boolean {
    return this.#known.has(id);
  }

  /** It has been drawn, and announced: when it is drawn again it is old. */
  know(id: string): void {
    this.#known.add(id);
  }

  /** Reads a topic's counter, so that the component that calls this is drawn again on a change. */
  watch(topic: Topic): number {
    return this.#version(topic).value;
  }

  item(id: string): TranscriptItem | undefined {
    return this.current.items[this.placeOf(id)];
  }

  /** Where an item stands; −1 where it does not. It is mostly where it stood when last asked for. */
  placeOf(id: string): number {
    const { items } = this.current;
    const last = this.#places.get(id);
    if (last !== undefined && items[last]?.id === id) return last;
    const place = items.findLastIndex((item) => item.id === id);
    if (place === -1) this.#places.delete(id);
    else this.#places.set(id, place);
    return place;
  }

  block(itemId: string, blockId: string): Block | undefined {
    const item = this.item(itemId);
    return item?.kind === 'assistant' ? findLast(item.blocks, blockId) : undefined;
  }

  /**
   * What was appended to a block's text since the last call, so that nobody has to read all of a long
   * text for the sake of its last word; undefined when all of it is to be read: the first time, and
   * after it became another text.
   */
  takeGrowth(blockId: string): string | undefined {
    const grown = this.#growth.get(blockId);
    this.#growth.set(blockId, '');
    return grown;
  }

  /** Nobody takes it any more. */
  dropGrowth(blockId: string): void {
    this.#growth.delete(blockId);
  }

  /** Grows when another conversation is here: nothing of how the one before was looked at is about it. */
  get talk(): number {
    return this.#talk;
  }

  /**
   * Whether it is the same conversation, as far as something has been said in it. By what the person
   * has said: the other items of each conversation are counted from 1.
   */
  sharesItemsWith(other: ViewState): boolean {
    const { items = [] } = this.#state ?? {};
    const said = items.filter(({ kind }) => kind === 'user');
    const ids = new Set((said.length > 0 ? said : items).map(({ id }) => id));
    return other.items.some(({ id }) => ids.has(id));
  }

  /** Whether it takes the place of a conversation in which something was said. */
  isOther(state: ViewState): boolean {
    return (this.#state?.items.length ?? 0) > 0 && !this.sharesItemsWith(state);
  }

  reset(state: ViewState): void {
    this.#lastChange = Date.now();
    if (this.isOther(state)) this.#talk += 1;
    // A failure that was lost on the way is news; those of a conversation that is opened are not.
    const isNews = this.sharesItemsWith(state)
      ? (id: string): boolean => this.placeOf(id) === -1
      : () => false;
    this.#known = new Set(
      state.items.flatMap((item) => {
        if (item.kind === 'error') return isNews(item.id) ? [] : [item.id];
        return item.kind === 'assistant' ? item.blocks.map((block) => block.id) : [];
      }),
    );
    this.#state = state;
    this.#places.clear();
    this.#growth.clear();
    // What is drawn stays and reads again: open rows, focus and scroll position survive a resync.
    for (const version of this.#versions.values()) version.value += 1;
    this.#epoch.value += 1;
  }

  /** Applies a batch; patches before the first snapshot are dropped, the snapshot holds them. */
  apply(patches: readonly Patch[]): void {
    const state = this.#state;
    if (!state) return;
    this.#lastChange = Date.now();
    const touched = new Set<Topic>();
    for (const patch of patches) {
      applyPatch(state, patch);
      this.#noteGrowth(patch);
      for (const topic of topicsOf(patch)) touched.add(topic);
    }
    for (const topic of touched) {
      const version = this.#versions.get(topic);
      if (version) version.value += 1;
    }
  }

  #noteGrowth(patch: Patch): void {
    if (patch.op === 'append') {
      const grown = this.#growth.get(patch.blockId);
      if (grown !== undefined) this.#growth.set(patch.blockId, grown + patch.text);
    } else if (patch.op === 'block') this.#growth.delete(patch.block.id);
    else if (patch.op === 'item' && patch.item.kind === 'assistant') {
      for (const { id } of patch.item.blocks) this.#growth.delete(id);
    }
  }

  #version(topic: Topic): Signal<number> {
    let version = this.#versions.get(topic);
    if (!version) {
      // Of what is no longer drawn nothing is kept: a long conversation has many.
      version = signal(0, { unwatched: () => this.#versions.delete(topic) });
      this.#versions.set(topic, version);
    }
    return version;
  }
}

/** Which counters a patch moves. */
export function topicsOf(patch: Patch): readonly Topic[] {
  switch (patch.op) {
    case 'set':
      return ['fields'];
    case 'item':
      return ['items', `item:${patch.item.id}`, ...blockTopics(patch.item)];
    case 'removeItem':
    case 'clear':
      return ['items'];
    case 'block':
      return [`item:${patch.itemId}`, `block:${patch.block.id}`, `text:${patch.block.id}`];
    case 'removeBlock':
      return [`item:${patch.itemId}`];
    case 'append':
      return [`text:${patch.blockId}`];
    case 'finish':
      return [`item:${patch.itemId}`, `block:${patch.blockId}`, `text:${patch.blockId}`];
    case 'stopped':
      return [`item:${patch.itemId}`];
    default:
      return assertNever(patch, 'patch');
  }
}

function blockTopics(item: TranscriptItem): readonly Topic[] {
  if (item.kind !== 'assistant') return [];
  return item.blocks.flatMap((block): Topic[] => [`block:${block.id}`, `text:${block.id}`]);
}

// From the end: what changes is nearly always the last one.
function findLast<T extends { readonly id: string }>(list: readonly T[], id: string) {
  for (let i = list.length - 1; i >= 0; i -= 1) if (list[i]?.id === id) return list[i];
  return undefined;
}

/** Blocks of one level: those of the main thread, or those under one `Agent` call. */
export function childBlocks(item: AssistantItem, parentId: string | undefined): readonly Block[] {
  if (parentId !== undefined) return item.blocks.filter((b) => b.parentToolUseId === parentId);
  // One whose parent has not come yet stands on the main thread until it does.
  const ids = new Set(item.blocks.map((b) => b.id));
  return item.blocks.filter((b) => b.parentToolUseId === undefined || !ids.has(b.parentToolUseId));
}
