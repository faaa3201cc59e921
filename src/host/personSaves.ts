/** One change of a document, as far as it tells who made it. */
export interface SeenChange {
  /** A tool of ours is changing or saving the document. */
  readonly isOwn: boolean;
  readonly isDirty: boolean;
  /** False for the event that only tells of having become unsaved. */
  readonly hasText: boolean;
  /** Undo or redo. */
  readonly isReplay: boolean;
  /** Some editor shows it. */
  readonly isShown: boolean;
}

interface Tracked {
  isDirty: boolean;
  /** Something that may not be the person's stands in it since it was last saved. */
  isForeign: boolean;
  /** The agent changed it at any time: undo and redo can bring that back. */
  isTouched: boolean;
  /** A change of a saved document that did not make it unsaved yet, as a file that others wrote comes in. */
  isUndecided: boolean;
  /** The person pressed save. */
  isManual: boolean;
}

/**
 * Tells a save of the person's own typing from all others. In doubt it is not the person's: that costs
 * a question and no more.
 */
export class PersonSaves {
  readonly #documents = new Map<string, Tracked>();

  /** What is unsaved already may hold anything. */
  opened(key: string, isDirty: boolean): void {
    if (this.#documents.has(key)) return;
    this.#documents.set(key, {
      isDirty,
      isForeign: isDirty,
      isTouched: isDirty,
      isUndecided: false,
      isManual: false,
    });
  }

  closed(key: string): void {
    this.#documents.delete(key);
  }

  changed(key: string, change: SeenChange): void {
    const known = this.#documents.get(key);
    if (known === undefined) {
      // Nobody told of its opening: what it held before is not known.
      this.opened(key, true);
      return;
    }
    const wasDirty = known.isDirty;
    known.isDirty = change.isDirty;
    if (!change.hasText) {
      if (change.isDirty) known.isUndecided = false;
      return;
    }
    this.#settle(known);
    if (change.isOwn) known.isTouched = true;
    const isReplayed = change.isReplay && known.isTouched;
    if (change.isOwn || isReplayed || !change.isShown) known.isForeign = true;
    else if (!change.isDirty && !wasDirty && !change.isReplay) known.isUndecided = true;
  }

  /** @param isManual the person pressed save, rather than a timer, a lost focus or a tool */
  willSave(key: string, isManual: boolean): void {
    const known = this.#documents.get(key);
    if (known) known.isManual = isManual;
  }

  /** @returns whether all that was saved since the last time is the person's own, and they saved it */
  saved(key: string): boolean {
    const known = this.#documents.get(key);
    if (known === undefined) return false;
    this.#settle(known);
    const isByPerson = known.isManual && !known.isForeign;
    known.isForeign = known.isManual = known.isDirty = false;
    return isByPerson;
  }

  /** The person approved what is on the disk. What is unsaved is not part of that. */
  approved(key: string): void {
    const known = this.#documents.get(key);
    if (known && !known.isDirty) known.isForeign = known.isUndecided = false;
  }

  /** It did not become unsaved by it: others wrote the file. */
  #settle(known: Tracked): void {
    if (known.isUndecided) known.isForeign = known.isTouched = true;
    known.isUndecided = false;
  }
}
