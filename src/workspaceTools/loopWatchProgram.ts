// A thread that looks whether the extension host's own stands still while code of a tool file is at
// work there; see `loopWatch.ts`. It writes which file it is, at once: after the end of the process
// nobody could tell.
import { parentPort, workerData } from 'node:worker_threads';
import { mainStack } from './loopStack';
import { isEndOrdered, removeLoopRecord, writeLoopRecord, type LoopRecord } from './loopRecord';
import type { FromLoopWatch, LoopWatchData, ToLoopWatch } from './loopWatch';

// Started by `loopWatch.ts` in this shape.
const { beats, pid, folder, workspace, stillMs, beatMs } = workerData as LoopWatchData;
const numbers = new Int32Array(beats);
/** How often each file is at work. */
const atWork = new Map<string, number>();
let last = Atomics.load(numbers, 0);
/** Counted, not measured: while the whole process is suspended nothing stands still. */
let still = 0;
let record: LoopRecord | undefined;

parentPort?.on('message', (message: ToLoopWatch) => {
  if ('began' in message) atWork.set(message.began, (atWork.get(message.began) ?? 0) + 1);
  else {
    const left = (atWork.get(message.ended) ?? 1) - 1;
    if (left > 0) atWork.set(message.ended, left);
    else atWork.delete(message.ended);
  }
});

setInterval(() => {
  const now = Atomics.load(numbers, 0);
  if (now !== last) {
    last = now;
    if (record !== undefined) wentOn(record);
    still = 0;
    return;
  }
  still += 1;
  // Asked for by the window that came after this one; the record stays, for whoever has its approvals.
  if (record !== undefined && isEndOrdered(folder, pid)) process.kill(pid, 'SIGKILL');
  if (still * beatMs >= stillMs && record === undefined && atWork.size > 0) void stoodStill();
}, beatMs);

async function stoodStill(): Promise<void> {
  const seconds = Math.round((still * beatMs) / 1_000);
  // Before anything else, in case there is no time for more.
  const suspects = [...atWork.keys()];
  record = { pid, workspace, files: suspects.length === 1 ? suspects : [], stack: [], seconds };
  writeLoopRecord(folder, record);
  const stack = await mainStack().catch(() => undefined);
  if (stack === undefined || Atomics.load(numbers, 0) !== last) return;
  // The innermost frame of a tool file; what is called by others only waits for its turn.
  const culprit = stack.find(({ file }) => atWork.has(file))?.file;
  const below = culprit ?? ownerOf(stack.map(({ file }) => file));
  const lines = stack.map(({ name, file, line }) => `${name} (${file}:${line})`);
  record = { pid, workspace, files: below === undefined ? [] : [below], stack: lines, seconds };
  writeLoopRecord(folder, record);
}

/** A file of `.patchbay` that only one of those at work can have imported. */
function ownerOf(files: readonly string[]): string | undefined {
  const inFolder = files.some((file) => /[\\/]\.patchbay[\\/]/.test(file));
  const suspects = [...atWork.keys()];
  return inFolder && suspects.length === 1 ? suspects[0] : undefined;
}

function wentOn(what: LoopRecord): void {
  record = undefined;
  removeLoopRecord(folder, pid);
  const seconds = Math.round((still * beatMs) / 1_000);
  parentPort?.postMessage({ went: { ...what, seconds } } satisfies FromLoopWatch);
}
