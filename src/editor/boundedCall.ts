import { errorMessage } from '../base/errors';
import { ToolProblem } from './toolProblem';

export interface CallBounds {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Who is asked, for the message: `The language server`. */
  readonly who: string;
}

/**
 * Asks something that may never answer. What is asked goes on when we stop waiting: the editor's
 * commands cannot be cancelled.
 * @throws ToolProblem on time-out, on Stop, and when the one asked failed
 */
export async function boundedCall<T>(
  ask: () => PromiseLike<T>,
  { timeoutMs, signal, who }: CallBounds,
): Promise<T> {
  // Asking may begin something, such as a task.
  if (signal.aborted) throw new ToolProblem('Stopped');
  let release = (): void => undefined;
  const limit = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new ToolProblem('Stopped'));
    const timer = setTimeout(() => {
      const seconds = Math.round(timeoutMs / 100) / 10;
      reject(
        new ToolProblem(`${who} did not answer in ${seconds} s; try again, or search the text`),
      );
    }, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    release = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
  });
  try {
    return await Promise.race([asked(ask, who), limit]);
  } finally {
    release();
  }
}

/** Waits, or ends early on Stop. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

async function asked<T>(ask: () => PromiseLike<T>, who: string): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new ToolProblem(`${who} failed: ${errorMessage(cause)}`, { cause });
  }
}
