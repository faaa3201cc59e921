import { signal, type ReadonlySignal } from '@preact/signals';
import type { Block, TextBlock, TranscriptItem } from '../chat/viewStateProtocol';

/** A place where the searched text stands. */
export interface FindMatch {
  readonly itemId: string;
  /** Of an answer; what the person said is one text. */
  readonly blockId: string | undefined;
  /** Which of those in this text, from 0. */
  readonly nth: number;
}

export interface FindView {
  readonly query: string;
  readonly matches: readonly FindMatch[];
  /** −1 where there is none. */
  readonly at: number;
  /** Grows when the match is to be scrolled to: not because the conversation went on. */
  readonly wish: number;
}

export interface FindPorts {
  readonly items: () => readonly TranscriptItem[];
  /** The words of markdown as they are drawn: of very long code its beginning. */
  readonly plain: (markdown: string) => string;
  /** Resolves when the panel has time for what nobody waits for. */
  readonly quiet: () => Promise<void>;
}

/** So long, in milliseconds, words are read ahead in one go. */
const AHEAD_MS = 8;

const NOTHING: FindView = { query: '', matches: [], at: -1, wish: 0 };

/**
 * Finds in all of the conversation, also in what is not drawn: words of the person and of the model.
 * What is folded (thinking, results of tools) is left out, since nobody would see the place.
 */
export class FindModel {
  readonly #ports: FindPorts;
  readonly #open = signal(false);
  readonly #view = signal(NOTHING);
  /** Grows when the box is to have the focus, also while it is open. */
  readonly #requests = signal(0);
  /** Words of blocks, so that each key does not render the conversation. */
  readonly #plain = new Map<string, { readonly source: string; readonly words: string }>();

  /** What reads ahead now. */
  #ahead: object | undefined;

  constructor(ports: FindPorts) {
    this.#ports = ports;
  }

  get isOpen(): ReadonlySignal<boolean> {
    return this.#open;
  }

  get view(): ReadonlySignal<FindView> {
    return this.#view;
  }

  get requests(): ReadonlySignal<number> {
    return this.#requests;
  }

  open(): void {
    this.#open.value = true;
    this.#requests.value += 1;
    this.#search(this.#view.value.query, undefined);
    void this.#readAhead();
  }

  close(): void {
    this.#open.value = false;
    this.#ahead = undefined;
    const { query, wish } = this.#view.value;
    this.#view.value = { ...NOTHING, query, wish };
    this.#plain.clear();
  }

  /** What was typed. The last match is shown first: the newest words are the likeliest. */
  search(query: string): void {
    this.#search(query, undefined);
  }

  /** The conversation may have grown since: it is looked through anew. */
  step(by: 1 | -1): void {
    const { query, matches, at } = this.#view.value;
    this.#search(query, matches[at], by);
  }

  /** The conversation has changed; the match that is shown stays. */
  refresh(): void {
    if (!this.#open.value || this.#view.value.query === '') return;
    const { query, matches, at } = this.#view.value;
    // Only where there was none to show is there something to scroll to.
    this.#search(query, matches[at], 0, at === -1);
  }

  #search(query: string, shown: FindMatch | undefined, by: 1 | -1 | 0 = 0, isWish = true): void {
    const matches = query === '' ? [] : this.#find(query);
    const count = matches.length;
    const before = shown ? matches.findIndex((one) => isSame(one, shown)) : -1;
    const from = before === -1 ? count - 1 : before + by;
    const at = count === 0 ? -1 : (from + count) % count;
    this.#view.value = { query, matches, at, wish: this.#view.value.wish + (isWish ? 1 : 0) };
  }

  #find(query: string): readonly FindMatch[] {
    return this.#ports.items().flatMap((item) => {
      if (item.kind === 'user') return matchesOf(query, item.text, item.id, undefined);
      if (item.kind !== 'assistant') return [];
      return item.blocks
        .filter(isSearched)
        .flatMap(({ id, text }) => matchesOf(query, this.#words(id, text), item.id, id));
    });
  }

  /** Reads the conversation before the first letter is typed, which would wait for all of it. */
  async #readAhead(): Promise<void> {
    const ahead = (this.#ahead = {});
    const blocks = this.#ports
      .items()
      .flatMap((item) => (item.kind === 'assistant' ? item.blocks.filter(isSearched) : []));
    for (let at = 0; at < blocks.length;) {
      await this.#ports.quiet();
      if (this.#ahead !== ahead) return;
      const end = performance.now() + AHEAD_MS;
      do {
        const block = blocks[at];
        if (block) this.#words(block.id, block.text);
        at += 1;
      } while (at < blocks.length && performance.now() < end);
    }
  }

  #words(id: string, source: string): string {
    const known = this.#plain.get(id);
    if (known?.source === source) return known.words;
    const words = this.#ports.plain(source);
    this.#plain.set(id, { source, words });
    return words;
  }
}

/** What an agent inside has said is folded away. */
function isSearched(block: Block): block is TextBlock {
  return block.kind === 'text' && block.parentToolUseId === undefined;
}

function matchesOf(
  query: string,
  text: string,
  itemId: string,
  blockId: string | undefined,
): readonly FindMatch[] {
  return placesOf(query, text).map((_, nth) => ({ itemId, blockId, nth }));
}

/** Where the text stands, whatever its case: pairs of start and end. */
export function placesOf(
  query: string,
  text: string,
): readonly (readonly [start: number, end: number])[] {
  if (query === '') return [];
  const pattern = new RegExp(query.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'), 'gi');
  return [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]);
}

function isSame(a: FindMatch, b: FindMatch): boolean {
  return a.itemId === b.itemId && a.blockId === b.blockId && a.nth === b.nth;
}
