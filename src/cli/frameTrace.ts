import type { Logger } from '../base/logger';
import { isJsonObject } from '../protocol/lazySchema';

/** Longer ones are not names of ours, and could hold what must not be in a log. */
const MAX_NAME = 64;

/** A name or id that the CLI chose, for the log: it may have any length. */
export function shortName(name: unknown): string {
  const text = String(name);
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
}

/**
 * Writes one frame as `{type, subtype, bytes}`, never what is in it. `frame` is the message as
 * parsed; `line` the text that it stands in, its JSON where that is not given. Does nothing, and costs nothing, unless trace is on.
 */
export function traceFrame(
  log: Logger,
  direction: 'in' | 'out',
  frame: unknown,
  line?: string,
): void {
  if (log.isTracing?.() !== true) return;
  const bytes = Buffer.byteLength(line ?? JSON.stringify(frame));
  const described = { ...describeFrame(frame), bytes };
  log.trace(`frame ${direction} ${JSON.stringify(described)}`);
}

/** A control message has its subtype one level down. */
export function describeFrame(frame: unknown): { type: string; subtype?: string } {
  const own = isJsonObject(frame) && frame.type === 'unknown' ? frame.raw : frame;
  if (!isJsonObject(own)) return { type: 'noise' };
  const inner = [own.request, own.response, own.event].find(isJsonObject);
  const subtype = named(own.subtype) ?? named(inner?.subtype) ?? named(inner?.type);
  return { type: named(own.type) ?? 'noise', ...(subtype === undefined ? {} : { subtype }) };
}

function named(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_NAME) : undefined;
}
