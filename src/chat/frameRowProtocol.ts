/** One frame of the wire as the inspector lists it: what it is, never what is in it. */
export interface FrameRow {
  /** Counts from 1, over everything that was seen. */
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly t: number;
  /** `in`: from the CLI. */
  readonly dir: FrameDirection;
  readonly kind: FrameKind;
  /** Message type, control subtype, or MCP method. */
  readonly label: string;
  /** What it is about: a tool, a block, a server. */
  readonly detail?: string;
  /** Of a request and of its answer. */
  readonly id?: string;
  readonly role?: FrameRole;
  /** UTF-8. */
  readonly bytes: number;
  /** An answer that is an error. */
  readonly isError?: boolean;
  /** Of a request: what became of it. */
  readonly state?: RequestState;
  /** Milliseconds between a request and its answer; on both. */
  readonly ms?: number;
  /** The other one of the pair. */
  readonly partner?: number;
}

export type FrameDirection = 'in' | 'out';
export type FrameRole = 'request' | 'answer' | 'cancel';

/** `takenBack`: whoever asked wants no answer any more. `ended`: the process ended before it came. */
export type RequestState = 'waiting' | 'answered' | 'takenBack' | 'ended';

/** What became of a request after it was listed. */
export type FrameUpdate = Pick<FrameRow, 'n' | 'state' | 'ms' | 'partner'>;

/** `stream` is what a message is streamed in; `noise` is what was no message. */
export const FRAME_KINDS = ['message', 'stream', 'control', 'mcp', 'noise'] as const;
export type FrameKind = (typeof FRAME_KINDS)[number];
