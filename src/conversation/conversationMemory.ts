import type { KeptConversation } from './conversationPorts';

/** Hands on what must outlive the process whenever it has changed. */
export class ConversationMemory {
  readonly #keep: (kept: KeptConversation) => void;
  #last: string | undefined;

  constructor(keep: (kept: KeptConversation) => void) {
    this.#keep = keep;
  }

  update(kept: KeptConversation): void {
    // What is there from the start must not take the place of what is kept.
    if (this.#last === undefined && isUntouched(kept)) return;
    const text = JSON.stringify(kept);
    if (text === this.#last) return;
    this.#last = text;
    this.#keep(kept);
  }
}

/** Nothing was said or chosen in it: there is nothing to keep. */
export function isUntouched(kept: KeptConversation): boolean {
  const { sessionId, queue, sent, modeChosen, modelChosen } = kept;
  const isSilent = sessionId === undefined && queue.length === 0 && sent.length === 0;
  return isSilent && modeChosen !== true && modelChosen !== true;
}
