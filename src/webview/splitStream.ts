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
  #done = 0;
  /** The last, still growing block. */
  #tail = '';

  constructor(split: (text: string) => readonly string[]) {
    this.#split = split;
  }

  /**
   * Another text, or the complete one: something at its end may give meaning to blocks above (a link's
   * definition).
   */
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
}
