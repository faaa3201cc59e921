/**
 * Bytes to lines. Only `\n` ends a line (U+2028 and its like are text), a `\r` before it is
 * dropped, a byte-order mark at the start of a line too, and empty lines are left out.
 * Cuts may fall anywhere, also inside a character: bytes are decoded only when their line is whole.
 */

const NEWLINE = 0x0a;
const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Pieces smaller than this are copied together, so that a trickle does not cost an object a byte. */
const SMALL_PIECE = 4096;
const BLOCK = 64 * 1024;

/** A line longer than the cap was left out. `bytes` is its true size, the newline not counted. */
export interface FramingFault {
  readonly kind: 'lineTooLong';
  readonly bytes: number;
  readonly maxBytes: number;
}

export interface LineFramerOptions {
  onLine(line: string): void;
  onFault(fault: FramingFault): void;
  /** Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** UTF-8 to text, from `start` to before `end`; a platform may have a quicker one than this room. */
  readonly decode?: (bytes: Uint8Array, start: number, end: number) => string;
  /** Whether all bytes are ASCII, where a platform can tell at once: many lines are then one text. */
  readonly isAscii?: (bytes: Uint8Array) => boolean;
}

export interface LineFramer {
  /** Takes the next bytes, which must not be changed afterwards. True if a line has ended in them. */
  push(chunk: Uint8Array): boolean;
  /** Delivers a last line without a newline. The framer can be used again afterwards. */
  end(): void;
}

/** Creates a {@link LineFramer}. Time is linear in the bytes, memory is bound by the cap. */
export function createLineFramer(options: LineFramerOptions): LineFramer {
  return new Framer(options);
}

class Framer implements LineFramer {
  readonly #options: LineFramerOptions;
  readonly #max: number;
  readonly #decode: (bytes: Uint8Array, start: number, end: number) => string;
  /** The beginning of a line that is not whole yet. */
  readonly #pending = new PieceList();
  #pendingBytes = 0;

  constructor(options: LineFramerOptions) {
    this.#options = options;
    this.#max = Math.max(1, options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES);
    this.#decode = options.decode ?? createDecode();
  }

  push(chunk: Uint8Array): boolean {
    if (chunk.byteLength <= this.#max) return this.#pushSlice(chunk);
    // In slices no longer than the cap: then only a line that crosses a slice can be too long.
    let hasEnded = false;
    for (let at = 0; at < chunk.byteLength; at += this.#max) {
      if (this.#pushSlice(chunk.subarray(at, at + this.#max))) hasEnded = true;
    }
    return hasEnded;
  }

  end(): void {
    if (this.#pendingBytes > 0) this.#finishLine();
  }

  #pushSlice(slice: Uint8Array): boolean {
    let start = 0;
    let at = slice.indexOf(NEWLINE);
    if (at === -1) {
      this.#keep(slice);
      return false;
    }
    if (this.#pendingBytes > 0) {
      this.#keep(slice.subarray(0, at));
      this.#finishLine();
      start = at + 1;
      at = slice.indexOf(NEWLINE, start);
    }
    const last = slice.byteLength - 1;
    // Mostly a chunk is a line.
    if (at === last) this.#emit(this.#decode(slice, start, last));
    else {
      const end = at === -1 ? start : slice.lastIndexOf(NEWLINE) + 1;
      if (end > start) this.#emitLines(slice, start, end);
      if (end <= last) this.#keep(slice.subarray(end));
    }
    return true;
  }

  /**
   * Whole lines. In ASCII they are decoded together, at half the cost; else each on its own: with one
   * character beyond it the text of all of them would be twice the size, and twice as slow to read.
   */
  #emitLines(bytes: Uint8Array, start: number, end: number): void {
    let from = start;
    let at = bytes.indexOf(NEWLINE, from);
    if (at < end - 1 && this.#options.isAscii?.(bytes) === true) {
      this.#emitText(this.#decode(bytes, start, end));
      return;
    }
    for (; at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      this.#emit(this.#decode(bytes, from, at));
      from = at + 1;
    }
  }

  #emitText(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      this.#emit(text.slice(from, at));
      from = at + 1;
    }
  }

  #keep(piece: Uint8Array): void {
    this.#pendingBytes += piece.byteLength;
    if (this.#pendingBytes > this.#max) this.#pending.clear();
    else this.#pending.add(piece);
  }

  #finishLine(): void {
    const bytes = this.#pendingBytes;
    this.#pendingBytes = 0;
    if (bytes > this.#max) {
      this.#options.onFault({ kind: 'lineTooLong', bytes, maxBytes: this.#max });
      return;
    }
    const whole = this.#pending.take();
    this.#emit(this.#decode(whole, 0, whole.byteLength));
  }

  #emit(line: string): void {
    let text = line;
    if (text.endsWith('\r')) text = text.slice(0, -1);
    if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    if (text.length > 0) this.#options.onLine(text);
  }
}

function createDecode(): (bytes: Uint8Array, start: number, end: number) => string {
  // It keeps byte-order marks: it would drop two of them, one here and one as the line's own.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return (bytes, start, end) => decoder.decode(bytes.subarray(start, end));
}

/** Pieces in order. Small ones share a block, so that any chunking costs about the bytes it brings. */
class PieceList {
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #block: Uint8Array | undefined;
  #blockUsed = 0;

  add(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.#bytes += piece.byteLength;
    // The first piece is mostly the tail of a chunk, and the next one mostly completes the line.
    if (piece.byteLength >= SMALL_PIECE || this.#bytes === piece.byteLength) {
      this.#closeBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#blockUsed + piece.byteLength > BLOCK) this.#closeBlock();
    this.#block ??= new Uint8Array(BLOCK);
    this.#block.set(piece, this.#blockUsed);
    this.#blockUsed += piece.byteLength;
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#block = undefined;
    this.#blockUsed = 0;
  }

  take(): Uint8Array {
    this.#closeBlock();
    const only = this.#pieces.length === 1 ? this.#pieces[0] : undefined;
    const whole = only ?? this.#join();
    this.clear();
    return whole;
  }

  #join(): Uint8Array {
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#pieces.push(this.#block.subarray(0, this.#blockUsed));
    this.#block = undefined;
    this.#blockUsed = 0;
  }
}
