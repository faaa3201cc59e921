import { Worker } from 'node:worker_threads';
import { type Disposable, toDisposable } from '../base/disposable';
import type { Logger } from '../base/logger';
import { type FoundLoop, type LoopRecord, orderEnd, takeLoopRecords } from './loopRecord';

export interface LoopWatchOptions {
  /** The program, see `loopWatchProgram.ts`; absolute. */
  readonly watchFile: string;
  /** Where it writes which file loops: one for all windows, in the extension's own storage. */
  readonly folder: string;
  /** Where the approvals of this window are kept. */
  readonly workspace: string;
  readonly log: Logger;
  /** How long the event loop may stand still, in milliseconds. */
  readonly stillMs: number;
  /** How often it shows that it goes. */
  readonly beatMs: number;
}

export const LOOP_LIMITS = { stillMs: 10_000, beatMs: 500 } as const;

/** How the watcher's thread is started. */
export interface LoopWatchData {
  /** One number, which this thread raises as long as its event loop goes. */
  readonly beats: SharedArrayBuffer;
  readonly pid: number;
  readonly folder: string;
  readonly workspace: string;
  readonly stillMs: number;
  readonly beatMs: number;
}

/** Whose code is at work now; absolute paths, each as often as it is. */
export type ToLoopWatch = { readonly began: string } | { readonly ended: string };

/** What the watcher saw of a loop that came to its end after all. */
export interface FromLoopWatch {
  readonly went: LoopRecord;
}

/**
 * Has a thread look whether this one stands still while code of a tool file is at work in it, since
 * what loops cannot tell. It runs as long as any file is loaded.
 */
export class LoopWatch implements Disposable {
  readonly #options: LoopWatchOptions;
  #worker: Worker | undefined;
  #beating: NodeJS.Timeout | undefined;

  constructor(options: LoopWatchOptions) {
    this.#options = options;
  }

  /**
   * Files at whose code an earlier process stood still until its end, told once, and those at which
   * another one stands now.
   * @param isOurs whether a file is one of this window's folders
   */
  takeLooped(isOurs: (file: string) => boolean): readonly FoundLoop[] {
    const { folder, workspace } = this.#options;
    return takeLoopRecords(folder, { workspace, isOurs });
  }

  /** Ends a process that stands still, as far as it still does. */
  endStanding(pid: number): void {
    orderEnd(this.#options.folder, pid);
  }

  /** Code of this file begins to run; the result is its end. Starts the thread with the first. */
  running(path: string): Disposable {
    const worker = (this.#worker ??= this.#start());
    worker?.postMessage({ began: path } satisfies ToLoopWatch);
    return toDisposable(() => {
      this.#worker?.postMessage({ ended: path } satisfies ToLoopWatch);
    });
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** No file is loaded any more. */
  stop(): void {
    clearInterval(this.#beating);
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }

  dispose(): void {
    this.stop();
  }

  #start(): Worker | undefined {
    const { watchFile, folder, workspace, log, stillMs, beatMs } = this.#options;
    const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const { pid } = process;
    const workerData: LoopWatchData = { beats, pid, folder, workspace, stillMs, beatMs };
    try {
      const worker = new Worker(watchFile, {
        name: 'patchbay loop watch',
        workerData,
        execArgv: [],
      });
      worker.unref();
      worker.on('error', (error) => {
        log.warn(`Loops of tool files are not watched any more: ${error.message}`);
        if (this.#worker === worker) this.stop();
      });
      worker.on('message', ({ went }: FromLoopWatch) => {
        const { files, seconds } = went;
        const names = files.length === 0 ? 'code that is no tool file' : files.join(', ');
        log.warn(`The extension host stood still for ${seconds} s, at ${names}, and went on`);
      });
      const numbers = new Int32Array(beats);
      this.#beating = setInterval(() => {
        Atomics.add(numbers, 0, 1);
      }, beatMs).unref();
      return worker;
    } catch (error) {
      log.warn(`Loops of tool files are not watched: ${String(error)}`);
      return undefined;
    }
  }
}
