import type { WireFrame, WireRecord } from './wireFile';

/** A file that cannot be played, since what it needs was left out of it. */
export class RedactedFileError extends Error {
  override readonly name = 'RedactedFileError';
}

/** Places that are named; the rest is counted. */
const MAX_NAMED = 10;

/**
 * What goes to the rooms must be there as it was; what is only looked at by its id need not.
 * @throws RedactedFileError that names each frame and field, and says how to save it whole
 */
export function refuseRedacted(records: readonly WireRecord[]): void {
  const missing = records.flatMap((record) =>
    record.what === 'frame' && isPlayed(record)
      ? record.redacted.map((place) => `line ${record.line}: ${typeOf(record)}: ${place}`)
      : [],
  );
  if (missing.length === 0) return;
  const more = missing.length - MAX_NAMED;
  throw new RedactedFileError(
    [
      `${missing.length} fields that are played were left out when the file was saved:`,
      ...missing.slice(0, MAX_NAMED).map((line) => `  ${line}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      'Save it anew in the wire inspector with "Save without contents" switched off,',
      'and, where a secret is named, with "Hide secrets" switched off.',
    ].join('\n'),
  );
}

function isPlayed({ frame, dir }: WireFrame): boolean {
  // What we asked the CLI for, and what it answered, is paired and not played.
  if (frame.type === 'control_request') return dir === 'in';
  if (frame.type === 'control_response') return dir === 'out';
  return true;
}

function typeOf({ frame }: WireFrame): string {
  return typeof frame.type === 'string' ? frame.type.slice(0, 80) : 'frame';
}
