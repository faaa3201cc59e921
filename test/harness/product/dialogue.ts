import { createDeferred } from '../../../src/base/deferred';
import { say, type Reply, type Step, type Turn } from '../model/script';

/** One message of the model, or how to make it from what the tools have answered. */
export type Line = Reply | ((turn: Turn) => Reply);

/** What the scripted model says to each prompt: its lines in turn, the last one for ever. */
export class Dialogue {
  readonly #parts: { readonly prompt: string | RegExp; readonly lines: readonly Line[] }[] = [];

  /** A later entry wins, so that a test need not know what others have prepared. */
  on(prompt: string | RegExp, ...lines: readonly Line[]): void {
    this.#parts.unshift({ prompt, lines });
  }

  readonly script = (turn: Turn): Reply => {
    const part = this.#parts.find(({ prompt }) =>
      typeof prompt === 'string' ? prompt === turn.prompt : prompt.test(turn.prompt),
    );
    const line = part?.lines[Math.min(turn.step, part.lines.length - 1)];
    if (line === undefined) return say(`Nothing was prepared for: ${turn.prompt}`);
    return typeof line === 'function' ? line(turn) : line;
  };
}

/** A place in a message where the stream waits until a test opens it. */
export interface Gate {
  readonly step: Step;
  /** Resolves when everything before the gate was sent. */
  readonly reached: Promise<unknown>;
  open(): void;
}

export function gate(): Gate {
  const reached = createDeferred<undefined>();
  const opened = createDeferred<undefined>();
  return {
    step: {
      kind: 'pause',
      // Asked for at the moment when the stream comes to it.
      get until() {
        reached.resolve(undefined);
        return opened.promise;
      },
    },
    reached: reached.promise,
    open: () => opened.resolve(undefined),
  };
}
