import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import type { Readable, Writable } from 'node:stream';

/**
 * Looks at the pipes of whatever CLI this process starts, from below: the hosts, one of them a
 * package that cannot be opened, are then all measured at the same two places.
 */

/** More replies than any row has are not noted. */
const MOST = 20_000;

/** Not in the heap, which is measured as well: there a list that grows is copied again and again. */
const times = new Float64Array(MOST);
let count = 0;

/** Nanoseconds from the arrival of bytes to the first write after it, in order. */
export function replyTimes(): readonly number[] {
  return [...times.subarray(0, count)];
}

type Watcher = (chunk: Buffer) => void;

/**
 * Has to be called before anything is started.
 *
 * @param onOutput sees the CLI's output as it arrives
 */
export function watchPipes(options: {
  readonly replies: boolean;
  readonly onOutput?: Watcher;
}): void {
  const original = childProcess.spawn;
  const spawn = (...args: Parameters<typeof original>): ChildProcess => {
    const child = original(...args);
    watch(child, options.replies, options.onOutput);
    return child;
  };
  // The overloads of `spawn` differ in their results only by which pipes may be null.
  childProcess.spawn = spawn as typeof original;
  syncBuiltinESMExports();
}

function watch(child: ChildProcess, replies: boolean, onOutput: Watcher | undefined): void {
  let arrived: bigint | undefined;
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) return;
  onArrival(stdout, (chunk) => {
    if (replies) arrived = process.hrtime.bigint();
    if (onOutput !== undefined && chunk !== null) onOutput(chunk);
  });
  if (!replies) return;
  onWrite(stdin, () => {
    if (arrived !== undefined && count < MOST) {
      times[count] = Number(process.hrtime.bigint() - arrived);
      count += 1;
    }
    arrived = undefined;
  });
}

/** Below the stream's own decoder: one host has its text decoded there, the others do it themselves. */
function onArrival(stream: Readable, told: (chunk: Buffer | null) => void): void {
  const push = stream.push.bind(stream);
  stream.push = (chunk: Buffer | null, encoding) => {
    told(chunk);
    return push(chunk, encoding);
  };
}

/** Below the stream's own buffer: what is held back there has not been written yet. */
function onWrite(stream: Writable, told: () => void): void {
  const write = stream._write.bind(stream);
  const writev = stream._writev?.bind(stream);
  stream._write = (chunk, encoding, callback) => {
    told();
    write(chunk, encoding, callback);
  };
  if (writev === undefined) return;
  stream._writev = (chunks, callback) => {
    told();
    writev(chunks, callback);
  };
}
