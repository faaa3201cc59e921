import type { ApiConversation, ApiMessage } from './patchbayApi';

/**
 * A conversation from the call that starts it on. What is said before it has started waits for that;
 * why it could not start is for whoever iterates.
 */
export function pendingConversation(started: Promise<ApiConversation>): ApiConversation {
  const further: string[] = [];
  let send = (prompt: string): void => void further.push(prompt);
  started.then(
    (made) => {
      send = (prompt) => made.send(prompt);
      try {
        further.forEach(send);
      } catch {
        // It has ended already, and nobody reads an answer.
      }
    },
    (cause: unknown) => {
      send = () => {
        throw new Error('The conversation has ended', { cause });
      };
    },
  );
  return {
    send: (prompt) => send(prompt),
    dispose: () => void started.then((made) => made.dispose()).catch(() => undefined),
    [Symbol.asyncIterator]: () => iterate(started),
  };
}

async function* iterate(started: Promise<ApiConversation>): AsyncGenerator<ApiMessage> {
  yield* await started;
}
