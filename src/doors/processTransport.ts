import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { messagesIn } from './withAnswer';

/** A program that serves over its input and output. */
export interface StartedServer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Ends it, and what it has started. */
  end(): Promise<void>;
}

/** Starts one. @throws what keeps it from being started at once */
export type StartServer = (program: {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}) => StartedServer;

/** One message, in bytes. */
const MAX_LINE = 64 * 1024 * 1024;
const NEW_LINE = 10;

/** Speaks with a server over its input and output, a line for each message. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #start: () => StartedServer;
  #server: StartedServer | undefined;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(start: () => StartedServer) {
    this.#start = start;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const server = this.#start();
      const { child } = server;
      this.#server = server;
      const fail = (error: Error): void => {
        reject(error);
        this.onerror?.(error);
      };
      child.on('error', fail);
      child.stdin.on('error', fail);
      child.stdout.on('error', fail);
      child.once('spawn', () => resolve());
      child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
      child.once('close', () => this.onclose?.());
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#server?.child.stdin;
    if (stdin?.writable !== true) return Promise.reject(new Error('Not connected'));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    await this.#server?.end();
  }

  #receive(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(NEW_LINE); at !== -1; at = rest.indexOf(NEW_LINE)) {
      this.#parts.push(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#size = 0;
      this.#take(line);
    }
    this.#parts.push(rest);
    this.#size += rest.length;
    if (this.#size <= MAX_LINE) return;
    this.#parts = [];
    this.#size = 0;
    this.onerror?.(new Error(`A message of more than ${MAX_LINE} bytes`));
    void this.close();
  }

  /** A server may print something else besides. An answer that is none is one all the same: it is waited for. */
  #take(line: string): void {
    let messages: readonly JSONRPCMessage[];
    try {
      // Some programs begin with a byte order mark.
      messages = messagesIn(line.replace(/^\ufeff/, ''));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    for (const message of messages) this.onmessage?.(message);
  }
}
