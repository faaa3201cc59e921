/**
 * 0-based places in one file, as numbers in one list: a language server may give twenty thousand of
 * them, and an object for each is copied by the engine's collections for as long as it is kept.
 */
export class PlaceList {
  /** Line and character of each. Not on the engine's heap, so that it has nothing to look through. */
  readonly #numbers: Int32Array;

  /** @param numbers line and character of each place, in turn */
  constructor(numbers: Int32Array) {
    this.#numbers = numbers;
  }

  /** Those of several lists, one behind the other. */
  static join(lists: readonly PlaceList[]): PlaceList {
    const all = new Int32Array(2 * lists.reduce((sum, { size }) => sum + size, 0));
    let at = 0;
    for (const list of lists) {
      all.set(list.#numbers, at);
      at += list.#numbers.length;
    }
    return new PlaceList(all);
  }

  get size(): number {
    return this.#numbers.length / 2;
  }

  /** @param index from 0 to `size - 1` */
  at(index: number): { readonly line: number; readonly character: number } {
    const line = this.#numbers[index * 2];
    const character = this.#numbers[index * 2 + 1];
    if (line === undefined || character === undefined) throw new RangeError(`No place ${index}`);
    return { line, character };
  }

  has(line: number, character: number): boolean {
    for (let at = 0; at < this.#numbers.length; at += 2) {
      if (this.#numbers[at] === line && this.#numbers[at + 1] === character) return true;
    }
    return false;
  }

  hasAny(others: PlaceList): boolean {
    for (let index = 0; index < others.size; index += 1) {
      const { line, character } = others.at(index);
      if (this.has(line, character)) return true;
    }
    return false;
  }

  /** Each place once, in order. Several providers may give one; one alone mostly tells them so. */
  inOrder(): PlaceList {
    if (this.#isRising()) return this;
    const sorted = Array.from({ length: this.size }, (_, index) => this.at(index)).sort(
      (a, b) => a.line - b.line || a.character - b.character,
    );
    const each = sorted.filter(({ line, character }, index) => {
      const before = sorted[index - 1];
      return before?.line !== line || before.character !== character;
    });
    return new PlaceList(Int32Array.from(each.flatMap((one) => [one.line, one.character])));
  }

  #isRising(): boolean {
    let line = -1;
    let character = -1;
    for (let at = 0; at < this.#numbers.length; at += 2) {
      const nextLine = this.#numbers[at] ?? 0;
      const next = this.#numbers[at + 1] ?? 0;
      if (nextLine < line || (nextLine === line && next <= character)) return false;
      line = nextLine;
      character = next;
    }
    return true;
  }
}
