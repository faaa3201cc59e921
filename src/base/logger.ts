/** Where a room writes what it noticed. The host hands in VS Code's log channel, tests a list. */
export interface Logger {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
  /** Whether trace lines are kept now: what is costly to make is not made else. Absent: they are not. */
  isTracing?(): boolean;
}

const ignore = (): void => undefined;

/** The same log under a heading, so that its lines can be told apart and filtered. */
export function topicLogger(log: Logger, topic: string): Logger {
  return changedLogger(log, (message) => `[${topic}] ${message}`);
}

/** The same log, each of its lines changed before it is written. */
export function changedLogger(log: Logger, change: (message: string) => string): Logger {
  return {
    trace: (message) => log.trace(change(message)),
    debug: (message) => log.debug(change(message)),
    info: (message) => log.info(change(message)),
    warn: (message) => log.warn(change(message)),
    error: (message, error) => log.error(change(message), error),
    isTracing: () => log.isTracing?.() === true,
  };
}

/** A logger that drops everything. */
export const silentLogger: Logger = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
};
