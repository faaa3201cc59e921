import type { ViewMessage } from '../chat/viewProtocol';
import type { TimerPort } from './draftTimer';

export interface CardDraftsPorts {
  readonly post: (message: ViewMessage) => void;
  readonly timers: TimerPort;
}

/**
 * What the person has put into the cards that wait. It belongs to the panel and not to what is
 * drawn, so that no patch and no new drawing takes away what was typed; the host gets it as a draft,
 * for a new view.
 */
export class CardDrafts<Card extends { readonly id: string }, Draft extends { flush(): void }> {
  readonly #make: (card: Card) => Draft;
  readonly #drafts = new Map<string, Draft>();

  constructor(make: (card: Card) => Draft) {
    this.#make = make;
  }

  of(card: Card): Draft {
    let draft = this.#drafts.get(card.id);
    if (!draft) {
      draft = this.#make(card);
      this.#drafts.set(card.id, draft);
    }
    return draft;
  }

  /** Posts what waits: the view may go. */
  flush(): void {
    for (const draft of this.#drafts.values()) draft.flush();
  }
}
