import { maskSecrets } from '../base/maskSecrets';

const MAX_LINES = 200;
/** Characters kept of one line; together with the line count this bounds the memory. */
const MAX_LINE_LENGTH = 2000;

/** No form of a key or a token holds one of these. */
const BREAKS = new Set(' \t"\',;<>()[]{}');

/** A second of a CLI that says more than this is no longer read line by line by anyone. */
const LOGGED_PER_SECOND = 200;

export interface StderrTailOptions {
  /** Gets the lines, masked; of a flood some, and how many were left out. */
  readonly onLine?: (line: string) => void;
  /** Milliseconds. */
  readonly now?: () => number;
}

/**
 * Keeps the last lines of stderr, whatever its amount: a CLI that floods it costs no memory, and
 * little time, since a line is masked when it is shown.
 */
export class StderrTail {
  readonly #decoder = new TextDecoder('utf-8');
  readonly #onLine: ((line: string) => void) | undefined;
  readonly #now: () => number;
  readonly #secrets: readonly string[];
  /** A ring, as they came. */
  readonly #lines: string[] = [];
  #next = 0;
  #partial = '';
  #second = Number.NEGATIVE_INFINITY;
  #logged = 0;
  #leftOut = 0;

  /** `secrets` are values to hide. */
  constructor(secrets: readonly string[], options: StderrTailOptions = {}) {
    this.#onLine = options.onLine;
    this.#now = options.now ?? (() => performance.now());
    this.#secrets = secrets;
  }

  push(chunk: Uint8Array): void {
    const parts = this.#decoder.decode(chunk, { stream: true }).split('\n');
    const last = parts.pop() ?? '';
    this.#startSecond();
    for (const part of parts) {
      this.#keep(this.#partial + part);
      this.#partial = '';
    }
    // One more, which tells that it was cut.
    this.#partial = (this.#partial + last).slice(0, MAX_LINE_LENGTH + 1);
  }

  /** Ends the stream: a last line without a newline counts as one. */
  end(): void {
    if (this.#partial.length > 0) this.#keep(this.#partial);
    this.#partial = '';
    this.#tellLeftOut();
  }

  /** The last lines, oldest first, masked. */
  text(): string {
    const lines = [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
    if (this.#partial.length > 0) lines.push(this.#partial);
    return lines.map((line) => this.#shown(line)).join('\n');
  }

  #keep(line: string): void {
    const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
    const kept = whole.slice(0, MAX_LINE_LENGTH + 1);
    this.#lines[this.#next] = kept;
    this.#next = (this.#next + 1) % MAX_LINES;
    if (this.#onLine === undefined) return;
    if (this.#logged >= LOGGED_PER_SECOND) {
      this.#leftOut += 1;
      return;
    }
    this.#logged += 1;
    this.#onLine(this.#shown(kept));
  }

  #shown(line: string): string {
    if (line.length <= MAX_LINE_LENGTH) return maskSecrets(line, this.#secrets);
    return `${maskSecrets(line.slice(0, this.#endOfWhole(line)), this.#secrets)} …`;
  }

  /** Where to cut: what the end goes through could be a secret, and half of it is not known as one. */
  #endOfWhole(line: string): number {
    let end = MAX_LINE_LENGTH;
    while (end > 0 && !BREAKS.has(line.charAt(end - 1))) end -= 1;
    const across = this.#secrets.map((secret) => {
      let length = Math.min(secret.length - 1, end);
      while (length > 0 && !line.startsWith(secret.slice(0, length), end - length)) length -= 1;
      return length;
    });
    return end - Math.max(0, ...across);
  }

  #startSecond(): void {
    if (this.#now() - this.#second < 1000) return;
    this.#second = this.#now();
    this.#tellLeftOut();
    this.#logged = 0;
  }

  #tellLeftOut(): void {
    if (this.#leftOut > 0) this.#onLine?.(`(${this.#leftOut} lines were left out)`);
    this.#leftOut = 0;
  }
}
