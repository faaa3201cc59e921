import type { Readable } from 'node:stream';

/** How much is read before the event loop is given to others: some 500 tool calls, up to 10 ms of work. */
const SLICE_BYTES = 128 * 1024;

/**
 * Hands on what a stream brings, chunk by chunk. Node reads a pipe up to 32 times before it looks at
 * anything else, two megabytes that may take a second to work on; here it stops after a while, so
 * that timers and the other extensions of the same process have their turn. Nothing is lost or
 * reordered: what is not read yet waits in the pipe. Measured in bytes, since most chunks are one
 * line, and to look at the clock for each costs more than the line.
 * @param take whether there was work in it: what only waits for the end of its line is none
 */
export function readInSlices(stream: Readable, take: (chunk: Buffer) => boolean): void {
  let left = SLICE_BYTES;
  stream.on('data', (chunk: Buffer) => {
    if (take(chunk)) left -= chunk.length;
    if (left > 0) return;
    left = SLICE_BYTES;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}
