import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import type { Writable } from 'node:stream';

/**
 * Looks at the pipes of whatever CLI this process starts, from below: the hosts, one of them a
 * package that cannot be opened, are then all measured at the same two places.
 */

const times: number[] = [];

/** Nanoseconds from the arrival of bytes to the first write after it, in order. */
export function replyTimes(): readonly number[] {
  return times;
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
  const emit = stdout.emit.bind(stdout) as (event: string | symbol, ...args: unknown[]) => boolean;
  stdout.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event === 'data') {
      if (replies) arrived = process.hrtime.bigint();
      if (onOutput !== undefined && Buffer.isBuffer(args[0])) onOutput(args[0]);
    }
    return emit(event, ...args);
  };
  if (!replies) return;
  onWrite(stdin, () => {
    if (arrived !== undefined) times.push(Number(process.hrtime.bigint() - arrived));
    arrived = undefined;
  });
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
