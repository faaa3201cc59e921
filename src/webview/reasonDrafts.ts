import { signal, type ReadonlySignal } from '@preact/signals';
import type { PermissionCard } from '../chat/viewStateProtocol';
import { CardDrafts, type CardDraftsPorts } from './cardDrafts';
import { DraftTimer } from './draftTimer';

/** What the person has typed as the reason of a no. */
export class ReasonDrafts extends CardDrafts<PermissionCard, ReasonDraft> {
  constructor(ports: CardDraftsPorts) {
    super((card) => new ReasonDraft(card, ports));
  }
}

export class ReasonDraft {
  readonly #timer: DraftTimer;
  readonly #text;

  constructor({ id: cardId, draft = '' }: PermissionCard, { post, timers }: CardDraftsPorts) {
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
