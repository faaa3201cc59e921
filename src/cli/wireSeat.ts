import { type Disposable, toDisposable } from '../base/disposable';
import type { FramingFault } from '../protocol/lineFramer';
import type { OutboundMessage } from '../protocol/outboundRequests';
import type { CliExit } from './lineTransport';

/** Whoever looks at the wire. What it is told it must take quickly, and it must not throw. */
export interface WireTap {
  /** One line of the CLI, before anything is made of it. */
  received(line: string): void;
  sent(message: OutboundMessage): void;
  /** A line was too long to be taken. */
  lost(fault: FramingFault): void;
  /** What was open is open no more, and ids begin anew. */
  ended(exit: CliExit): void;
}

/**
 * The place of the one who looks at the wire of a conversation, over all its processes. It is empty
 * nearly always: a frame then costs one look at `tap`.
 */
export class WireSeat {
  tap: WireTap | undefined;
  /** Values that were filled into what goes over the wire: by their place nobody could tell them. */
  readonly secrets = new Set<string>();

  /** Takes the seat, until the result is disposed; whoever sat there is told no more. */
  listen(tap: WireTap): Disposable {
    this.tap = tap;
    return toDisposable(() => {
      if (this.tap === tap) this.tap = undefined;
    });
  }
}
