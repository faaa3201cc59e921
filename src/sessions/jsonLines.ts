import { createReadStream } from 'node:fs';
import { createLineFramer } from '../protocol/lineFramer';
import { isJsonObject } from '../protocol/lazySchema';

/** Longer lines are passed over: no record of a conversation that is worth drawing is so long. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

export type JsonRecord = Readonly<Record<string, unknown>>;

export interface JsonLineReader {
  /** @param line number of the line, from 0, the same in every pass over one file that only grows */
  onRecord(record: JsonRecord, line: number): void;
  /** Lines that need not be parsed; all of them without it. */
  readonly wants?: (line: number) => boolean;
  /** Awaited after each chunk: what takes in more than it can hold slows the reading down. */
  readonly onChunk?: () => Promise<void>;
  /** Lines that are worth parsing, by their text; all of them without it. */
  readonly mayBe?: (text: string) => boolean;
}

/**
 * Streams the records of a file with one JSON object a line. Holds one chunk and one line at a
 * time, however long the file is.
 * @returns how many wanted lines were no record: torn by a kill, too long, or not JSON
 * @throws what reading the file throws, such as ENOENT
 */
export async function readJsonLines(file: string, reader: JsonLineReader): Promise<number> {
  let line = -1;
  let broken = 0;
  const framer = createLineFramer({
    maxLineBytes: MAX_LINE_BYTES,
    onLine: (text) => {
      line += 1;
      if (reader.wants && !reader.wants(line)) return;
      if (reader.mayBe && !reader.mayBe(text)) return;
      const record = tryParseRecord(text);
      if (record) reader.onRecord(record, line);
      else broken += 1;
    },
    onFault: () => {
      line += 1;
      if (!reader.wants || reader.wants(line)) broken += 1;
    },
  });
  // An async iterator, so that other work gets its turn between two chunks.
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    // Without an encoding a read stream yields Buffers; its type does not say so.
    framer.push(chunk as Buffer);
    await reader.onChunk?.();
  }
  framer.end();
  await reader.onChunk?.();
  return broken;
}

function tryParseRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
