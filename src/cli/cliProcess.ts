import { isAscii } from 'node:buffer';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createDeferred, type Deferred } from '../base/deferred';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import type { Logger } from '../base/logger';
import { createLineFramer } from '../protocol/lineFramer';
import type { OutboundMessage } from '../protocol/outboundRequests';
import type { CloseLimits } from './closeLimits';
import { Family } from './endFamily';
import type { FamilyHead } from './family';
import { GatheredWriter } from './gatheredWriter';
import {
  TransportClosedError,
  WRITTEN,
  type CliExit,
  type LineTransport,
  type TransportFault,
} from './lineTransport';
import { processGroup, type ProcessGroup } from './processGroup';
import { readInSlices } from './readInSlices';
import { StderrTail } from './stderrTail';
import { watchFamily } from './watchdog';

export interface CliProcessOptions {
  /** Of the process, as it was spawned. */
  readonly head: FamilyHead;
  readonly log: Logger;
  readonly onErrorLine?: ((line: string) => void) | undefined;
  readonly secrets: readonly string[];
  readonly maxLineBytes: number | undefined;
  readonly closeLimits: CloseLimits;
}

/** How long a process may run on without an output, in ms. */
const MUTE_MS = 1000;

/** A {@link LineTransport} over a process that has been started. See `spawnCli`. */
export class CliProcess implements LineTransport {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #group: ProcessGroup;
  readonly #family: Family;
  readonly #watching: Disposable;
  readonly #options: CliProcessOptions;
  readonly #stderr: StderrTail;
  readonly #lines: Emitter<string>;
  readonly #faults = new Emitter<TransportFault>();
  readonly #exits = new Emitter<CliExit>();
  readonly #exited = createDeferred<CliExit>();
  readonly #processEnded = createDeferred<undefined>();
  readonly #streamsEnded = createDeferred<undefined>();
  #drain: Deferred<undefined> | undefined;
  readonly #writer: GatheredWriter;
  #reading = false;
  #closing: Promise<CliExit> | undefined;
  #signalled = false;

