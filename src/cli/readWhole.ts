import { open } from 'node:fs/promises';

/** What most settings are shorter than: read without asking first how long they are. */
const START_BYTES = 32_768;

/**
 * All bytes of a small file, in two questions to the disk; `readFile` has four. Each is a turn of an event
 * loop that may be busy, and rules are read at every call of a tool.
 */
export async function readWhole(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const [{ size }, { buffer, bytesRead }] = await Promise.all([
      handle.stat(),
      handle.read(Buffer.allocUnsafe(START_BYTES), 0, START_BYTES, 0),
    ]);
    // What the system makes up as it is read has no size.
    return bytesRead === size && size > 0 ? buffer.subarray(0, size) : await handle.readFile();
  } finally {
    // Nothing waits for it, and of a file that was read only nothing is lost by it.
    handle.close().catch(() => undefined);
  }
}
