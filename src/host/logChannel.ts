import { LogLevel, type LogOutputChannel } from 'vscode';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/logger';

/** Our rooms' logger, written into VS Code's log channel. */
export function createLogger(channel: LogOutputChannel): Logger {
  return {
    isTracing: () => channel.logLevel === LogLevel.Trace,
    trace: (message) => channel.trace(message),
    debug: (message) => channel.debug(message),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, error) => {
      channel.error(error === undefined ? message : `${message}: ${describe(error)}`);
    },
  };
}

function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : errorMessage(error);
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? text : `${text}\ncaused by: ${describe(cause)}`;
}
