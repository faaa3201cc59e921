import type { SentSelection } from '../chat/selectionProtocol';
import type { QueuedPrompt } from '../chat/viewStateProtocol';

/** Characters that are kept: of the last messages. */
const MAX_KEPT = 4_000_000;

/** The selections that went with messages of one conversation: who says such a message again means them too. */
export class SaidSelections {
  readonly #kept = new Map<string, SentSelection>();
  #size = 0;

  keep<P extends Pick<QueuedPrompt, 'id' | 'selection'>>(prompt: P): P {
    const { id, selection } = prompt;
    if (selection === undefined || this.#kept.has(id)) return prompt;
    this.#kept.set(id, selection);
    this.#size += sizeOf(selection);
    for (const [oldest, kept] of this.#kept) {
      if (this.#size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
      this.#size -= sizeOf(kept);
    }
    return prompt;
  }

  /** By the message's id in the transcript. */
  readonly of = (id: string): SentSelection | undefined => this.#kept.get(id);
}

function sizeOf({ text = '' }: SentSelection): number {
  return text.length;
}
