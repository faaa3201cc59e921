import type { TranscriptItem } from '../chat/viewStateProtocol';
import { HeightTree } from './heightTree';
import { guessHeight } from './rowHeight';

/** Items of the transcript by their place, with how high each is: measured where it has been drawn. */
export class RowBook {
  /** Between two items, in CSS pixels: kept with the height of the first of them. */
  gap = 0;
  #ids: string[] = [];
  #places = new Map<string, number>();
  #tree = new HeightTree();
  #measured = new Map<string, number>();

  get count(): number {
    return this.#ids.length;
  }

  /** All of it, with a gap behind the last. */
  get total(): number {
    return this.#tree.total;
  }

  /**
   * Takes the items as they are now. What is measured stays with its item.
   * @param columns characters that a line of text holds
   */
  sync(items: readonly TranscriptItem[], columns: number): void {
    const isSame =
      this.#ids.length <= items.length && this.#ids.every((id, at) => id === items[at]?.id);
    if (!isSame) this.#begin(items);
    for (let at = this.#ids.length; at < items.length; at += 1) {
      const item = items[at];
      if (!item) break;
      this.#ids.push(item.id);
      this.#places.set(item.id, at);
      this.#tree.push((this.#measured.get(item.id) ?? guessHeight(item, columns)) + this.gap);
    }
  }

  #begin(items: readonly TranscriptItem[]): void {
    const kept = new Map<string, number>();
    for (const { id } of items) {
      const height = this.#measured.get(id);
      if (height !== undefined) kept.set(id, height);
    }
    this.#measured = kept;
    this.#ids = [];
    this.#places = new Map();
    this.#tree = new HeightTree();
  }

  /** −1 for what is no item. */
  placeOf(id: string | undefined): number {
    return id === undefined ? -1 : (this.#places.get(id) ?? -1);
  }

  /** How high it was seen to be, in CSS pixels. */
  measure(id: string, height: number): void {
    const place = this.placeOf(id);
    if (place === -1 || this.#measured.get(id) === height) return;
    this.#measured.set(id, height);
    this.#tree.set(place, height + this.gap);
  }

  /** How far below the first item this one begins. */
  before(place: number): number {
    return this.#tree.before(place);
  }

  /** What stands so far below the beginning. */
  placeAt(distance: number): number {
    return this.#tree.indexAt(distance);
  }
}
