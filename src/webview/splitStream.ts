/** What drawing has to be done: all blocks before `from` are finished, and as they were. */
export interface Split {
  readonly from: number;
  /** Those from there to the end; the last one still grows. */
  readonly blocks: readonly string[];
}

/**
 * Splits growing text into blocks without reading the finished ones again, and without holding on to
 * the text: a piece of a text keeps all of it in memory, and each frame has another whole.
 * `split` must be such that appended text changes the last block only; that its parts joined give
 * the text back is checked, and where it does not hold, more of the text is split each time.
 */
export class SplitStream {
  readonly #split: (text: string) => readonly string[];
  readonly #isOne: (text: string) => boolean;
  #done = 0;
  /** The last, still growing block. */
  #tail = '';

  /** @param isOne whether something in the text gives meaning to what stands above it, so that it is one block */
  constructor(
    split: (text: string) => readonly string[],
    isOne: (text: string) => boolean = () => false,
  ) {
    this.#split = split;
    this.#isOne = isOne;
  }

  /** Another text. */
  begin(text: string): Split {
    this.#done = 0;
    this.#tail = '';
    return this.grow(text);
  }

  /** @param text what has come since */
  grow(text: string): Split {
    const from = this.#done;
    const tail = this.#tail + text;
    const blocks = this.#split(tail);
    const isWhole = blocks.reduce((sum, block) => sum + block.length, 0) === tail.length;
    const isCut = isWhole && blocks.length > 1;
    this.#tail = (isCut ? blocks.at(-1) : undefined) ?? tail;
    if (isCut) this.#done += blocks.length - 1;
    return { from, blocks };
  }

  /**
   * The complete text: read anew only where it is not the one that grew, or is one block as a whole.
   * To split a long answer once more took longer than two frames have.
   *
   * @param before the blocks so far
   */
  finish(text: string, before: readonly string[]): Split {
    let at = 0;
    for (const block of before.slice(0, this.#done)) {
      if (!text.startsWith(block, at)) return this.begin(text);
      at += block.length;
    }
    if (this.#isOne(text)) return this.begin(text);
    this.#tail = '';
    return this.grow(text.slice(at));
  }
}
