/** One frame of the screen, in milliseconds. */
const FRAME_MS = 16;

/**
 * What the two plain hosts post with: what came within a frame goes out as one message, as Patchbay
 * does it, so that the hosts differ in how they read and answer and not in how often they draw.
 */
export class Frame {
  readonly #post: (message: unknown) => void;
  readonly #texts: string[] = [];
  #text = '';
  #others: unknown[] = [];
  #isDue = false;
  /** Called after the message that holds a result has been posted. */
  onResult: () => void = () => undefined;
  #sawResult = false;

  constructor(post: (message: unknown) => void) {
    this.#post = post;
  }

  text(text: string): void {
    this.#text += text;
    this.#schedule();
  }

  add(other: unknown): void {
    this.#others.push(other);
    this.#schedule();
  }

  result(fields: unknown): void {
    this.#sawResult = true;
    this.add(fields);
  }

  /** All text that was posted. */
  get posted(): string {
    return this.#texts.join('');
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => this.#flush(), FRAME_MS);
  }

  #flush(): void {
    this.#isDue = false;
    this.#texts.push(this.#text);
    this.#post({ type: 'patches', text: this.#text, others: this.#others });
    this.#text = '';
    this.#others = [];
    if (this.#sawResult) this.onResult();
    this.#sawResult = false;
  }
}
