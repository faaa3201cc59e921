import { signal, type ReadonlySignal } from '@preact/signals';
import type { PermissionCard } from '../chat/viewStateProtocol';
import type { AskDraftsPorts } from './askDrafts';
import { DraftTimer } from './draftTimer';

/**
 * What the person has typed as the reason of a no, by card. It belongs to the panel and not to what
 * is drawn; the host gets it as a draft, for a new view.
 */
export class ReasonDrafts {
  readonly #ports: AskDraftsPorts;
  readonly #drafts = new Map<string, ReasonDraft>();

  constructor(ports: AskDraftsPorts) {
    this.#ports = ports;
  }

  of(card: PermissionCard): ReasonDraft {
    let draft = this.#drafts.get(card.id);
    if (!draft) {
      draft = new ReasonDraft(card, this.#ports);
      this.#drafts.set(card.id, draft);
    }
    return draft;
  }

  /** Posts what waits: the view may go. */
  flush(): void {
    for (const draft of this.#drafts.values()) draft.flush();
  }
}

export class ReasonDraft {
  readonly #timer: DraftTimer;
  readonly #text;

  constructor({ id: cardId, draft = '' }: PermissionCard, { post, timers }: AskDraftsPorts) {
    this.#text = signal(draft);
    const send = (reason: string): void => post({ type: 'permissionDraft', cardId, reason });
    this.#timer = new DraftTimer(send, timers, draft);
  }

  get text(): ReadonlySignal<string> {
    return this.#text;
  }

  set(text: string): void {
    this.#text.value = text;
    this.#timer.changed(text);
  }

  flush(): void {
    this.#timer.flush();
  }
}
