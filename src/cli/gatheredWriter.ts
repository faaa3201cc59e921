import type { Writable } from 'node:stream';

/**
 * Writes lines to a stream, what comes together in one piece: thousands of calls are answered at
 * once, and a system call for each answer costs more than the answer.
 */
export class GatheredWriter {
  readonly #stream: Writable;
  #text = '';
  #isHeld = false;
  #isDue = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /**
   * Takes a line, its newline included. It goes out when the running callback has ended.
   * False when no more should be written before the stream says `drain`.
   */
  write(line: string): boolean {
    this.#text += line;
    this.#flushLater();
    const stream = this.#stream;
    const waiting = stream.writableLength + this.#text.length;
    return !stream.writableNeedDrain && waiting < stream.writableHighWaterMark;
  }

  /** Runs `body` and writes at once what it has brought. */
  during(body: () => void): void {
    this.#isHeld = true;
    try {
      body();
    } finally {
      this.#isHeld = false;
      this.flush();
    }
  }

  flush(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    if (this.#stream.writable) this.#stream.write(text);
  }

  #flushLater(): void {
    if (this.#isHeld || this.#isDue) return;
    this.#isDue = true;
    process.nextTick(() => {
      this.#isDue = false;
      this.flush();
    });
  }
}
