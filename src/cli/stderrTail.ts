import { maskSecrets } from './maskSecrets';

const MAX_LINES = 200;
/** Characters kept of one line; together with the line count this bounds the memory. */
const MAX_LINE_LENGTH = 2000;

/** Keeps the last lines of stderr, whatever its amount: a CLI that floods it costs no memory. */
export class StderrTail {
  readonly #decoder = new TextDecoder('utf-8');
  readonly #onLine: (line: string) => void;
  readonly #secrets: readonly string[];
  readonly #lines: string[] = [];
  #partial = '';

  /** `onLine` gets every line, masked. `secrets` are values to hide. */
  constructor(secrets: readonly string[], onLine: (line: string) => void = () => undefined) {
    this.#secrets = secrets;
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    const parts = this.#decoder.decode(chunk, { stream: true }).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      this.#keep(this.#partial + part);
      this.#partial = '';
    }
    this.#partial = (this.#partial + last).slice(0, MAX_LINE_LENGTH);
  }

  /** Ends the stream: a last line without a newline counts as one. */
  end(): void {
    if (this.#partial.length > 0) this.#keep(this.#partial);
    this.#partial = '';
  }

  /** The last lines, oldest first, masked. */
  text(): string {
    const partial = maskSecrets(this.#partial, this.#secrets);
    return [...this.#lines, ...(partial.length > 0 ? [partial] : [])].join('\n');
  }

  #keep(line: string): void {
    const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
    const cut = whole.length > MAX_LINE_LENGTH ? `${whole.slice(0, MAX_LINE_LENGTH)} …` : whole;
    const masked = maskSecrets(cut, this.#secrets);
    this.#lines.push(masked);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
    this.#onLine(masked);
  }
}
