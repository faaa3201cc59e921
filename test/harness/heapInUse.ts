import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// A child process of its own would be the same: the runner gives each file one.
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Bytes of the heap that are in use, after all that can go has gone. */
export async function heapInUse(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}
