import type { Readable } from 'node:stream';

/** How long a burst is read before the event loop is given to others, in milliseconds. */
const SLICE_MS = 8;
/** The time between two chunks in which others must have had the event loop, in milliseconds. */
const GAP_MS = 1;

/**
 * Hands on what a stream brings, chunk by chunk. Node reads a pipe up to 32 times before it looks at
 * anything else, two megabytes that may take a second to work on; here it stops after a while, so
 * that timers and the other extensions of the same process have their turn. Nothing is lost or
 * reordered: what is not read yet waits in the pipe.
 */
export function readInSlices(stream: Readable, take: (chunk: Buffer) => void): void {
  let began = 0;
  let ended = -Infinity;
  stream.on('data', (chunk: Buffer) => {
    const now = performance.now();
    if (now - ended > GAP_MS) began = now;
    take(chunk);
    ended = performance.now();
    if (ended - began < SLICE_MS) return;
    ended = -Infinity;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}
