import { isUnsettable, type Patch, type UnsettableField } from './patchProtocol';
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
 * A block and the item that holds it. Both objects stay the same for the block's whole life; the
 * item changes once where a subagent's call comes later than its output.
 */
export interface BlockRef<B extends Block = Block> {
  item: AssistantItem;
  readonly block: B;
}

type StreamedBlock = TextBlock | ThinkingBlock;

/**
 * Owns the state and remembers what changed since patches were last taken. What changed is kept as
 * marks on items, blocks and fields, not as a list of operations: patches are made from the state
 * when they are taken, so any number of changes of one thing is one patch. Every change costs the
 * same, however long the transcript or the message is.
 */
export class TranscriptStore {
  readonly #state: ViewState;
  #items = new Map<string, TranscriptItem>();

  #cleared = false;
  readonly #fields = new Set<keyof ViewFields>();
  readonly #removedItems = new Set<string>();
  readonly #wholeItems = new Set<TranscriptItem>();
  readonly #stopped = new Set<AssistantItem>();
  readonly #removedBlocks = new Map<Block, AssistantItem>();
  readonly #wholeBlocks = new Map<Block, AssistantItem>();
  readonly #appends = new Map<StreamedBlock, { item: AssistantItem; chunks: string[] }>();
  readonly #finished = new Map<StreamedBlock, AssistantItem>();

  constructor(state: ViewState) {
    this.#state = state;
    for (const item of state.items) this.#items.set(item.id, item);
  }

  /** Read only: change it through the methods here, else the views are not told. */
  get state(): Readonly<ViewFields> & { readonly items: readonly TranscriptItem[] } {
    return this.#state;
  }

  hasPending(): boolean {
    return (
      this.#cleared ||
      this.#fields.size > 0 ||
      this.#removedItems.size > 0 ||
      this.#wholeItems.size > 0 ||
      this.#stopped.size > 0 ||
      this.#removedBlocks.size > 0 ||
      this.#wholeBlocks.size > 0 ||
      this.#appends.size > 0 ||
      this.#finished.size > 0
    );
  }

