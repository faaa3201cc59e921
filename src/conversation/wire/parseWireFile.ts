import { isJsonObject } from '../../protocol/lazySchema';
import {
  WIRE_FILE_VERSION,
  type WireFileHeader,
  type WireRecord,
  type WireRecording,
} from './wireFile';

/** A file that is no recording, or a broken one. */
export class WireFileError extends Error {
  override readonly name = 'WireFileError';
  /** From 1; undefined where it is about the whole file. */
  readonly line: number | undefined;

  constructor(reason: string, line?: number, options?: { cause?: unknown }) {
    super(line === undefined ? reason : `line ${line}: ${reason}`, options);
    this.line = line;
  }
}

/**
 * Reads a saved file, or a plain transcript. Empty lines are left out.
 * @throws WireFileError with the line and what is wrong there
 */
export function parseWireFile(text: string): WireRecording {
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line, at) => ({ text: line.trim(), line: at + 1 }))
    .filter((line) => line.text !== '');
  const [head, ...rest] = lines;
  if (head === undefined) throw new WireFileError('The file is empty');
  const first = objectOf(head.text, head.line);
  if (first.patchbay === undefined && first.m !== undefined) {
    return { header: undefined, records: lines.map((line) => transcriptRecord(line)) };
  }
  const header = readHeader(first, head.line);
  return { header, records: rest.map((line) => record(line)) };
}

interface Line {
  readonly text: string;
  readonly line: number;
}

type Json = Readonly<Record<string, unknown>>;

function objectOf(text: string, line: number): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new WireFileError('not JSON; is the file cut off?', line, { cause });
  }
  if (isJsonObject(value)) return value;
  throw new WireFileError('expected a JSON object', line);
}

function readHeader(value: Json, line: number): WireFileHeader {
  if (value.patchbay !== 'wire') {
    throw new WireFileError(
      'no header: a file that was saved by the wire inspector begins with {"patchbay":"wire",…}',
      line,
    );
  }
  const { version, cli, extension, savedAt, dropped } = value;
  if (typeof version !== 'number') throw new WireFileError('version: expected a number', line);
  if (version > WIRE_FILE_VERSION) {
    throw new WireFileError(
      `the file has version ${version}; this program reads up to ${WIRE_FILE_VERSION}`,
      line,
    );
  }
  const redaction = isJsonObject(value.redaction) ? value.redaction : {};
  return {
    patchbay: 'wire',
    version,
    cli: textOf(cli),
    extension: textOf(extension),
    savedAt: textOf(savedAt),
    redaction: { secrets: redaction.secrets === true, contents: redaction.contents === true },
    dropped: typeof dropped === 'number' ? dropped : 0,
  };
}

function record({ text, line }: Line): WireRecord {
  const value = objectOf(text, line);
  const { t } = value;
  if (typeof t !== 'number') throw new WireFileError('t: expected a number of milliseconds', line);
  if (typeof value.lost === 'number') return { what: 'lost', line, t, bytes: value.lost };
  if (typeof value.ended === 'string') return { what: 'ended', line, t, reason: value.ended };
  const dir = directionOf(value.dir, line);
  if (typeof value.text === 'string') {
    if (value.text.includes('\n')) throw new WireFileError('text: expected one line', line);
    return { what: 'noise', line, t, dir, text: value.text };
  }
  const { frame, redacted = [] } = value;
  if (!isJsonObject(frame)) throw new WireFileError('frame: expected a JSON object', line);
  if (!isTexts(redacted)) throw new WireFileError('redacted: expected a list of places', line);
  return { what: 'frame', line, t, dir, frame, redacted };
}

function transcriptRecord({ text, line }: Line): WireRecord {
  const value = objectOf(text, line);
  const dir = directionOf(value.dir, line);
  const { m: frame } = value;
  if (!isJsonObject(frame)) throw new WireFileError('m: expected a JSON object', line);
  return { what: 'frame', line, t: undefined, dir, frame, redacted: [] };
}

function directionOf(dir: unknown, line: number): 'in' | 'out' {
  if (dir === 'in' || dir === 'out') return dir;
  throw new WireFileError('dir: expected "in" or "out"', line);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
