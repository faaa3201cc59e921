import { cutText } from '../base/cutText';

/** Of a longer line nothing is shown: what it was cut in could be a secret, and would not be known as one. */
const MAX_LINE = 65_536;
const SHOWN = 500;

/**
 * The error output of a server as lines for the log. Each is gathered whole before secrets are taken
 * out of it, and cut after that: a secret may come in two pieces, or stand where the line is cut.
 */
export class OutputLines {
  readonly #decoder = new TextDecoder();
  readonly #mask: (line: string) => string;
  readonly #show: (line: string) => void;
  #line = '';

  constructor(mask: (line: string) => string, show: (line: string) => void) {
    this.#mask = mask;
    this.#show = show;
  }

  push(chunk: Uint8Array): void {
    this.#add(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Nothing more comes: a last line without its end counts as one. */
  end(): void {
    this.#add(`${this.#decoder.decode()}\n`);
  }

  #add(text: string): void {
    const [first = '', ...others] = text.split('\n');
    this.#lengthen(first);
    for (const other of others) {
      this.#finish();
      this.#lengthen(other);
    }
  }

  #lengthen(part: string): void {
    if (this.#line.length <= MAX_LINE) this.#line += part;
  }

  #finish(): void {
    const line = this.#line.trimEnd();
    this.#line = '';
    if (line.length > MAX_LINE) this.#show(`(a line of more than ${MAX_LINE} characters)`);
    else if (line !== '') this.#show(cutText(this.#mask(line), SHOWN));
  }
}
