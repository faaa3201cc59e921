import { createDeferred } from '../base/deferred';
import { checkPrompt } from '../conversation/checkPrompt';
import type { ApiConversation, ApiMessage } from './patchbayApi';

/**
 * A conversation from the call that starts it on. What is said before it has started waits for that;
 * why it could not start is for whoever iterates. Disposed of before, it has ended at once.
 * @param start is given up when its signal fires; what it makes all the same is disposed of
 */
export function pendingConversation(
  start: (signal: AbortSignal) => Promise<ApiConversation>,
): ApiConversation {
  const gone = new AbortController();
  const started = createDeferred<ApiConversation>();
  const further: string[] = [];
  const ended = (cause?: unknown) => (): never => {
    throw new Error('The conversation has ended', { cause });
  };
  let send = (prompt: string): void => {
    checkPrompt(prompt);
    further.push(prompt);
  };
  const onMade = (made: ApiConversation): void => {
    if (gone.signal.aborted) {
      made.dispose();
      return;
    }
    send = (prompt) => made.send(prompt);
    started.resolve(made);
    further.forEach(send);
  };
  const onFailed = (cause: unknown): void => {
    send = ended(cause);
    started.reject(cause);
  };
  started.promise.catch(() => undefined);
  // What else fails: it has ended already, and nobody reads an answer.
  start(gone.signal)
    .then(onMade, onFailed)
    .catch(() => undefined);
  return {
    send: (prompt) => send(prompt),
    dispose: () => {
      // One that has started ends by its own `dispose`, without an error.
      if (!started.settled) {
        gone.abort(new Error('It was disposed of before it had started'));
        onFailed(gone.signal.reason);
      }
      void started.promise.then((made) => made.dispose()).catch(() => undefined);
      send = ended();
    },
    [Symbol.asyncIterator]: () => iterate(started.promise, gone.signal),
  };
}

async function* iterate(
  started: Promise<ApiConversation>,
  gone: AbortSignal,
): AsyncGenerator<ApiMessage> {
  try {
    yield* await started;
  } catch (error) {
    // Whoever ended it need not be told.
    if (!gone.aborted) throw error;
  }
}
