import * as l10n from '@vscode/l10n';
import { Worker } from 'node:worker_threads';
import type { Deferred } from '../base/deferred';
import { type Disposable, toDisposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import { untilAborted } from '../base/untilAborted';
import type { ToolContext } from '../mcp/toolContext';
import type { FaultKind } from './toolFile';
import { type LoadRequest, ToolFileError } from './toolFileHost';
import { absolutePath } from './toolFilePaths';
import { RunningWorker, type WorkerEnd, WorkerEnded } from './runningWorker';
import type { WorkerLink } from './workerDefinitions';
import type { WorkerHostOptions } from './workerOptions';
import type { LoadedMessage, WorkerTask } from './workerMessages';
import type { WorkerStates } from './workerStates';

interface Watch {
  readonly index: number;
  readonly uri: string;
  readonly changed: () => void;
  /** In the worker that runs, or in the one that ran last. */
  seat: Disposable | undefined;
}

/** One tool file in its worker. When that has ended, the next call starts another. */
export class WorkerFile implements WorkerLink, Disposable {
  readonly #request: LoadRequest;
  readonly #options: WorkerHostOptions;
  readonly #states: WorkerStates;
  #current: Promise<RunningWorker> | undefined;
  #running: RunningWorker | undefined;
  /** What is watched for as long as somebody wants it, also by a worker that is started anew. */
  readonly #watches = new Set<Watch>();
  #isDisposed = false;

  constructor(request: LoadRequest, options: WorkerHostOptions, states: WorkerStates) {
    this.#request = request;
    this.#options = options;
    this.#states = states;
  }

  /** The running worker; undefined between two. */
  get running(): RunningWorker | undefined {
    return this.#running;
  }

  /** @throws ToolFileError */
  async load(): Promise<LoadedMessage> {
    return (await this.#ensure(this.#request.signal)).loaded.promise;
  }

  async call(task: WorkerTask, ctx?: ToolContext): Promise<unknown> {
    try {
      return await this.#callNow(task, ctx);
    } catch (error) {
      // It only waited for its turn: nothing of it was done.
      if (task.op !== 'check' || !(error instanceof WorkerEnded)) throw error;
      return this.#callNow(task, ctx);
    }
  }

  async #callNow(task: WorkerTask, ctx: ToolContext | undefined): Promise<unknown> {
    const starting = this.#ensure();
    const worker = await untilAborted(starting, ctx?.signal);
    return worker.call(task, ctx);
  }

  watch(index: number, uri: string, changed: () => void): Disposable {
    const watch: Watch = { index, uri, changed, seat: undefined };
    this.#watches.add(watch);
    this.#ensure().then(
      (worker) => {
        if (this.#watches.has(watch)) watch.seat ??= worker.watch(index, uri, changed);
      },
      (error: unknown) => {
        this.#options.log.warn(
          `${this.#request.file}: ${uri} is not watched: ${errorMessage(error)}`,
        );
      },
    );
    return toDisposable(() => {
      this.#watches.delete(watch);
      watch.seat?.dispose();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#running?.end('The tool file was changed or removed while this ran');
  }

  async #ensure(signal?: AbortSignal): Promise<RunningWorker> {
    if (this.#isDisposed) throw new Error('The tool file was changed or removed');
    this.#current ??= this.#start(signal);
    return this.#current;
  }

  /** @param signal of the first load; a worker that is started anew has nobody's */
  async #start(signal: AbortSignal | undefined): Promise<RunningWorker> {
    const { workerFile, compilerFile, memoryMb, loadWithinMs } = this.#options;
    const { file, folder, sources, compiled } = this.#request;
    const worker = new Worker(workerFile, {
      name: `patchbay ${file}`,
      // What it prints comes as messages; what goes past them must not fill the memory here.
      stdout: true,
      stderr: true,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    worker.stdout.resume();
    worker.stderr.resume();
    const running = new RunningWorker(worker, file, this.#options, this.#states);
    this.#running = running;
    void running.ended.promise.then(() => {
      if (this.#running !== running) return;
      this.#running = undefined;
      this.#current = undefined;
    });
    const folderName = this.#options.folderName(folder);
    const words = this.#options.words();
    running.post({
      ...{ kind: 'load', folder, folderName, file, words },
      ...{ sources, compiled, compilerFile },
    });
    const stop = (): void => {
      running.end('stopped');
    };
    const timer = setTimeout(() => {
      running.end('loop');
    }, loadWithinMs);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    try {
      await Promise.race([running.loaded.promise, this.#failedStart(running.ended, signal)]);
      this.#watchAgain(running);
      return running;
    } catch (error) {
      running.end('not loaded');
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  /** What has changed while none ran is not known: each is told once. */
  #watchAgain(running: RunningWorker): void {
    for (const watch of this.#watches) {
      if (watch.seat === undefined) continue;
      watch.seat = running.watch(watch.index, watch.uri, watch.changed);
      watch.changed();
    }
  }

  async #failedStart(ended: Deferred<WorkerEnd>, signal: AbortSignal | undefined): Promise<never> {
    const end = await ended.promise;
    signal?.throwIfAborted();
    const { folder, file } = this.#request;
    const kind: FaultKind = 'load';
    throw new ToolFileError({
      kind,
      path: absolutePath(folder, file),
      message: this.#startFault(end),
    });
  }

  #startFault(end: WorkerEnd): string {
    switch (end.kind) {
      case 'loop':
        return l10n.t(
          'It did not come to an end within {0} s while it was loaded, and was stopped.',
          this.#options.loadWithinMs / 1_000,
        );
      case 'memory':
        return l10n.t('It needs more than {0} MB of memory.', this.#options.memoryMb);
      case 'exit':
        return l10n.t('It ended itself while it was loaded, as by process.exit.');
      case 'error':
      case 'told':
        return l10n.t('It failed while it was loaded: {0}', end.text);
    }
  }
}
