import type { Conversation } from '../conversation/conversationPorts';
import { nextMode } from '../rules/modes';

/** The key that goes round the permission modes. */
export class ModeRound {
  /** Pressed twice it goes on two modes: the second press waits for what the CLI says to the first. */
  readonly #last = new WeakMap<object, Promise<void>>();

  next(conversation: Pick<Conversation, 'snapshot' | 'setMode'>): Promise<void> {
    const before = this.#last.get(conversation) ?? Promise.resolve();
    const step = before
      .catch(() => undefined)
      .then(async () => {
        const { mode, modes } = conversation.snapshot();
        const enabled = modes.filter(({ disabledReason }) => disabledReason === undefined);
        const next = nextMode(
          mode,
          enabled.map(({ id }) => id),
        );
        if (next !== undefined) await conversation.setMode(next);
      });
    this.#last.set(conversation, step);
    return step;
  }
}
