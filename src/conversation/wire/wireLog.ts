import type { FrameDirection } from '../../chat/frameRowProtocol';
import type { CliExit } from '../../cli/lineTransport';
import type { WireTap } from '../../cli/wireSeat';
import { errorMessage } from '../../base/errors';
import type { FramingFault } from '../../protocol/lineFramer';
import type { OutboundMessage } from '../../protocol/outboundRequests';

/** Something that went over the wire, or happened to it. */
export interface WireEntry {
  /** Counts from 1. */
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly t: number;
  readonly dir: FrameDirection;
  /** `lost`: a line that was too long. `ended`: the process. Their `text` says it in words. */
  readonly what: 'line' | 'lost' | 'ended';
  /** The line, without its newline. */
  readonly text: string;
  /** UTF-8, also of a lost line. */
  readonly bytes: number;
}

export interface WireLogOptions {
  readonly now: () => number;
  /** Called with each entry; must be quick and must not throw. */
  readonly onAdd: () => void;
  /** Default {@link MAX_FRAMES}. */
  readonly maxFrames?: number;
  /** Default {@link MAX_BYTES}. */
  readonly maxBytes?: number;
}

export const MAX_FRAMES = 10_000;
export const MAX_BYTES = 16 * 1024 * 1024;

/** Keeps the last frames as they went over the wire: nothing is parsed while they come. */
export class WireLog implements WireTap {
  readonly #options: WireLogOptions;
  readonly #maxFrames: number;
  readonly #maxBytes: number;
  /** The kept ones begin at `#head`. */
  #entries: (WireEntry | undefined)[] = [];
  #head = 0;
  #bytes = 0;
  #total = 0;
  #dropped = 0;

  constructor(options: WireLogOptions) {
    this.#options = options;
    this.#maxFrames = Math.max(1, options.maxFrames ?? MAX_FRAMES);
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
  }

  received(line: string): void {
    this.#add('in', 'line', line, Buffer.byteLength(line));
  }

  sent(message: OutboundMessage): void {
    let text: string;
    try {
      text = JSON.stringify(message);
    } catch (error) {
      // It could not be sent either; whoever wanted to was told.
      text = `(not sent: ${errorMessage(error)})`;
    }
    this.#add('out', 'line', text, Buffer.byteLength(text));
  }

  lost({ bytes, maxBytes }: FramingFault): void {
    this.#add('in', 'lost', `A line of ${bytes} bytes was left out (at most ${maxBytes})`, bytes);
  }

  ended({ code, signal }: Pick<CliExit, 'code' | 'signal'>): void {
    const how = code === null ? `signal ${String(signal)}` : `code ${code}`;
    this.#add('in', 'ended', `The CLI ended with ${how}`, 0);
  }

  /** Number of the newest entry; 0 before the first. */
  get total(): number {
    return this.#total;
  }

  /** Number of the oldest entry that is kept; one more than `total` where there is none. */
  get first(): number {
    return this.#total - (this.#entries.length - this.#head) + 1;
  }

  /** How many were dropped since {@link clear}. */
  get dropped(): number {
    return this.#dropped;
  }

  get(n: number): WireEntry | undefined {
    return n < this.first ? undefined : this.#entries[this.#head + n - this.first];
  }

  /** The kept ones from number `n` on, oldest first. */
  from(n: number): WireEntry[] {
    const start = this.#head + Math.max(0, n - this.first);
    return this.#entries.slice(start).filter((entry) => entry !== undefined);
  }

  clear(): void {
    this.#entries = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  #add(dir: FrameDirection, what: WireEntry['what'], text: string, bytes: number): void {
    this.#total += 1;
    this.#entries.push({ n: this.#total, t: this.#options.now(), dir, what, text, bytes });
    this.#bytes += text.length;
    while (this.#isOver()) this.#drop();
    // The room in front is given back when it is as large as what is kept: linear over all.
    if (this.#head > this.#entries.length / 2) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    this.#options.onAdd();
  }

  /** The newest one stays, however long it is. */
  #isOver(): boolean {
    const count = this.#entries.length - this.#head;
    return count > 1 && (count > this.#maxFrames || this.#bytes > this.#maxBytes);
  }

  #drop(): void {
    this.#bytes -= this.#entries[this.#head]?.text.length ?? 0;
    this.#entries[this.#head] = undefined;
    this.#head += 1;
    this.#dropped += 1;
  }
}
