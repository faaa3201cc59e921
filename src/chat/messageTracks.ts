import { keepLatest } from '../base/keepLatest';
import type { BlockRef } from './transcriptStore';

/** What is known of one model message (one `message.id`) and the blocks drawn for it. */
export class MessageTrack {
  /** Streamed blocks by their index. */
  readonly streamed = new Map<number, BlockRef>();
  /** Blocks that a whole `assistant` row confirmed. */
  readonly confirmed = new Set<BlockRef>();
  /** Blocks by the `uuid` of the row that brought them, for rows that are taken back. */
  readonly rows = new Map<string, BlockRef[]>();
  /** The index of the next block that an `assistant` row brings: they come in order, one by one. */
  nextIndex = 0;
  /** `message_stop` was seen. */
  ended = false;
  /** The highest index that the stream opened, also of blocks that are not drawn. */
  lastStreamed = -1;

  /** Streamed blocks that no row confirmed. */
  unconfirmed(): BlockRef[] {
    return [...this.streamed.values()].filter((ref) => !this.confirmed.has(ref));
  }

  forget(ref: BlockRef): void {
    for (const [index, other] of this.streamed) if (other === ref) this.streamed.delete(index);
    this.confirmed.delete(ref);
  }
}

/** Enough for every message that can be under way; older ones are complete and never come again. */
const LIMIT = 64;

/** The recent messages by id, and which of them streams now, for each thread. */
export class MessageTracks {
  readonly #tracks = new Map<string, MessageTrack>();
  readonly #current = new Map<string, MessageTrack>();
  /** Those with streamed blocks that may lack their end or their whole row; few. */
  readonly #unsettled = new Set<MessageTrack>();

  find(id: string): MessageTrack | undefined {
    return this.#tracks.get(id);
  }

  /** The message that streams on this thread: the main one, or a subagent's by its call. */
  current(parent: string | undefined): MessageTrack | undefined {
    return this.#current.get(parent ?? '');
  }

  /** A message begins to stream. */
  start(id: string, parent: string | undefined): MessageTrack {
    const track = this.open(id);
    this.#current.set(parent ?? '', track);
    return track;
  }

  /** Finds or makes the track of a message and makes it the youngest. */
  open(id: string): MessageTrack {
    const track = this.#tracks.get(id) ?? new MessageTrack();
    this.alias(id, track);
    return track;
  }

  /** Lets a second id mean the same message. */
  alias(id: string, track: MessageTrack): void {
    this.#tracks.delete(id);
    this.#tracks.set(id, track);
    keepLatest(this.#tracks, LIMIT);
  }

  /** A block of the message begins to stream. */
  addStreamed(track: MessageTrack, index: number, ref: BlockRef): void {
    track.streamed.set(index, ref);
    this.#unsettled.add(track);
    for (const oldest of this.#unsettled) {
      if (this.#unsettled.size <= LIMIT) break;
      this.#unsettled.delete(oldest);
    }
  }

  /** Messages whose stream may have been cut. */
  unsettled(): Iterable<MessageTrack> {
    return this.#unsettled;
  }

  /** Forgets those of which whole rows have confirmed all that was streamed. */
  settle(): void {
    for (const track of this.#unsettled) {
      if (track.unconfirmed().length === 0) this.#unsettled.delete(track);
    }
  }

  all(): Iterable<MessageTrack> {
    return new Set([...this.#tracks.values(), ...this.#current.values()]);
  }

  clear(): void {
    this.#tracks.clear();
    this.#current.clear();
    this.#unsettled.clear();
  }
}
