import { Worker } from 'node:worker_threads';
import { createDeferred } from '../base/deferred';
import type { Disposable } from '../base/disposable';
import type { Logger } from '../base/logger';
import type { Compiled, SourceFault, SourceText } from './compiler';

/** How the thread is started. */
export interface CompileOrder {
  readonly sources: readonly SourceText[];
  /** One for each source, shared by both threads; see `begin`. */
  readonly begun: Int32Array;
}

/** What the thread made of one of the sources; undefined where it is to be compiled by whoever asked. */
export interface CompileAnswer {
  readonly index: number;
  readonly made: Compiled | SourceFault | undefined;
}

/** A list that another thread compiles from its end, while whoever asked does so from its front. */
export interface CompileShare extends Disposable {
  /**
   * What the thread made of just this text. Waits for it where the thread has begun with it; else
   * the thread leaves it alone. Never rejects.
   * @returns undefined where it is to be compiled here
   */
  made(source: SourceText): Promise<Compiled | SourceFault | undefined>;
  /** Resolves when there is no thread any more. */
  readonly ended: Promise<unknown>;
}

/** Has another thread compile a part of a list; what comes of it must not depend on that. */
export interface SharedCompiling {
  /** Undefined where the list is short, the thread is at another one, or there is none to be had. */
  start(sources: readonly SourceText[]): CompileShare | undefined;
}

export interface SharedCompilingOptions {
  /** The thread's program, see `compileProgram.ts`; absolute. */
  readonly programFile: string;
  readonly log: Logger;
  /** What the thread may need. */
  readonly memoryMb: number;
}

/** Fewer are compiled before a thread has loaded what it compiles with. */
const LEAST_SOURCES = 8;
/**
 * Less than the main thread's: what is nested too deep there must not be known by who compiled it.
 * What is too deep here is tried there.
 */
const STACK_MB = 1;

/** Whether the source is the caller's: each is begun with by one of the threads. */
export function begin(begun: Int32Array, index: number): boolean {
  return Atomics.exchange(begun, index, 1) === 0;
}

/** One thread at a time, which ends with its list. */
export function createSharedCompiling(options: SharedCompilingOptions): SharedCompiling {
  let current: CompileShare | undefined;
  let isBroken = false;
  const failed = (reason: string): void => {
    if (!isBroken) options.log.debug(`Tool files are compiled without a second thread: ${reason}`);
    isBroken = true;
  };
  return {
    start: (sources) => {
      if (isBroken || current !== undefined || sources.length < LEAST_SOURCES) return undefined;
      try {
        const share = new Share(sources, options, failed);
        current = share;
        void share.ended.then(() => {
          current = undefined;
        });
        return share;
      } catch (error) {
        failed(String(error));
        return undefined;
      }
    },
  };
}

class Share implements CompileShare {
  readonly #worker: Worker;
  readonly #sources: readonly SourceText[];
  readonly #begun: Int32Array;
  readonly #places: ReadonlyMap<string, number>;
  readonly #answers = new Map<number, CompileAnswer['made']>();
  /** Whoever waits for an answer, or for the thread's end, looks again with each of them. */
  #news = createDeferred<undefined>();
  readonly #end = createDeferred<undefined>();
  #isOver = false;

  constructor(
    sources: readonly SourceText[],
    options: SharedCompilingOptions,
    failed: (reason: string) => void,
  ) {
    this.#sources = sources;
    this.#places = new Map(sources.map(({ file }, index) => [file, index]));
    const bytes = sources.length * Int32Array.BYTES_PER_ELEMENT;
    this.#begun = new Int32Array(new SharedArrayBuffer(bytes));
    this.#worker = startWorker({ sources, begun: this.#begun }, options);
    this.#worker.on('message', ({ index, made }: CompileAnswer) => {
      this.#answers.set(index, made);
      this.#tell();
    });
    this.#worker.on('error', (error) => failed(error.message));
    this.#worker.on('exit', (code) => {
      if (code !== 0 && !this.#isOver) failed(`it ended with ${code}`);
      this.#finish();
      this.#end.resolve(undefined);
    });
  }

  get ended(): Promise<unknown> {
    return this.#end.promise;
  }

  async made({ file, text }: SourceText): Promise<CompileAnswer['made']> {
    const index = this.#places.get(file);
    if (index === undefined || this.#sources[index]?.text !== text) return undefined;
    if (begin(this.#begun, index)) return undefined;
    while (!this.#answers.has(index) && !this.#isOver) await this.#news.promise;
    return this.#answers.get(index);
  }

  dispose(): void {
    this.#finish();
    void this.#worker.terminate();
  }

  #finish(): void {
    this.#isOver = true;
    this.#tell();
  }

  #tell(): void {
    this.#news.resolve(undefined);
    this.#news = createDeferred();
  }
}

function startWorker(workerData: CompileOrder, options: SharedCompilingOptions): Worker {
  const env = { ...process.env };
  // It would have whatever the process was started with loaded here as well.
  delete env.NODE_OPTIONS;
  const worker = new Worker(options.programFile, {
    ...{ name: 'patchbay compiling', workerData, env, execArgv: [] },
    ...{ stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, stackSizeMb: STACK_MB },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
