/**
 * Splits growing text into blocks without reading the finished ones again.
 * `split` must be such that appended text changes the last block only; that its parts joined give
 * the text back is checked, and where it does not hold the whole text is split each time.
 */
export class SplitStream {
  readonly #split: (text: string) => readonly string[];
  #text = '';
  #done: string[] = [];
  /** Where the last, still growing block starts. */
  #offset = 0;

  constructor(split: (text: string) => readonly string[]) {
    this.#split = split;
  }

  /**
   * All blocks of `text`. Text that does not continue the former one starts afresh, and so does
   * complete text: something at its end may give meaning to blocks above (a link's definition).
   */
  update(text: string, complete: boolean): readonly string[] {
    if (complete || !text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    const tail = this.#split(text.slice(this.#offset));
    const whole = tail.reduce((sum, part) => sum + part.length, 0) === text.length - this.#offset;
    const result = [...this.#done, ...tail];
    if (whole && tail.length > 1) {
      this.#done = result.slice(0, -1);
      this.#offset = text.length - (tail.at(-1)?.length ?? 0);
    }
    return result;
  }

  #restart(): void {
    this.#done = [];
    this.#offset = 0;
  }
}
