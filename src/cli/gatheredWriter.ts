import type { Writable } from 'node:stream';

/**
 * Writes lines to a stream, what comes together in one piece: thousands of calls are answered at
 * once, and a system call for each answer costs more than the answer.
 */
export class GatheredWriter {
  readonly #stream: Writable;
  #text = '';
  /** How long the text may become before the stream is full: it changes with a flush only. */
  #room = 0;
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
    if (this.#text === '') this.#room = roomOf(this.#stream);
    this.#text += line;
    this.#flushLater();
    return this.#text.length < this.#room;
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

function roomOf(stream: Writable): number {
  return stream.writableNeedDrain ? 0 : stream.writableHighWaterMark - stream.writableLength;
}
