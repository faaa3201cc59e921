import { format } from 'node:util';
import { cutText } from '../base/cutText';
import { floodGate } from '../base/floodGate';
import type { Logger } from '../base/logger';

/** Lines that one file may write in a second. */
const LINES_PER_SECOND = 50;
const MAX_LINE = 10_000;
const WRITERS = ['debug', 'error', 'info', 'log', 'trace', 'warn', 'dir', 'table'] as const;
/** Each of them would end the editor's extension host, or change it for all other extensions. */
const REFUSED = new Set<PropertyKey>(['exit', 'abort', 'reallyExit', 'chdir']);

/** `console` of a tool file: into Patchbay's log under the file's name, and not without bounds. */
export function guardedConsole(file: string, log: Logger): object {
  const take = floodGate(LINES_PER_SECOND);
  const write = (way: (typeof WRITERS)[number], given: readonly unknown[]): void => {
    const before = take();
    if (before === undefined) return;
    if (before > 0) log.warn(`[${file}] ${before} lines of its console were left out`);
    const text = `[${file}] ${cutText(textOf(given), MAX_LINE)}`;
    if (way === 'error') log.error(text);
    else if (way === 'warn') log.warn(text);
    else if (way === 'debug' || way === 'trace') log.debug(text);
    else log.info(text);
  };
  const own = new Map<PropertyKey, unknown>(
    WRITERS.map((way) => [way, (...given: unknown[]): void => write(way, given)]),
  );
  return new Proxy(globalThis.console, {
    get: (target, key): unknown => own.get(key) ?? Reflect.get(target, key),
  });
}

function textOf(given: readonly unknown[]): string {
  try {
    return format(...given);
  } catch {
    return '(cannot be written)';
  }
}

/** `process` of a tool file: all of it but what would end the extension host. */
export function guardedProcess(file: string): object {
  const refuse = (key: PropertyKey): never => {
    throw new Error(
      `process.${String(key)} is not for tool files, such as ${file}: all extensions share this process`,
    );
  };
  const own = (key: PropertyKey): unknown => {
    if (REFUSED.has(key)) return () => refuse(key);
    if (key !== 'kill') return Reflect.get(process, key);
    return (pid: number, signal?: string | number): true =>
      pid === process.pid || pid === 0 ? refuse(key) : process.kill(pid, signal);
  };
  return new Proxy(process, { get: (_target, key): unknown => own(key) });
}
