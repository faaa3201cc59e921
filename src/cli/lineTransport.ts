import type { Event } from '../base/event';
import type { FramingFault } from '../protocol/lineFramer';
import type { OutboundMessage } from '../protocol/outboundRequests';

/**
 * How a CLI ended. `ended`: with code 0, or after {@link LineTransport.close} on its own (code 1
 * then only says that the last result was an error). `killed`: it had to be signalled. `crashed`:
 * unasked, with another code or a signal.
 */
export interface CliExit {
  readonly kind: 'ended' | 'crashed' | 'killed';
  readonly code: number | null;
  readonly signal: string | null;
  /** The last lines of stderr, secrets masked. */
  readonly stderrTail: string;
}

/** Something on the wire that was not handed on. */
export type TransportFault =
  FramingFault | { readonly kind: 'writeFailed'; readonly cause: unknown };

/**
 * The seam over a running CLI: objects in, lines out. Everything above takes this and no process.
 * Reading starts with the first listener of `onDidReceiveLine`, so that no line is lost before.
 */
export interface LineTransport {
  readonly pid: number | undefined;
  /**
   * Writes one object as one line. Resolves when more may be written (back-pressure), rejects with
   * {@link TransportClosedError} once the CLI no longer reads. The order of calls is kept.
   * May be {@link WRITTEN}, for which no handler is needed. Those that wait for one full pipe may have
   * one promise; it then rejects with that error only.
   */
  write(message: OutboundMessage): Promise<void>;
  readonly onDidReceiveLine: Event<string>;
  readonly onDidFault: Event<TransportFault>;
  readonly onDidExit: Event<CliExit>;
  /** Settles once, after the last line was delivered and the process group is gone. Never rejects. */
  readonly exited: Promise<CliExit>;
  /**
   * How many processes it has that left its process group, such as its shell commands and what those
   * left behind; they end with it. Zero where that cannot be told.
   */
  strays(): Promise<number>;
  /** Ends the CLI in order, at the latest within three seconds. Can be called again. */
  close(): Promise<CliExit>;
}

/** Of a write that had room: one for all, and to catch what cannot fail would cost each a promise. */
export const WRITTEN: Promise<void> = Promise.resolve();

/** The CLI ended, or no longer reads what is written to it. */
export class TransportClosedError extends Error {
  readonly kind = 'transportClosed';

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'TransportClosedError';
  }
}
