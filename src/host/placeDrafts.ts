import { randomUUID } from 'node:crypto';
import type { ImageRef } from '../chat/imageProtocol';
import type { DraftStore } from './draftStore';
import { WINDOW_PLACE } from './placeIds';

export type DraftPort = Pick<DraftStore, 'get' | 'set' | 'images' | 'setImages'>;

/** So many inputs that were left may still be told what was typed into them last. */
const LEFT_KEPT = 5;

/**
 * Whose the words in an input are: of a session, or of what is not yet one in this place. All tabs
 * are one place here: one that is closed does not come back, and the next one has another id.
 */
export function draftOwner(place: string, sessionId: string | undefined): string {
  if (sessionId !== undefined) return `talk:${sessionId}`;
  return place === WINDOW_PLACE ? `${place}:new` : 'tab:new';
}

/** Drafts belong to places; an edit is a second one of the same place. */
export function editKey(key: string): string {
  return `${key}:edit`;
}

/**
 * What stands unsent in the input of one place. It belongs to the conversation that is there: with
 * another one it is put away, and comes back with its own. Each time the input has a new name, by
 * which a page says what it was typed into: its last words may come when another one is there.
 */
export class PlaceDrafts {
  readonly #place: string;
  readonly #store: DraftPort;
  /** Names of inputs that were left, and under which key their words are. */
  readonly #left = new Map<string, string>();
  #box: string = randomUUID();

  /** @param owner of the conversation that is there at first */
  constructor(place: string, store: DraftPort, owner: string) {
    this.#place = place;
    this.#store = store;
    this.#move(owner, place);
  }

  /** The name of the input as it is now. */
  get box(): string {
    return this.#box;
  }

  text(box = this.#box): string {
    return this.#store.get(this.#keyOf(box));
  }

  setText(text: string, box = this.#box): void {
    this.#store.set(this.#keyOf(box), text);
  }

  images(box = this.#box): readonly ImageRef[] {
    return this.#store.images(this.#keyOf(box));
  }

  setImages(images: readonly ImageRef[], box = this.#box): void {
    this.#store.setImages(this.#keyOf(box), images);
  }

  /** An earlier prompt in other words, as it is written down; empty for none. */
  edit(box = this.#box): string {
    return this.#store.get(editKey(this.#keyOf(box)));
  }

  setEdit(text: string, box = this.#box): void {
    this.#store.set(editKey(this.#keyOf(box)), text);
  }

  /** Another conversation takes the place, of another owner. */
  turn(from: string, to: string): void {
    this.putAway(from);
    this.#move(to, this.#place);
  }

  /** The words go with their conversation. */
  putAway(owner: string): void {
    this.#move(this.#place, owner);
    this.#left.set(this.#box, owner);
    for (const oldest of this.#left.keys()) {
      if (this.#left.size <= LEFT_KEPT) break;
      this.#left.delete(oldest);
    }
    this.#box = randomUUID();
  }

  #keyOf(box: string): string {
    return box === this.#box ? this.#place : (this.#left.get(box) ?? this.#place);
  }

  /** What is there already is not lost. */
  #move(from: string, to: string): void {
    const store = this.#store;
    const texts = [store.get(to), store.get(from)].filter((text) => text !== '');
    const known = new Set(store.images(to).map(({ id }) => id));
    const fresh = store.images(from).filter(({ id }) => !known.has(id));
    store.set(to, [...new Set(texts)].join('\n'));
    store.setImages(to, [...store.images(to), ...fresh]);
    store.set(from, '');
    store.setImages(from, []);
    const edit = store.get(editKey(from));
    if (edit === '') return;
    store.set(editKey(to), edit);
    store.set(editKey(from), '');
  }
}