  setFields(fields: Partial<ViewFields>): void {
    // The keys of a Partial<ViewFields> are keys of ViewFields; TypeScript widens them to string.
    for (const key of Object.keys(fields) as (keyof ViewFields)[]) {
      if (this.#state[key] !== fields[key]) this.#fields.add(key);
    }
    Object.assign(this.#state, fields);
  }

  hasItem(id: string): boolean {
    return this.#items.has(id);
  }

  /** Adds at the end; an item whose id is there already is not added again. */
  addItem(item: TranscriptItem): void {
    if (this.#items.has(item.id)) return;
    this.#items.set(item.id, item);
    this.#state.items.push(item);
    this.#wholeItems.add(item);
  }

  /** Puts the item in the place of the one with its id. */
  replaceItem(item: TranscriptItem): void {
    const old = this.#items.get(item.id);
    const index = old ? this.#state.items.lastIndexOf(old) : -1;
    if (!old || index === -1) return;
    this.#state.items[index] = item;
    this.#items.set(item.id, item);
    // In its place there, too: a view that has neither adds them in the order in which they come.
    const whole = [...this.#wholeItems];
    this.#wholeItems.clear();
    for (const one of whole) this.#wholeItems.add(one === old ? item : one);
    this.#wholeItems.add(item);
  }

  removeItem(id: string): void {
    const item = this.#items.get(id);
    if (!item) return;
    this.#items.delete(id);
    // What is removed is nearly always among the last.
    const index = this.#state.items.lastIndexOf(item);
    if (index !== -1) this.#state.items.splice(index, 1);
    this.#wholeItems.delete(item);
    this.#removedItems.add(id);
  }

  addBlock(item: AssistantItem, block: Block): void {
    item.blocks.push(block);
    this.#wholeBlocks.set(block, item);
  }

  /** Takes a block out; an item that has no block left goes with it. */
  removeBlock({ item, block }: BlockRef): void {
    const index = item.blocks.lastIndexOf(block);
    if (index === -1) return;
    item.blocks.splice(index, 1);
    this.#forget(block);
    if (item.blocks.length === 0) this.removeItem(item.id);
    else this.#removedBlocks.set(block, item);
  }

  /** The block was changed in place: it is sent as a whole. */
  touchBlock({ item, block }: BlockRef): void {
    this.#wholeBlocks.set(block, item);
  }

  appendText({ item, block }: BlockRef<StreamedBlock>, text: string): void {
    block.text += text;
    const pending = this.#appends.get(block);
    if (pending) pending.chunks.push(text);
    else this.#appends.set(block, { item, chunks: [text] });
  }

  finishBlock({ item, block }: BlockRef<StreamedBlock>, durationMs?: number): void {
    if (!block.streaming && (durationMs === undefined || block.kind !== 'thinking')) return;
    block.streaming = false;
    if (block.kind === 'thinking' && durationMs !== undefined) block.durationMs = durationMs;
    this.#finished.set(block, item);
  }

  markStopped(item: AssistantItem): void {
    if (item.stopped === true) return;
    item.stopped = true;
    this.#stopped.add(item);
  }

  clear(): void {
    this.#state.items = [];
    this.#items = new Map();
    this.#forgetItems();
    this.#cleared = true;
  }

  /** A copy that shares nothing that changes. It holds what is pending too: take patches first. */
  snapshot(): ViewState {
    return { ...this.#state, items: this.#state.items.map(copyItem) };
  }

  /** What changed since the last call, in an order in which it can be applied. */
  takePatches(): Patch[] {
    const patches: Patch[] = [];
    if (this.#cleared) patches.push({ op: 'clear' });
    if (this.#fields.size > 0) patches.push(this.#fieldsPatch());
    for (const id of this.#removedItems) patches.push({ op: 'removeItem', id });
    for (const item of this.#wholeItems) patches.push({ op: 'item', item: copyItem(item) });
    this.#takeBlockPatches(patches);
    for (const item of this.#stopped) {
      if (this.#isSentAlone(item)) patches.push({ op: 'stopped', itemId: item.id });
    }
    this.#forgetAll();
    return patches;
  }

  #takeBlockPatches(patches: Patch[]): void {
    for (const [block, item] of this.#removedBlocks) {
      if (this.#isSentAlone(item)) {
        patches.push({ op: 'removeBlock', itemId: item.id, blockId: block.id });
      }
    }
    for (const [block, item] of this.#wholeBlocks) {
      if (this.#isSentAlone(item)) {
        patches.push({ op: 'block', itemId: item.id, block: { ...block } });
      }
    }
    for (const [block, { item, chunks }] of this.#appends) {
      if (!this.#isSentAlone(item) || this.#wholeBlocks.has(block)) continue;
      const text = chunks.join('');
      patches.push({ op: 'append', itemId: item.id, blockId: block.id, text });
    }
    for (const [block, item] of this.#finished) {
      if (!this.#isSentAlone(item) || this.#wholeBlocks.has(block)) continue;
      const durationMs = block.kind === 'thinking' ? block.durationMs : undefined;
      const length = durationMs === undefined ? {} : { durationMs };
      patches.push({ op: 'finish', itemId: item.id, blockId: block.id, ...length });
    }
  }

  /** Not gone, and not part of an item that is sent whole. */
  #isSentAlone(item: AssistantItem): boolean {
    return !this.#wholeItems.has(item) && this.#items.get(item.id) === item;
  }

  #fieldsPatch(): Patch {
    const fields: Partial<ViewFields> = {};
    const unset: UnsettableField[] = [];
    for (const key of this.#fields) {
      if (this.#state[key] !== undefined) Object.assign(fields, { [key]: this.#state[key] });
      else if (isUnsettable(key)) unset.push(key);
    }
    return { op: 'set', fields, ...(unset.length > 0 ? { unset } : {}) };
  }

  #forget(block: Block): void {
    this.#wholeBlocks.delete(block);
    if (block.kind === 'tool') return;
    this.#appends.delete(block);
    this.#finished.delete(block);
  }

  #forgetAll(): void {
    this.#cleared = false;
    this.#fields.clear();
    this.#forgetItems();
  }

  #forgetItems(): void {
    for (const marks of [this.#removedItems, this.#wholeItems, this.#stopped]) {
      marks.clear();
    }
    for (const marks of [this.#removedBlocks, this.#wholeBlocks, this.#appends, this.#finished]) {
      marks.clear();
    }
  }
}

// One level is enough: what a block or field holds is replaced as a whole, never changed in place.
function copyItem(item: TranscriptItem): TranscriptItem {
  return item.kind === 'assistant'
    ? { ...item, blocks: item.blocks.map((block) => ({ ...block })) }
    : { ...item };
}
