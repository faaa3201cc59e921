import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createDeferred } from '../../src/base/deferred';
import { supervised, supervisedOptions } from './boot/supervisor.mjs';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What it prints is appended to it. */
  readonly logFile?: string | undefined;
  /** What it prints when it is ready. */
  readonly ready: RegExp;
  readonly readyTimeoutMs?: number;
  /** Between asking politely and not. */
  readonly graceMs?: number;
}

export interface RunningProcess {
  /** How `ready` matched. */
  readonly match: RegExpExecArray;
  /** Ends the whole process group. */
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 120_000;
const GRACE_MS = 3_000;
const TAIL_CHARS = 3_000;

/**
 * Starts a program in a process group of its own, which also ends when this process is killed, and
 * waits until it says that it is ready. Throws with the end of its output if that does not come.
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { command, args, graceMs = GRACE_MS } = options;
  const child = spawn(process.execPath, supervised(graceMs, command, args), {
    ...supervisedOptions,
    env: options.env,
    // The open stdin is what tells the supervisor that we live.
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log =
    options.logFile === undefined ? undefined : createWriteStream(options.logFile, { flags: 'a' });
  const stop = (): Promise<void> => stopGroup(child, log);
  try {
    return { match: await waitUntilReady(child, options, log), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function waitUntilReady(
  child: ChildProcess,
  { command, args, ready, readyTimeoutMs = READY_TIMEOUT_MS }: ProcessOptions,
  log: WriteStream | undefined,
): Promise<RegExpExecArray> {
  const found = createDeferred<RegExpExecArray>();
  const name = [command, ...args.slice(0, 1)].join(' ');
  let output = '';
  const fail = (what: string): void => {
    found.reject(new Error(`${name} ${what}:\n${output.slice(-TAIL_CHARS)}`));
  };
  const take = (text: string): void => {
    log?.write(text);
    if (found.settled) return;
    output += text;
    const match = ready.exec(output);
    if (match !== null) found.resolve(match);
  };
  child.stdout?.setEncoding('utf8').on('data', take);
  child.stderr?.setEncoding('utf8').on('data', take);
  // A supervisor that has just ended no longer reads.
  child.stdin?.on('error', () => undefined);
  child.once('error', (error) => {
    fail(error.message);
  });
  child.once('close', () => {
    fail('ended before it was ready');
  });
  const timer = setTimeout(() => {
    fail(`was not ready after ${readyTimeoutMs} ms`);
  }, readyTimeoutMs);
  try {
    return await found.promise;
  } finally {
    clearTimeout(timer);
  }
}

async function stopGroup(child: ChildProcess, log: WriteStream | undefined): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.stdin?.end();
    await ended;
  }
  // A helper that left the supervisor behind may still hold the pipes.
  child.stdout?.destroy();
  child.stderr?.destroy();
  await new Promise<void>((resolve) => {
    if (log === undefined) resolve();
    else log.end(resolve);
  });
}
