import type { KeptConversation } from './conversationPorts';

/** Hands on what must outlive the process whenever it has changed. */
export class ConversationMemory {
  readonly #keep: (kept: KeptConversation) => void;
  #last = JSON.stringify({ sessionId: undefined, queue: [], sent: [] });

  constructor(keep: (kept: KeptConversation) => void) {
    this.#keep = keep;
  }

  update(kept: KeptConversation): void {
    const text = JSON.stringify(kept);
    if (text === this.#last) return;
    this.#last = text;
    this.#keep(kept);
  }
}
