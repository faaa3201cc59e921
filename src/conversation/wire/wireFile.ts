import type { FrameDirection } from '../../chat/frameRowProtocol';
import type { Redaction } from '../../chat/inspectorProtocol';

/** Version of the file's format; a file of a newer one is refused. */
export const WIRE_FILE_VERSION = 1;

/** The first line of a saved file: `{"patchbay":"wire", …}`. */
export interface WireFileHeader {
  readonly patchbay: 'wire';
  readonly version: number;
  /** Version of the CLI, where it was told. */
  readonly cli?: string | undefined;
  /** Of Patchbay. */
  readonly extension?: string | undefined;
  /** ISO 8601. */
  readonly savedAt?: string | undefined;
  readonly redaction: Redaction;
  /** Frames that went before the first one of the file. */
  readonly dropped: number;
}

/** One of the other lines. */
export type WireRecord = WireFrame | WireNoise | WireLost | WireEnded;

interface Line {
  /** Line of the file, from 1. */
  readonly line: number;
  /** Milliseconds since 1970; undefined in a plain transcript. */
  readonly t: number | undefined;
}

/** `{"t": …, "dir": "in" | "out", "frame": {…}}`. */
export interface WireFrame extends Line {
  readonly what: 'frame';
  readonly dir: FrameDirection;
  readonly frame: Readonly<Record<string, unknown>>;
  /** Places in the frame in which something was left out. */
  readonly redacted: readonly string[];
}

/** `{"t": …, "dir": "in", "text": "…"}`: a line that was no JSON object. */
export interface WireNoise extends Line {
  readonly what: 'noise';
  readonly dir: FrameDirection;
  readonly text: string;
}

/** `{"t": …, "lost": bytes}`: a line that was too long to be taken. */
export interface WireLost extends Line {
  readonly what: 'lost';
  readonly bytes: number;
}

/** `{"t": …, "ended": "The CLI ended with code 0"}`: ids begin anew behind it. */
export interface WireEnded extends Line {
  readonly what: 'ended';
  readonly reason: string;
}

export interface WireRecording {
  /** Undefined for a plain transcript: lines of `{"dir": …, "m": {…}}`. */
  readonly header: WireFileHeader | undefined;
  readonly records: readonly WireRecord[];
}
