import type { Worker } from 'node:worker_threads';
import { createDeferred, type Deferred } from '../base/deferred';
import { type Disposable, toDisposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { AskAnswer } from '../mcp/askPort';
import type { JsonSchemaInput } from '../mcp/inputTypes';
import { RpcError } from '../mcp/jsonRpc';
import type { ToolContext } from '../mcp/toolContext';
import { ToolFileError } from './toolFileHost';
import type { WorkerHostOptions } from './workerOptions';
import type { CallFacts, FromWorker, LoadedMessage, ToWorker, WorkerTask } from './workerMessages';
import type { FileState, WorkerStates } from './workerStates';

/** Why a worker ended. `told`: we ended it, for the reason in `text`. */
export type WorkerEnd =
  | { readonly kind: 'loop' | 'memory' }
  | { readonly kind: 'exit' | 'error' | 'told'; readonly text: string };

interface OpenCall {
  readonly answer: Deferred<unknown>;
  readonly ctx: ToolContext | undefined;
  readonly state: FileState | undefined;
  readonly stop: () => void;
  /** Of the times at which the person decides. */
  readonly holds: Map<number, Deferred<undefined>>;
}

/** The worker ended before the call had come to its end. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
}

/** A worker from its start to its end, and what is asked of it meanwhile. */
export class RunningWorker {
  readonly loaded = createDeferred<LoadedMessage>();
  readonly ended = createDeferred<WorkerEnd>();
  readonly #worker: Worker;
  readonly #file: string;
  readonly #options: WorkerHostOptions;
  readonly #states: WorkerStates;
  readonly #calls = new Map<number, OpenCall>();
  readonly #watches = new Map<number, () => void>();
  /** States that this worker has. */
  readonly #known = new Set<number>();
  #count = 0;
  #pinged = 0;
  #patience: NodeJS.Timeout | undefined;
  #end: WorkerEnd | undefined;

  constructor(worker: Worker, file: string, options: WorkerHostOptions, states: WorkerStates) {
    this.#worker = worker;
    this.#file = file;
    this.#options = options;
    this.#states = states;
    // Whoever waits for the start races it with the end.
    this.loaded.promise.catch(() => undefined);
    worker.on('message', (message: FromWorker) => {
      this.#take(message);
    });
    worker.on('messageerror', (error) => {
      options.log.error(`${file}: a message of its worker could not be read`, error);
    });
    worker.on('error', (error) => {
      const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#end ??= isMemory ? { kind: 'memory' } : { kind: 'error', text: errorMessage(error) };
    });
    worker.on('exit', (code) => {
      this.#finish({ kind: 'exit', text: String(code) });
    });
  }

  get threadId(): number {
    return this.#worker.threadId;
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  call(task: WorkerTask, ctx: ToolContext | undefined): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(new WorkerEnded(this.#endText(this.#end)));
    this.#count += 1;
    const id = this.#count;
    const state = ctx && this.#states.of(this.#file, ctx);
    const stop = (): void => {
      this.post({ kind: 'stop', id, reason: errorMessage(ctx?.signal.reason) });
      this.#checkAlive();
    };
    const call: OpenCall = { answer: createDeferred(), ctx, state, stop, holds: new Map() };
    this.#calls.set(id, call);
    this.post({ kind: 'call', id, task, facts: ctx && state && this.#facts(ctx, state) });
    ctx?.signal.addEventListener('abort', stop, { once: true });
    if (ctx?.signal.aborted === true) stop();
    if (ctx === undefined) this.#limit(id, call);
    return call.answer.promise;
  }

  /** What is asked outside of a call has no clock but this one. It waits for its turn behind calls. */
  #limit(id: number, call: OpenCall): void {
    const timer = setTimeout(() => {
      const isWaiting = [...this.#calls.values()].some(({ ctx }) => ctx !== undefined);
      if (isWaiting) {
        this.#limit(id, call);
        return;
      }
      this.#checkAlive();
      call.answer.reject(new Error('The tool file did not check the arguments in time'));
    }, this.#options.checkWithinMs);
    void call.answer.promise.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    );
  }

  watch(index: number, uri: string, changed: () => void): Disposable {
    this.#count += 1;
    const id = this.#count;
    this.#watches.set(id, changed);
    this.post({ kind: 'watch', id, index, uri });
    return toDisposable(() => {
      this.#watches.delete(id);
      this.post({ kind: 'unwatch', id });
    });
  }

  /** @param text `loop`, or what those are told whose calls end with it */
  end(text: string): void {
    this.#end ??= text === 'loop' ? { kind: 'loop' } : { kind: 'told', text };
    void this.#worker.terminate();
    this.#finish(this.#end);
  }

  /** A call was stopped. One that loops cannot notice; then only the end of all of it helps. */
  #checkAlive(): void {
    this.#pinged += 1;
    this.post({ kind: 'ping', count: this.#pinged });
    this.#patience ??= setTimeout(() => {
      this.#options.log.error(
        `${this.#file} does not come to an end: its worker was ended, and starts anew with the next call`,
      );
      this.end('loop');
    }, this.#options.patienceMs);
  }

  #facts(ctx: ToolContext, state: FileState): CallFacts {
    const { requestId, toolUseId, agent, progressToken, clientInfo, clientCapabilities, meta } =
      ctx;
    const { id, cwd } = ctx.conversation;
    const isNew = !this.#known.has(state.key);
    this.#known.add(state.key);
    return {
      ...{ requestId, toolUseId, agent, progressToken, clientInfo, clientCapabilities, meta },
      conversation: { id, cwd },
      mode: ctx.mode,
      turnStart: ctx.turnStart,
      lastTurnStart: ctx.lastTurnStart,
      stateKey: state.key,
      state: isNew ? state.entries : undefined,
    };
  }

  knows(stateKey: number): boolean {
    return this.#known.has(stateKey);
  }

  #take(message: FromWorker): void {
    switch (message.kind) {
      case 'loaded':
        this.loaded.resolve(message);
        break;
      case 'notLoaded':
        this.loaded.reject(new ToolFileError(message.fault));
        break;
      case 'pong':
        if (message.count !== this.#pinged) break;
        clearTimeout(this.#patience);
        this.#patience = undefined;
        break;
      case 'changed':
        this.#watches.get(message.id)?.();
        break;
      case 'log':
        this.#log(message);
        break;
      case 'done':
      case 'failed':
        this.#settle(message);
        break;
      case 'progress':
      case 'tellFile':
      case 'tellFiles':
      case 'ask':
      case 'hold':
      case 'release':
        this.#serve(message);
    }
  }

  #settle(message: Extract<FromWorker, { kind: 'done' | 'failed' }>): void {
    const call = this.#calls.get(message.id);
    if (call === undefined) return;
    if (call.state !== undefined && message.state !== undefined) call.state.entries = message.state;
    this.#close(message.id, call);
    if (message.kind === 'done') call.answer.resolve(message.value);
    else if (message.code === undefined) call.answer.reject(new Error(message.message));
    else call.answer.reject(new RpcError(message.code, message.message));
  }

  #serve(
    message: Extract<
      FromWorker,
      { kind: 'progress' | 'tellFile' | 'tellFiles' | 'ask' | 'hold' | 'release' }
    >,
  ): void {
    const call = this.#calls.get(message.id);
    if (call?.ctx === undefined) return;
    switch (message.kind) {
      case 'progress':
        call.ctx.progress(message.done, message.total, message.message);
        break;
      case 'tellFile':
        call.ctx.tellFile(message.path, message.bytes);
        break;
      case 'tellFiles':
        for (const { path, bytes } of message.files) call.ctx.tellFile(path, bytes);
        break;
      case 'ask':
        void this.#ask(call.ctx, message);
        break;
      case 'hold': {
        const held = createDeferred<undefined>();
        call.holds.set(message.question, held);
        void call.ctx.whilePersonDecides(held.promise);
        break;
      }
      case 'release':
        call.holds.get(message.question)?.resolve(undefined);
        call.holds.delete(message.question);
    }
  }

  async #ask(
    ctx: ToolContext,
    { id, question, schema, message }: Extract<FromWorker, { kind: 'ask' }>,
  ): Promise<void> {
    let answer: AskAnswer | { readonly failed: string };
    try {
      // The worker says every form as an object.
      answer = await ctx.ask(schema as JsonSchemaInput, message);
    } catch (error) {
      answer = { failed: errorMessage(error) };
    }
    if (this.#end === undefined) this.post({ kind: 'answer', id, question, answer });
  }

  #log({ id, level, data, logger }: Extract<FromWorker, { kind: 'log' }>): void {
    const ctx = id === undefined ? undefined : this.#calls.get(id)?.ctx;
    if (ctx !== undefined) ctx.log(level, data, logger);
    else
      this.#options.log.info(
        `${this.#file}: ${typeof data === 'string' ? data : JSON.stringify(data)}`,
      );
  }

  #close(id: number, call: OpenCall): void {
    this.#calls.delete(id);
    call.ctx?.signal.removeEventListener('abort', call.stop);
    for (const held of call.holds.values()) held.resolve(undefined);
  }

  #finish(how: WorkerEnd): void {
    const end = (this.#end ??= how);
    clearTimeout(this.#patience);
    if (this.ended.settled) return;
    this.ended.resolve(end);
    for (const [id, call] of this.#calls) {
      this.#close(id, call);
      call.answer.reject(new WorkerEnded(this.#endText(end)));
    }
    this.#watches.clear();
  }

  /** For the model, so not translated. */
  #endText(end: WorkerEnd): string {
    const anew = 'The file starts anew with the next call; what it held in variables is lost.';
    switch (end.kind) {
      case 'loop':
        return `The tool file was ended, since code of it did not come to an end. ${anew}`;
      case 'memory':
        return `The tool file needed more than ${this.#options.memoryMb} MB of memory and was ended. ${anew}`;
      case 'exit':
        return `The tool file ended itself (process.exit, code ${end.text}). ${anew}`;
      case 'error':
        return `The tool file failed: ${end.text}. ${anew}`;
      case 'told':
        return end.text;
    }
  }
}
