import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Readable } from 'node:stream';
import { floodGate } from '../base/floodGate';
import type { Logger } from '../base/logger';
import type { AttachedEntry } from './attachedEntry';
import { OutputLines } from './outputLines';
import type { StartServer } from './processTransport';

export interface TransportOptions {
  readonly name: string;
  readonly entry: AttachedEntry;
  /** Environment and folder of a server that is started. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Starts a program; without it one that the program starts may outlive it, and us. */
  readonly start?: StartServer | undefined;
  readonly log: Logger;
  /** Takes secrets out of a whole line of the server's error output, which goes to the log. */
  readonly mask?: (text: string) => string;
}

/** Of the error output of a server that go into the log. */
const LINES_PER_SECOND = 100;

/** The way to a server as its entry has it. Each kind is loaded where it is needed. */
export async function createTransport(options: TransportOptions): Promise<Transport> {
  const { entry } = options;
  if (entry.type === 'stdio') return stdioTransport(entry, options);
  const url = new URL(entry.url);
  const requestInit = { headers: { ...entry.headers } };
  if (entry.type === 'sse') {
    const { SseTransport } = await import('./sseTransport');
    return new SseTransport(url, { requestInit });
  }
  const { HttpTransport } = await import('./httpTransport');
  return new HttpTransport(url, { requestInit });
}

async function stdioTransport(
  { command, args, env: own }: Extract<AttachedEntry, { type: 'stdio' }>,
  options: TransportOptions,
): Promise<Transport> {
  const { start, cwd } = options;
  const { StdioClientTransport, getDefaultEnvironment } =
    await import('@modelcontextprotocol/sdk/client/stdio.js');
  const env = { ...getDefaultEnvironment(), ...options.env, ...own };
  if (start === undefined) {
    const program = { command, args: [...args], env, cwd, stderr: 'pipe' as const };
    const transport = new StdioClientTransport(program);
    // A stream of its own, whatever its type says.
    logLines(transport.stderr as Readable | null, options);
    return transport;
  }
  const { ProcessTransport } = await import('./processTransport');
  return new ProcessTransport(() => {
    const server = start({ command, args, env, cwd });
    logLines(server.child.stderr, options);
    return server;
  });
}

function logLines(
  stderr: Readable | null,
  { name, log, mask = (text: string) => text }: TransportOptions,
): void {
  const take = floodGate(LINES_PER_SECOND);
  const lines = new OutputLines(mask, (line) => {
    const before = take();
    if (before === undefined) return;
    if (before > 0) log.warn(`[${name}] ${before} lines of its error output were left out`);
    log.info(`[${name}] ${line}`);
  });
  stderr?.on('data', (chunk: Buffer) => {
    lines.push(chunk);
  });
  stderr?.on('end', () => {
    lines.end();
  });
}
