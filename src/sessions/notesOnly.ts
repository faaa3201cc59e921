import { open } from 'node:fs/promises';
import { isJsonObject } from '../protocol/lazySchema';

/** Longer than all notes that are made between two looks. */
const NOTES_BYTES = 64 * 1024;

/**
 * Whether nobody said anything there. Fact: what is said has a `uuid`; a title, what all has cost (at
 * every orderly end, even of a process that did nothing), the mode and the like have none.
 * @throws what reading the file throws
 */
export async function isNotesOnly(file: string, from: number, to: number): Promise<boolean> {
  if (to - from > NOTES_BYTES) return false;
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(to - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    const lines = bytes.toString('utf8', 0, bytesRead).split('\n');
    return lines.filter((line) => line.trim() !== '').every(isNote);
  } finally {
    await handle.close();
  }
}

function isNote(line: string): boolean {
  try {
    const record: unknown = JSON.parse(line);
    return isJsonObject(record) && typeof record.type === 'string' && record.uuid === undefined;
  } catch {
    return false;
  }
}
