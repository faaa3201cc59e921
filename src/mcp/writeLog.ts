import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';
import type { LogLevel } from './toolContext';

/** A message of a server in our log, by the protocol's levels. */
export function writeLog(log: Logger, level: LogLevel, text: string): void {
  switch (level) {
    case 'debug':
      log.debug(text);
      break;
    case 'info':
    case 'notice':
      log.info(text);
      break;
    case 'warning':
      log.warn(text);
      break;
    case 'error':
    case 'critical':
    case 'alert':
    case 'emergency':
      log.error(text);
  }
}

export function logText(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(sendable(data));
}

/** As JSON takes it; an error is its message, since its own fields are hidden. */
export function sendable(data: unknown): unknown {
  if (data instanceof Error) return errorMessage(data);
  try {
    const text = JSON.stringify(data) as string | undefined;
    return text === undefined ? String(data) : (JSON.parse(text) as unknown);
  } catch {
    return '(cannot be written)';
  }
}