  constructor(child: ChildProcessWithoutNullStreams, options: CliProcessOptions) {
    this.#child = child;
    this.#options = options;
    this.#group = processGroup(options.head.pid);
    this.#family = new Family(options.head);
    this.#watching = watchFamily(options.head);
    this.#writer = new GatheredWriter(child.stdin);
    this.#lines = new Emitter((error) =>
      options.log.error('A listener of CLI lines failed', error),
    );
    this.#stderr = new StderrTail(options.secrets, {
      onLine: (line) => {
        options.log.debug(`stderr: ${line}`);
        options.onErrorLine?.(line);
      },
    });
    this.#listen();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  readonly onDidReceiveLine = (listener: (line: string) => void) => {
    const subscription = this.#lines.event(listener);
    this.#startReading();
    return subscription;
  };

  readonly onDidFault = this.#faults.event;
  readonly onDidExit = this.#exits.event;

  get exited(): Promise<CliExit> {
    return this.#exited.promise;
  }

  write(message: OutboundMessage): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin.writable || this.#closing !== undefined) {
      return Promise.reject(new TransportClosedError('The CLI no longer reads its input'));
    }
    let line: string;
    try {
      line = JSON.stringify(message);
    } catch (cause) {
      // A ring, or more than a text can hold: whoever sent it is told, the CLI is not waited for.
      return Promise.reject(new Error('The message cannot be written as JSON', { cause }));
    }
    if (this.#writer.write(`${line}\n`)) return WRITTEN;
    this.#drain ??= createDeferred<undefined>();
    return this.#drain.promise;
  }

  async strays(): Promise<number> {
    return (await this.#family.strays()).length;
  }

  close(): Promise<CliExit> {
    return (this.#closing ??= this.#end());
  }

  #listen(): void {
    const child = this.#child;
    child.stdin.on('drain', () => this.#settleDrain(undefined));
    child.stdin.on('error', (cause) => {
      // EPIPE: the CLI ended or closed its input. Its exit tells the rest.
      this.#settleDrain(cause);
      this.#faults.fire({ kind: 'writeFailed', cause });
    });
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.stderr.on('error', (error) => this.#options.log.debug(`stderr: ${error.message}`));
    child.stdout.on('error', (error) => this.#options.log.debug(`stdout: ${error.message}`));
    child.once('exit', () => {
      this.#processEnded.resolve(undefined);
      void this.#finish();
    });
    child.once('close', () => this.#streamsEnded.resolve(undefined));
  }

  #startReading(): void {
    if (this.#reading) return;
    this.#reading = true;
    const framer = createLineFramer({
      onLine: (line) => this.#lines.fire(line),
      onFault: (fault) => this.#faults.fire(fault),
      decode: decodeUtf8,
      isAscii,
      ...(this.#options.maxLineBytes === undefined
        ? {}
        : { maxLineBytes: this.#options.maxLineBytes }),
    });
    const push = (chunk: Buffer): boolean => framer.push(chunk);
    readInSlices(this.#child.stdout, (chunk) => this.#writer.during(push, chunk));
    this.#child.stdout.once('end', () => {
      framer.end();
      void this.#endMute();
    });
  }

  /** Its output is closed and it runs on: nothing will ever be heard of it again. */
  async #endMute(): Promise<void> {
    if (await settlesWithin(this.#processEnded.promise, MUTE_MS)) return;
    this.#options.log.warn('The CLI closed its output and did not end; it is ended');
    this.#group.signal('SIGTERM');
    if (await settlesWithin(this.#processEnded.promise, MUTE_MS)) return;
    this.#group.signal('SIGKILL');
  }

  #settleDrain(cause: unknown): void {
    const waiting = this.#drain;
    this.#drain = undefined;
    if (waiting === undefined) return;
    // Whoever does not wait for its write must not bring an unhandled rejection.
    waiting.promise.catch(() => undefined);
    if (cause === undefined) waiting.resolve(undefined);
    else waiting.reject(new TransportClosedError('Writing to the CLI failed', { cause }));
  }

  /** Close stdin → SIGTERM → SIGKILL; the rest of the time is for what is left. */
  async #end(): Promise<CliExit> {
    const { inputMs, termMs } = this.#options.closeLimits;
    this.#startReading();
    // While it runs it is seen who its children are, also of those that hide it.
    void this.#family.remember();
    this.#writer.flush();
    this.#child.stdin.end();
    if (!(await settlesWithin(this.#processEnded.promise, inputMs))) {
      this.#signalled = true;
      this.#group.signal('SIGTERM');
      void this.#family.askStrays();
      if (!(await settlesWithin(this.#processEnded.promise, termMs))) {
        this.#group.signal('SIGKILL');
      }
    }
    return this.#exited.promise;
  }

  /** After the process: what it left behind is ended, the last bytes are read, then all is told. */
  async #finish(): Promise<void> {
    this.#startReading();
    await this.#endFamily();
    if (!(await settlesWithin(this.#streamsEnded.promise, this.#options.closeLimits.drainMs))) {
      // A grandchild that left the group holds the pipe open; it must not hold us.
      this.#child.stdout.destroy();
      this.#child.stderr.destroy();
    }
    this.#child.stdin.destroy();
    this.#settleDrain(new Error('exited'));
    this.#stderr.end();
    const exit = this.#describeExit();
    this.#exited.resolve(exit);
    this.#exits.fire(exit);
  }

  /** What it started may have left its process group, as every shell command of the CLI does. */
  async #endFamily(): Promise<void> {
    const { leftMs, lastMs } = this.#options.closeLimits;
    const outcome = await this.#family.end({ graceMs: leftMs, limitMs: leftMs + lastMs });
    if (outcome === 'left') this.#options.log.warn('Not all that the CLI started could be ended');
    // Without a list the group is all that is known of it.
    if (outcome === 'unknown' && process.platform !== 'win32') this.#group.signal('SIGKILL');
    this.#watching.dispose();
  }

  #describeExit(): CliExit {
    const { exitCode: code, signalCode: signal } = this.#child;
    const asked = this.#closing !== undefined;
    const kind = asked && this.#signalled ? 'killed' : asked || code === 0 ? 'ended' : 'crashed';
    return { kind, code, signal, stderrTail: this.#stderr.text() };
  }
}

/** What Node reads is a buffer, which decodes in half the time of a `TextDecoder`. */
function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (Buffer.isBuffer(bytes)) return bytes.toString('utf8', start, end);
  const { buffer, byteOffset, byteLength } = bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8', start, end);
}

/** True if the promise settled in time. The timer never outlives the answer. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
