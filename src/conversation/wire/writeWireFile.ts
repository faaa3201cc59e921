import { isJsonObject } from '../../protocol/lazySchema';
import { redactFrame, redactText, type RedactOptions } from './redactFrame';
import { WIRE_FILE_VERSION, type WireFileHeader } from './wireFile';
import type { WireEntry } from './wireLog';

export interface WireFileFacts {
  readonly cli: string | undefined;
  readonly extension: string | undefined;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly dropped: number;
}

/**
 * Frames as text, one piece a line, each with its newline: first the header. A frame in which
 * nothing is left out stands there as it went over the wire, to the byte.
 */
export function* writeWireFile(
  entries: Iterable<WireEntry>,
  facts: WireFileFacts,
  options: RedactOptions,
): Generator<string> {
  const { secrets, contents } = options;
  const header: WireFileHeader = {
    patchbay: 'wire',
    version: WIRE_FILE_VERSION,
    cli: facts.cli,
    extension: facts.extension,
    savedAt: new Date(facts.savedAt).toISOString(),
    redaction: { secrets, contents },
    dropped: facts.dropped,
  };
  yield `${JSON.stringify(header)}\n`;
  for (const entry of entries) yield `${entryLine(entry, options)}\n`;
}

function entryLine(entry: WireEntry, options: RedactOptions): string {
  const { t, dir, what, text } = entry;
  switch (what) {
    case 'lost':
      return JSON.stringify({ t, lost: entry.bytes });
    case 'ended':
      return JSON.stringify({ t, ended: text });
    case 'line':
      break;
  }
  const frame = parsed(text);
  if (!isJsonObject(frame)) return JSON.stringify({ t, dir, text: redactText(text, options) });
  const redacted = redactFrame(frame, options);
  if (redacted.places.length === 0) return `{"t":${t},"dir":"${dir}","frame":${text}}`;
  return JSON.stringify({ t, dir, frame: redacted.frame, redacted: redacted.places });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
